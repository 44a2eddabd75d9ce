// Routes of history: which earlier windows can be read, and what changed between two windows.
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/list_format.h"
#include "daemon/http/page.h"
#include "daemon/http/past_window.h"
#include "daemon/http/query_values.h"
#include "daemon/http/row_list.h"
#include "windows/kernels/edge_difference.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

constexpr PageLimits kSnapshots = {100, 10'000};
constexpr NumberRange kChangedPairs = {0, 10'000};
constexpr std::uint64_t kUsualPairs = 100;
const std::vector<std::string> kSnapshotColumns = {"snapshot", "window_start", "window_end",
                                                   "edges",    "vertices",     "empty"};

Json SnapshotJson(const Provenance& about) {
  return {{"snapshot", about.snapshot.value},
          {"window_start", TimeText(about.window_start)},
          {"window_end", TimeText(about.window_end)},
          {"edges", about.edges},
          {"vertices", about.vertices},
          {"empty", about.empty}};
}

// Newest first.
std::vector<Provenance> Readable(const WindowStatus& window) {
  std::vector<Provenance> readable;
  const std::optional<Provenance> newest = NewestPublished(window);
  if (!newest) return readable;
  readable.push_back(*newest);
  if (window.history == nullptr) return readable;
  const std::vector<WindowHistory::Past> listed = window.history->List();
  for (auto past = listed.rbegin(); past != listed.rend(); ++past) {
    if (past->provenance.snapshot.value < readable.front().snapshot.value) {
      readable.push_back(past->provenance);
    }
  }
  return readable;
}

HttpResponse Snapshots(const WindowEngine& engine, const HttpRequest& request) {
  const std::string& name = request.captured.at("window");
  const auto window = engine.Find(name);
  if (!window) return NoWindow(engine, name);
  const std::vector<Provenance> readable = Readable(*window);
  const auto row = [&](std::size_t i) { return SnapshotJson(readable[i]); };
  return ListedPage(request, kSnapshots, readable.size(), row, kSnapshotColumns);
}

EdgeDifferenceResult Difference(const Advance& before, const Advance& after, std::size_t listed,
                                const VertexDictionary& keys) {
  return VisitView(before.view, [&](const auto& then) {
    return VisitView(after.view, [&](const auto& now) {
      return EdgeDifference(then, now, {.listed = listed, .threads = 1},
                            [&](VertexId a, VertexId b) { return keys.KeyLess(a, b); });
    });
  });
}

void WritePairs(const PairChanges& changes, const VertexDictionary& keys, JsonText& json) {
  json.BeginObject().Key("pairs").Unsigned(changes.count).Key("rows").BeginArray();
  for (const VertexPair& pair : changes.first) {
    json.BeginObject().Key("source").KeyValue(keys.KeyOf(pair.source));
    json.Key("target").KeyValue(keys.KeyOf(pair.target)).EndObject();
  }
  json.EndArray().EndObject();
}

std::string ChangesText(const Advance& before, const Advance& after,
                        const EdgeDifferenceResult& found, const VertexDictionary& keys) {
  const Provenance& about = after.provenance;
  JsonText json;
  json.BeginObject().Key("window").Text(about.window).Key("since").BeginObject();
  json.Key("snapshot").Unsigned(before.provenance.snapshot.value);
  json.Key("window_end").Text(TimeText(before.provenance.window_end)).EndObject();
  json.Key("snapshot").Unsigned(about.snapshot.value);
  json.Key("window_end").Text(TimeText(about.window_end)).Key("appeared");
  WritePairs(found.appeared, keys, json);
  WritePairs(found.vanished, keys, json.Key("vanished"));
  const bool is_whole = found.appeared.first.size() == found.appeared.count &&
                        found.vanished.first.size() == found.vanished.count;
  json.Key("truncated").Bool(!is_whole).EndObject();
  return std::move(json).Take() + "\n";
}

// The pairs that appeared, then those that vanished.
HttpResponse ChangeRows(const Advance& after, const EdgeDifferenceResult& found,
                        const VertexDictionary& keys, ListFormat format) {
  const std::size_t appeared = found.appeared.first.size();
  const RowList rows{.columns = {"change", "source", "target"},
                     .rows = appeared + found.vanished.first.size(),
                     .write = [&](std::size_t i, JsonText& to) {
                       const VertexPair& pair = i < appeared ? found.appeared.first[i]
                                                             : found.vanished.first[i - appeared];
                       to.BeginObject().Key("change").Text(i < appeared ? "appeared" : "vanished");
                       to.Key("source").KeyValue(keys.KeyOf(pair.source));
                       to.Key("target").KeyValue(keys.KeyOf(pair.target)).EndObject();
                     }};
  const std::uint64_t available = found.appeared.count + found.vanished.count;
  HttpResponse answer =
      WholeRows(rows, {.available = available, .truncated = rows.rows < available}, format);
  answer.headers.emplace_back("Sash-Snapshot", std::to_string(after.provenance.snapshot.value));
  return answer;
}

HttpResponse Changes(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("window");
  const auto window = around.engine.Find(name);
  if (!window) return NoWindow(around.engine, name);
  const auto since = NumberValue(request, "since", {1, std::numeric_limits<std::uint64_t>::max()});
  if (!since) return BadRequest(since.error().message);
  if (!since.value()) return BadRequest("since: give the number of the earlier window");
  const auto limit = NumberValue(request, "limit", kChangedPairs);
  if (!limit) return BadRequest(limit.error().message);
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  const ChosenWindow outline = DescribeWindowOf(*window, request);
  if (outline.refusal) return *outline.refusal;
  const SnapshotId last = outline.advance->provenance.snapshot;
  const std::optional<Provenance> newest = NewestPublished(*window);
  if (*since.value() > last.value && newest && *since.value() <= newest->snapshot.value) {
    return BadRequest(fmt::format("since: snapshot {} is later than {}, with which it is compared",
                                  *since.value(), last.value));
  }
  const ChosenWindow before = ReadSnapshotOf(around.engine, *window, SnapshotId{*since.value()});
  if (before.refusal) return *before.refusal;
  const ChosenWindow after = ReadSnapshotOf(around.engine, *window, last);
  if (after.refusal) return *after.refusal;
  const EdgeDifferenceResult found =
      Difference(*before.advance, *after.advance, limit.value().value_or(kUsualPairs), around.keys);
  HttpResponse response =
      choice.format == ListFormat::kJson
          ? HttpResponse{.body = ChangesText(*before.advance, *after.advance, found, around.keys),
                         .tagged = true}
          : ChangeRows(*after.advance, found, around.keys, choice.format);
  response.varies = true;
  return response;
}

}  // namespace

void AddHistoryRoutes(const ApiSurroundings& around, RouteTable& routes) {
  const WindowEngine* engine = &around.engine;
  routes.Add("GET /api/v1/windows/{window}/snapshots",
             std::vector<std::string>{"limit", "offset", "format"},
             [engine](const HttpRequest& request) { return Snapshots(*engine, request); });
  routes
      .Add("GET /api/v1/windows/{window}/changes", WithPast({"since", "limit", "format"}),
           [around](const HttpRequest& request) { return Changes(around, request); })
      .lane = WorkLane::kLarge;
}

}  // namespace sash
