// The route of the edges that entered a window in a span of time, with the time of their slice.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/entered_span.h"
#include "daemon/http/json_response.h"
#include "daemon/http/list_format.h"
#include "daemon/http/live_answer.h"
#include "daemon/http/page.h"
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
EnteredPage PageOfEntered(const SliceArchive::Slices& slices, EdgeIdentity identity, Page page) {
  EnteredPage found;
  for (const auto& slice : slices) found.available += slice->edges();
  const std::size_t last = page.end(found.available);
  std::size_t place = 0;
  for (const auto& archived : slices) {
    const std::size_t next = place + archived->edges();
    if (next > page.offset && place < last) {
      const auto slice = archived->UnpackEntered(identity);
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

std::string EnteredText(const ApiSurroundings& around, const WindowStatus& window,
                        const EnteredSpan& entered, const EnteredPage& found) {
  JsonText json;
  json.BeginObject().Key("window").Text(window.spec.name);
  if (entered.live) WriteAboutLive(around.engine, window.spec, *entered.live, json);
  json.Key("from").Text(TimeText(entered.span.from));
  json.Key("to").Text(TimeText(entered.span.to)).Key("edges").Unsigned(found.available);
  json.Key("rows").BeginArray();
  for (const EnteredEdge& edge : found.rows) WriteEntered(edge, around.keys, json);
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

HttpResponse AnswerOf(const ApiSurroundings& around, const WindowStatus& window,
                      const EnteredSpan& entered, const EnteredPage& found, ListFormat format) {
  const bool is_live = entered.live != nullptr;
  if (format == ListFormat::kJson) {
    return {.body = EnteredText(around, window, entered, found), .tagged = !is_live};
  }
  HttpResponse rows = EnteredRows(found, around.keys, format);
  if (is_live) rows.headers.emplace_back("Sash-Final", "false");
  return rows;
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
  const ChosenSpan chosen = EnteredSpanOf(around.engine, *window, request);
  if (chosen.refusal) return *chosen.refusal;
  const EnteredSpan& entered = chosen.entered;
  const EnteredPage found = PageOfEntered(entered.slices, window->spec.identity, page.value());
  HttpResponse response = AnswerOf(around, *window, entered, found, choice.format);
  response.varies = true;
  if (page.value().has_next(found.available)) {
    HttpRequest same = request;  // the newest window may move meanwhile
    same.query["from"] = TimeText(entered.span.from);
    same.query["to"] = TimeText(entered.span.to);
    LinkNext(response, same, "offset", page.value().end(found.available));
  }
  return response;
}

}  // namespace

void AddEnteredRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes
      .Add("GET /api/v1/windows/{window}/edges",
           WithView({"from", "to", "limit", "offset", "format"}),
           [around](const HttpRequest& request) { return Entered(around, request); })
      .lane = WorkLane::kLarge;
}

}  // namespace sash
