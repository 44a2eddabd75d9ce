// The route of the edges that entered a window in a span of time, with the time of their slice.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/time_text.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/list_format.h"
#include "daemon/http/page.h"
#include "daemon/http/past_window.h"
#include "daemon/http/row_list.h"

namespace sash {
namespace {

constexpr PageLimits kEnteredEdges = {100, 10'000};

struct EnteredEdge {
  Position begin = 0;  // of its slice
  Position end = 0;
  Neighbor target{};
  VertexId source = 0;
};

struct EnteredPage {
  std::size_t available = 0;  // edges that entered
  std::vector<EnteredEdge> rows;
};

// Unpacks only the slices of the page.
EnteredPage PageOfEntered(const SliceArchive::Slices& slices, Page page) {
  EnteredPage found;
  for (const auto& slice : slices) found.available += slice->edges();
  const std::size_t last = page.end(found.available);
  std::size_t place = 0;
  for (const auto& archived : slices) {
    const std::size_t next = place + archived->edges();
    if (next > page.offset && place < last) {
      const auto slice = archived->Unpack();
      std::size_t edge = place;
      for (std::size_t i = 0; i < slice->size() && edge < last; ++i) {
        if (slice->operation(i) != Operation::kAdd) continue;
        if (edge++ < page.offset) continue;
        const TypeNumber type = slice->types.empty() ? kNoType : slice->types[i];
        found.rows.push_back({.begin = archived->begin(),
                              .end = archived->end(),
                              .target = {slice->targets[i], type, slice->weights[i]},
                              .source = slice->sources[i]});
      }
    }
    place = next;
  }
  return found;
}

void WriteEntered(const EnteredEdge& edge, const VertexDictionary& keys, JsonText& json) {
  json.BeginObject().Key("slice_start").Text(TimeText(EventTime(Duration(edge.begin))));
  json.Key("slice_end").Text(TimeText(EventTime(Duration(edge.end))));
  json.Key("source").KeyValue(keys.KeyOf(edge.source));
  json.Key("target").KeyValue(keys.KeyOf(edge.target.vertex));
  json.Key("weight").WeightValue(edge.target.weight);
  if (edge.target.type != kNoType) json.Key("type").Text(keys.types().WordOf(edge.target.type));
  json.EndObject();
}

struct TimeSpan {
  EventTime from{};
  EventTime to{};
};

Result<EventTime> TimeOr(const HttpRequest& request, const std::string& name, EventTime usual) {
  const auto given = request.query.find(name);
  if (given == request.query.end()) return usual;
  Result<EventTime> time = ParseRfc3339(given->second);
  if (time) return time;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{}: `{}` {}", name, given->second, time.error().message)};
}

Result<TimeSpan> RequestedSpan(const HttpRequest& request, const Provenance& newest) {
  const Result<EventTime> from = TimeOr(request, "from", newest.window_start);
  if (!from) return from.error();
  const Result<EventTime> to = TimeOr(request, "to", newest.window_end);
  if (!to) return to.error();
  if (to.value() <= from.value()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("from: {} is not before to ({})", TimeText(from.value()),
                             TimeText(to.value()))};
  }
  return TimeSpan{from.value(), std::max(from.value(), std::min(to.value(), newest.window_end))};
}

std::string EnteredText(const std::string& window, const TimeSpan& span, const EnteredPage& found,
                        const VertexDictionary& keys) {
  JsonText json;
  json.BeginObject().Key("window").Text(window).Key("from").Text(TimeText(span.from));
  json.Key("to").Text(TimeText(span.to)).Key("edges").Unsigned(found.available);
  json.Key("rows").BeginArray();
  for (const EnteredEdge& edge : found.rows) WriteEntered(edge, keys, json);
  json.EndArray().Key("truncated").Bool(found.rows.size() < found.available);
  json.ExplainLost().EndObject();
  return std::move(json).Take() + "\n";
}

HttpResponse EnteredRows(const EnteredPage& found, const VertexDictionary& keys,
                         ListFormat format) {
  const RowList rows{
      .columns = {"slice_start", "slice_end", "source", "target", "weight", "type"},
      .rows = found.rows.size(),
      .write = [&](std::size_t i, JsonText& to) { WriteEntered(found.rows[i], keys, to); }};
  return WholeRows(rows, {.available = found.available, .truncated = rows.rows < found.available},
                   format);
}

// Why the edges of this span cannot be listed.
std::optional<HttpResponse> WhyUnlisted(const WindowStatus& window, const TimeSpan& span) {
  const auto oldest = window.history ? window.history->Oldest() : std::nullopt;
  if (oldest && span.from >= oldest->provenance.window_start) return std::nullopt;
  return GoneWindow(window, fmt::format("the edges since {}", TimeText(span.from)));
}

HttpResponse Entered(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("window");
  const auto window = around.engine.Find(name);
  if (!window) return NoWindow(around.engine, name);
  const Result<Page> page = RequestedPage(request, kEnteredEdges);
  if (!page) return BadRequest(page.error().message);
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  if (window->spec.by == WindowAxis::kEvents) {
    return BadRequest(
        fmt::format("window '{}' is `by: events`, so its slices are not spans of time", name));
  }
  if (window->newest == nullptr) {
    return NotFound(fmt::format("window '{}' has not advanced yet", name));
  }
  const Result<TimeSpan> span = RequestedSpan(request, window->newest->provenance);
  if (!span) return BadRequest(span.error().message);
  if (auto refusal = WhyUnlisted(*window, span.value())) return *refusal;
  const WindowEngine::EnteredSlices entered =
      around.engine.Entered(*window, span.value().from.time_since_epoch().count(),
                            span.value().to.time_since_epoch().count());
  const EnteredPage found = PageOfEntered(entered.slices, page.value());
  HttpResponse response =
      choice.format == ListFormat::kJson
          ? HttpResponse{.body = EnteredText(name, span.value(), found, around.keys),
                         .tagged = true}
          : EnteredRows(found, around.keys, choice.format);
  response.varies = true;
  if (page.value().has_next(found.available)) {
    HttpRequest same = request;  // the newest window may move meanwhile
    same.query["from"] = TimeText(span.value().from);
    same.query["to"] = TimeText(span.value().to);
    LinkNext(response, same, "offset", page.value().end(found.available));
  }
  return response;
}

}  // namespace

void AddEnteredRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes
      .Add("GET /api/v1/windows/{window}/edges",
           std::vector<std::string>{"from", "to", "limit", "offset", "format"},
           [around](const HttpRequest& request) { return Entered(around, request); })
      .lane = WorkLane::kLarge;
}

}  // namespace sash
