// Routes of the values that a vertex had in the kept results of a job.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/list_format.h"
#include "daemon/http/page.h"
#include "daemon/http/query_values.h"
#include "daemon/http/row_list.h"
#include "daemon/http/view_vertex.h"
#include "windows/jobs/kinds/kinds.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

constexpr NumberRange kResultsOfVertex = {0, 1'000};
constexpr std::uint64_t kUsualResultsOfVertex = 100;

// A vertex that a window has now.
struct LivingVertex {
  VertexId id = 0;
  AdvancePtr advance;  // of a window that has it
};

std::optional<LivingVertex> FindInWindows(const ApiSurroundings& around, const VertexKey& key) {
  for (const WindowStatus& window : around.engine.Windows()) {
    if (window.newest == nullptr) continue;
    const auto id = FindInView(window.newest->view, key, around.keys);
    if (id) return LivingVertex{*id, window.newest};
  }
  return std::nullopt;
}

// What a result says about the vertex.
struct VertexMoment {
  using Value = std::variant<std::monostate, double, std::int64_t, std::uint64_t, Weight>;

  const RunResult* result = nullptr;
  bool is_known = true;  // false: the result's list lacks the vertex, and it has no vector
  Value value{};
  std::optional<std::uint64_t> rank{};
};

struct ListedValue {
  VertexMoment::Value operator()(const RankedVertex& row) const { return row.score; }
  VertexMoment::Value operator()(const RatedVertex& row) const { return row.score; }
  VertexMoment::Value operator()(const DistantVertex& row) const { return row.distance; }
  VertexMoment::Value operator()(const ReachedVertex& row) const {
    return static_cast<std::int64_t>(row.depth);
  }
  VertexMoment::Value operator()(const CountedVertex& row) const { return row.count; }
  VertexMoment::Value operator()(const WeighedVertex& row) const { return row.weight; }
};

// False if the list lacks the vertex.
bool TakeFromList(const ResultList& list, const VertexKey& key, VertexMoment& moment) {
  if (list.is_of_sets) return false;  // its keys name sets
  return std::visit(
      [&]<typename Row>(const std::vector<Row>* rows) {
        if constexpr (kIsOfVertex<Row>) {
          const auto row = std::ranges::find(*rows, key, &Row::key);
          if (row == rows->end()) return false;
          moment.value = ListedValue()(*row);
          moment.rank = row->rank;
          return true;
        } else {
          return false;
        }
      },
      list.rows);
}

void TakeFromVector(const ApiSurroundings& around, const KeptVector& vector,
                    const std::optional<LivingVertex>& vertex, VertexMoment& moment) {
  // An id that has been given to another vertex since says nothing about this one.
  if (!vertex || around.engine.BornAfter(vector.epoch, vertex->id, *vertex->advance->ids)) return;
  const std::optional<KeptVector::Place> place = vector.Find(vertex->id);
  if (!place) return;
  moment.rank = place->rank;
  if (vector.is_whole) {
    moment.value = static_cast<std::int64_t>(place->value);
  } else {
    moment.value = place->value;
  }
}

// About the results from the newest of `kept` on.
struct VertexMoments {
  std::string_view value = "score";  // the name of the value
  std::vector<VertexMoment> rows;
  bool is_listed = false;  // in one of the lists
};

VertexMoments MomentsOf(const ApiSurroundings& around,
                        const std::vector<ResultHistory::WithVector>& kept, const VertexKey& key,
                        const std::optional<LivingVertex>& vertex) {
  VertexMoments moments;
  for (const auto& [result, vector] : kept) {
    VertexMoment& moment = moments.rows.emplace_back(VertexMoment{.result = result.get()});
    const ResultTable table = DescribeResult(*result);
    if (table.lists.empty() || !table.parts.empty()) {
      moment.is_known = false;
      continue;
    }
    moments.value = table.lists.front().value;
    if (TakeFromList(table.lists.front(), key, moment)) {
      moments.is_listed = true;
    } else if (vector != nullptr) {
      TakeFromVector(around, *vector, vertex, moment);
    } else {
      moment.is_known = false;
    }
  }
  return moments;
}

struct MomentValueText {
  JsonText& json;
  void operator()(std::monostate) const { json.Null(); }
  void operator()(double value) const { json.Number(value); }
  void operator()(std::int64_t value) const { json.Integer(value); }
  void operator()(std::uint64_t value) const { json.Unsigned(value); }
  void operator()(Weight value) const { json.WeightValue(value); }
};

void WriteMoment(std::string_view name, const VertexMoment& moment, JsonText& to) {
  const Provenance& about = moment.result->provenance;
  to.BeginObject().Key("snapshot").Unsigned(about.snapshot.value);
  to.Key("window_start").Text(TimeText(about.window_start));
  to.Key("window_end").Text(TimeText(about.window_end));
  std::visit(MomentValueText{to.Key(name)}, moment.value);
  if (moment.rank) {
    to.Key("rank").Unsigned(*moment.rank);
  } else {
    to.Key("rank").Null();
  }
  to.Key("known").Bool(moment.is_known).EndObject();
}

// The results of a live job are not final.
bool AreFinal(const VertexMoments& moments) {
  return std::ranges::all_of(moments.rows, [](const VertexMoment& moment) {
    return moment.result->provenance.is_final();
  });
}

HttpResponse MomentsAnswer(const std::string& job, const VertexKey& key,
                           const VertexMoments& moments, ListFormat format) {
  if (format != ListFormat::kJson) {
    HttpResponse answer =
        WholeRows({.columns = {"snapshot", "window_start", "window_end", std::string(moments.value),
                               "rank", "known"},
                   .rows = moments.rows.size(),
                   .write = [&](std::size_t i,
                                JsonText& to) { WriteMoment(moments.value, moments.rows[i], to); }},
                  format);
    if (!AreFinal(moments)) answer.headers.emplace_back("Sash-Final", "false");
    return answer;
  }
  JsonText json;
  json.BeginObject().Key("job").Text(job).Key("vertex").KeyValue(key);
  if (!AreFinal(moments)) json.Key("final").Bool(false);
  json.Key("results").BeginArray();
  for (const VertexMoment& moment : moments.rows) WriteMoment(moments.value, moment, json);
  json.EndArray().ExplainLost().EndObject();
  return {.body = std::move(json).Take() + "\n", .tagged = true};
}

HttpResponse VertexHistory(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  const std::optional<JobSpec> job = around.jobs.Find(name);
  if (!job) return NoJob(around.jobs, name);
  const Result<VertexKey> key = RequestedKey(request, around.keys.kind());
  if (!key) return BadRequest(key.error().message);
  const auto limit = NumberValue(request, "limit", kResultsOfVertex);
  if (!limit) return BadRequest(limit.error().message);
  const auto before = NumberValue(request, "before", {0, INT64_MAX});
  if (!before) return BadRequest(before.error().message);
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  if (!HasVectors(job->parameters)) {
    return NotFound(fmt::format("the results of job '{}' (kernel {}) are not one list of vertices",
                                name, KernelOf(job->parameters)));
  }
  if (!around.history.Latest(name)) return NoResult(name);
  const std::size_t wanted = limit.value().value_or(kUsualResultsOfVertex);
  std::optional<SnapshotId> from;
  if (before.value()) from = SnapshotId{*before.value()};
  // One more than wanted shows whether there is a next page.
  auto kept = around.history.NewestWithVectors(name, wanted + 1, from);
  const bool more = wanted > 0 && kept.size() > wanted;
  kept.resize(std::min(kept.size(), wanted));
  const std::optional<LivingVertex> vertex = FindInWindows(around, key.value());
  const VertexMoments moments = MomentsOf(around, kept, key.value(), vertex);
  if (!vertex && !moments.is_listed) {
    return NotFound(fmt::format(
        "vertex {} is neither in a window nor in the list of one of these results of job '{}'",
        KeyAsJson(key.value()).dump(), name));
  }
  HttpResponse answer = MomentsAnswer(name, key.value(), moments, choice.format);
  answer.varies = true;
  if (more) LinkNext(answer, request, "before", kept.back().result->provenance.snapshot.value);
  return answer;
}

}  // namespace

void AddVertexHistoryRoutes(const ApiSurroundings& around, RouteTable& routes) {
  const auto history = [around](const HttpRequest& request) {
    return VertexHistory(around, request);
  };
  routes
      .Add("GET /api/v1/jobs/{job}/vertices/{key}/history",
           std::vector<std::string>{"limit", "before", "format"}, history)
      .lane = WorkLane::kLarge;
  routes
      .Add("GET /api/v1/jobs/{job}/history",
           std::vector<std::string>{"key", "limit", "before", "format"}, history)
      .lane = WorkLane::kLarge;
}

}  // namespace sash
