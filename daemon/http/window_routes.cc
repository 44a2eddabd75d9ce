// Routes of windows: their state, and the neighbours of a vertex in them.
#include <fmt/format.h>

#include <algorithm>
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
#include "daemon/http/page.h"
#include "daemon/http/phase_json.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

constexpr PageLimits kWindows = {1'000, 1'000};
constexpr PageLimits kNeighbours = {100, 10'000};

// Before its first advance, a window is listed with nulls and zeros.
Json WindowJson(const std::string& name, const Advance* advance) {
  Json json = {{"name", name},
               {"snapshot", nullptr},
               {"window_start", nullptr},
               {"window_end", nullptr},
               {"watermark", nullptr},
               {"edges", 0},
               {"vertices", 0},
               {"slices", 0},
               {"bytes", 0},
               {"empty", true},
               {"late", 0},
               {"refused", 0},
               {"gap", false},
               {"advance_seconds", nullptr},
               {"advance_phases", nullptr}};
  if (advance == nullptr) return json;
  const Provenance& about = advance->provenance;
  json["snapshot"] = about.snapshot.value;
  json["window_start"] = TimeText(about.window_start);
  json["window_end"] = TimeText(about.window_end);
  if (about.watermark) json["watermark"] = TimeText(*about.watermark);
  json["edges"] = about.edges;
  json["vertices"] = about.vertices;
  json["slices"] = advance->slices;
  json["bytes"] = advance->bytes;
  json["empty"] = about.empty;
  json["late"] = about.late;
  json["refused"] = about.refused;
  json["gap"] = about.gap;
  json["advance_seconds"] = advance->seconds;
  json["advance_phases"] = PhasesJson<Json>(advance->phases);
  if (about.accepted) json["accepted"] = *about.accepted;
  return json;
}

Json WithFilter(const WindowEngine::WindowStatus& window) {
  Json json = WindowJson(window.spec.name, window.newest.get());
  if (!window.spec.types.empty()) json["types"] = window.spec.types;
  if (!window.spec.where.empty()) json["where"] = window.spec.where;
  return json;
}

HttpResponse Windows(const WindowEngine& engine, const HttpRequest& request) {
  const Result<Page> page = RequestedPage(request, kWindows);
  if (!page) return BadRequest(page.error().message);
  const std::vector<WindowEngine::WindowStatus> windows = engine.Windows();
  const std::size_t end = page.value().end(windows.size());
  Json json = Json::array();
  for (std::size_t i = page.value().begin(windows.size()); i < end; ++i) {
    json.push_back(WithFilter(windows[i]));
  }
  HttpResponse response = TaggedJsonResponse(json);
  if (page.value().has_next(windows.size())) LinkNext(response, request, "offset", end);
  return response;
}

HttpResponse Window(const WindowEngine& engine, const HttpRequest& request) {
  const std::string& name = request.captured.at("window");
  const auto window = engine.Find(name);
  if (!window) return NoWindow(engine, name);
  return TaggedJsonResponse(WithFilter(*window));
}

// A page of a list, sorted by key, then type, then weight. The order of the store decides which
// neighbours are on the page: sorting costs O(page), not O(list); skipping the previous pages costs
// O(offset).
std::vector<Neighbor> PageOf(const auto& list, std::size_t size, Page page,
                             const VertexDictionary& keys) {
  const std::size_t first = page.begin(size);
  const std::size_t last = page.end(size);
  std::vector<Neighbor> neighbours;
  neighbours.reserve(last - first);
  if (first == last) return neighbours;
  auto next = list.begin();
  next += static_cast<std::ptrdiff_t>(first);
  for (std::size_t i = first; i < last; ++i, ++next) neighbours.push_back(*next);
  std::ranges::sort(neighbours, [&](const Neighbor& a, const Neighbor& b) {
    if (a.vertex != b.vertex) return keys.KeyLess(a.vertex, b.vertex);
    if (a.type != b.type) return keys.types().WordOf(a.type) < keys.types().WordOf(b.type);
    return a.weight < b.weight;
  });
  return neighbours;
}

void WriteNeighbours(std::string_view name, const std::vector<Neighbor>& neighbours,
                     const VertexDictionary& keys, JsonText& json) {
  json.Key(name).BeginArray();
  for (const Neighbor& neighbour : neighbours) {
    json.BeginObject().Key("vertex").KeyValue(keys.KeyOf(neighbour.vertex));
    json.Key("weight").WeightValue(neighbour.weight);
    if (neighbour.type != kNoType) json.Key("type").Text(keys.types().WordOf(neighbour.type));
    json.EndObject();
  }
  json.EndArray();
}

struct VertexAnswerText {
  std::string json;
  std::size_t longest = 0;  // of its lists
};

// Nothing if the vertex is not in the window.
std::optional<VertexAnswerText> VertexText(const Advance& advance, VertexId vertex, Page page,
                                           const VertexDictionary& keys) {
  return VisitView(advance.view, [&](const auto& graph) -> std::optional<VertexAnswerText> {
    if (vertex >= graph.id_limit()) return std::nullopt;
    const std::size_t out = graph.out_degree(vertex);
    const std::size_t in = graph.in_degree(vertex);
    if (out + in == 0) return std::nullopt;
    const auto out_page = PageOf(graph.weighted_out(vertex), out, page, keys);
    const auto in_page = PageOf(graph.weighted_in(vertex), in, page, keys);
    JsonText json;
    json.BeginObject().Key("vertex").KeyValue(keys.KeyOf(vertex));
    json.Key("out_degree").Unsigned(out).Key("in_degree").Unsigned(in);
    WriteNeighbours("out", out_page, keys, json);
    WriteNeighbours("in", in_page, keys, json);
    json.Key("snapshot").Unsigned(advance.provenance.snapshot.value);
    if (out_page.size() < out || in_page.size() < in) {
      json.Key("truncated").Bool(true).Key("rows").BeginObject();
      json.Key("out").Unsigned(out).Key("in").Unsigned(in).EndObject();
    }
    json.ExplainLost().EndObject();
    return VertexAnswerText{std::move(json).Take() + "\n", std::max(out, in)};
  });
}

HttpResponse VertexInWindow(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("window");
  // Get the advance first: then every vertex in its view is already in the dictionary.
  const auto window = around.engine.Find(name);
  if (!window) return NoWindow(around.engine, name);
  const AdvancePtr& advance = window->newest;
  const Result<VertexKey> key = RequestedKey(request, around.keys.kind());
  if (!key) return BadRequest(key.error().message);
  const Result<Page> page = RequestedPage(request, kNeighbours);
  if (!page) return BadRequest(page.error().message);
  if (advance == nullptr) {
    return NotFound(fmt::format("window '{}' has not advanced yet", name));
  }
  const std::optional<VertexId> vertex = around.keys.Find(key.value());
  std::optional<VertexAnswerText> text;
  if (vertex) text = VertexText(*advance, *vertex, page.value(), around.keys);
  if (!text) {
    return NotFound(
        fmt::format("vertex {} is not in window '{}'", KeyAsJson(key.value()).dump(), name));
  }
  HttpResponse response{.body = std::move(text->json), .tagged = true};
  if (page.value().has_next(text->longest)) {
    LinkNext(response, request, "offset", page.value().end(text->longest));
  }
  return response;
}

}  // namespace

HttpResponse NoWindow(const WindowEngine& engine, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& window : engine.Windows()) names.push_back(window.spec.name);
  return NotFound(fmt::format("no window '{}'; there are: {}", name, fmt::join(names, ", ")));
}

std::string AdvanceText(const Advance& advance) {
  return WindowText(advance.provenance.window, &advance);
}

std::string WindowText(const std::string& name, const Advance* advance) {
  return SerializedJson(WindowJson(name, advance));
}

void AddWindowRoutes(const ApiSurroundings& around, RouteTable& routes) {
  const std::vector<std::string> none;
  const WindowEngine* engine = &around.engine;
  routes.Add("GET /api/v1/windows", std::vector<std::string>{"limit", "offset"},
             [engine](const HttpRequest& request) { return Windows(*engine, request); });
  routes.Add("GET /api/v1/windows/{window}", none,
             [engine](const HttpRequest& request) { return Window(*engine, request); });
  const auto vertex = [around](const HttpRequest& request) {
    return VertexInWindow(around, request);
  };
  routes.Add("GET /api/v1/windows/{window}/vertices/{key}",
             std::vector<std::string>{"limit", "offset"}, vertex);
  routes.Add("GET /api/v1/windows/{window}/vertices",
             std::vector<std::string>{"key", "limit", "offset"}, vertex);
}

}  // namespace sash
