// Routes of the members of a set (component, community): of the one that a vertex is in, or of the
// one that a result names. The vertex whose key names a community may be in another one.
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/list_format.h"
#include "daemon/http/page.h"
#include "daemon/http/past_run.h"
#include "daemon/http/past_window.h"
#include "daemon/http/row_list.h"
#include "daemon/http/vertex_rows.h"
#include "daemon/http/view_vertex.h"
#include "windows/jobs/groups.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/whole_rows.h"

namespace sash {
namespace {

// The run whose sets are shown: the newest, or one on the window that the request names.
ChosenRun RunOfSets(const ApiSurroundings& around, const JobSpec& job, const HttpRequest& request) {
  if (NamesWindow(request)) return RunOnNamedWindow(around, job, request);
  ChosenRun chosen{.run = around.history.Latest(job.name)};
  if (!chosen.run) chosen.refusal = NoResult(job.name);
  return chosen;
}

std::string MembersText(const ResultList& list, const CompletedRun& run, VertexId set,
                        const MembersPage& page, const VertexDictionary& keys) {
  const Provenance& about = run.result->provenance;
  JsonText json;
  json.BeginObject().Key("job").Text(run.result->job);
  json.Key("snapshot").Unsigned(about.snapshot.value);
  json.Key("window_end").Text(TimeText(about.window_end));
  if (!about.is_final()) json.Key("final").Bool(false);
  json.Key(list.one).KeyValue(keys.KeyOf(set)).Key("size").Unsigned(page.size);
  json.Key("members").BeginArray();
  for (const VertexId member : page.members) {
    WriteVertexRow(run.advance->view, member, keys, json);
  }
  json.EndArray();
  if (page.members.size() < page.size) {
    json.Key("truncated").Bool(true).Key("rows").Unsigned(page.size);
  }
  json.EndObject();
  return std::move(json).Take() + "\n";
}

HttpResponse MemberRows(const CompletedRun& run, const MembersPage& page,
                        const VertexDictionary& keys, ListFormat format) {
  HttpResponse answer =
      WholeRows(VertexRows(run.advance->view, page.members, keys),
                {.available = page.size, .truncated = page.members.size() < page.size}, format);
  AddResultHeaders(run.result->provenance, answer);
  return answer;
}

struct RequestedSet {
  VertexKey key;
  bool is_name = false;  // `key` is that of the set, and not that of one of its members
};

// ?set=, or else the key of a vertex. An error is for the client.
Result<RequestedSet> SetIn(const HttpRequest& request, KeyKind kind) {
  const auto named = request.query.find("set");
  if (named != request.query.end() && request.query.contains("key")) {
    return Error{ErrorCode::kInvalidArgument,
                 "key and set: give the key of a vertex, or that of a set, not both"};
  }
  Result<VertexKey> key = named != request.query.end() ? ParseKey("set", named->second, kind)
                                                       : RequestedKey(request, kind);
  if (!key) return key.error();
  return RequestedSet{std::move(key).value(), named != request.query.end()};
}

HttpResponse NotInTheResult(const RequestedSet& asked, const ResultList& list,
                            const CompletedRun& run) {
  const std::string key = KeyAsJson(asked.key).dump();
  const std::uint64_t snapshot = run.result->provenance.snapshot.value;
  return NotFound(
      asked.is_name ? fmt::format("the result of snapshot {} has no {} {}", snapshot, list.one, key)
                    : fmt::format("vertex {} is not in the window of the result of snapshot {}",
                                  key, snapshot));
}

HttpResponse Members(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  const std::optional<JobSpec> job = around.jobs.Find(name);
  if (!job) return NoJob(around.jobs, name);
  const KeyKind kind = around.keys.kind();
  const Result<RequestedSet> asked = SetIn(request, kind);
  if (!asked) return BadRequest(asked.error().message);
  const Result<KeyRange> range = RequestedKeys(request, kind);
  if (!range) return BadRequest(range.error().message);
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  const ChosenRun chosen = RunOfSets(around, *job, request);
  if (chosen.refusal) return *chosen.refusal;
  const CompletedRun& run = *chosen.run;
  const ResultTable table = DescribeResult(*run.result);
  if (table.lists.empty() || !table.lists.front().is_of_sets) {
    return NotFound(fmt::format("the results of job '{}' (kernel {}) are not sets of vertices",
                                name, run.result->kernel));
  }
  const ResultList& list = table.lists.front();
  const std::optional<VertexId> vertex =
      FindInView(run.advance->view, asked.value().key, around.keys);
  if (!vertex) return NotInTheResult(asked.value(), list, run);
  const VertexId set = asked.value().is_name ? *vertex : run.whole->groups[*vertex];
  const MembersPage page = PageOfMembers(VerticesOf(run), run.whole->groups, set,
                                         range.value().after, range.value().limit, around.keys);
  if (page.size == 0) return NotInTheResult(asked.value(), list, run);
  HttpResponse answer =
      choice.format == ListFormat::kJson
          ? HttpResponse{.body = MembersText(list, run, set, page, around.keys), .tagged = true}
          : MemberRows(run, page, around.keys, choice.format);
  answer.varies = true;
  if (!page.members.empty() && page.members.size() < page.following) {
    LinkNext(answer, request, "after", TextOfKey(around.keys.KeyOf(page.members.back())));
  }
  return answer;
}

}  // namespace

void AddMemberRoutes(const ApiSurroundings& around, RouteTable& routes) {
  const auto members = [around](const HttpRequest& request) { return Members(around, request); };
  routes
      .Add("GET /api/v1/jobs/{job}/members/{key}", WithPast({"limit", "after", "format"}), members)
      .lane = WorkLane::kLarge;
  routes
      .Add("GET /api/v1/jobs/{job}/members", WithPast({"key", "set", "limit", "after", "format"}),
           members)
      .lane = WorkLane::kLarge;
}

}  // namespace sash
