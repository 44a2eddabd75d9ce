// Routes of the neighbours of a vertex in a window.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/list_format.h"
#include "daemon/http/live_answer.h"
#include "daemon/http/page.h"
#include "daemon/http/past_window.h"
#include "daemon/http/row_list.h"
#include "windows/store/live_view.h"

namespace sash {
namespace {

constexpr PageLimits kNeighbours = {100, 10'000};

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

void WriteNeighbour(const Neighbor& neighbour, const VertexDictionary& keys, JsonText& json) {
  json.Key("vertex").KeyValue(keys.KeyOf(neighbour.vertex));
  json.Key("weight").WeightValue(neighbour.weight);
  if (neighbour.type != kNoType) json.Key("type").Text(keys.types().WordOf(neighbour.type));
}

void WriteNeighbours(std::string_view name, const std::vector<Neighbor>& neighbours,
                     const VertexDictionary& keys, JsonText& json) {
  json.Key(name).BeginArray();
  for (const Neighbor& neighbour : neighbours) {
    WriteNeighbour(neighbour, keys, json.BeginObject());
    json.EndObject();
  }
  json.EndArray();
}

// The neighbours of a vertex in a page, and how many there are.
struct NeighbourPages {
  std::size_t out = 0;
  std::size_t in = 0;
  std::vector<Neighbor> out_page;
  std::vector<Neighbor> in_page;

  std::size_t longest() const { return std::max(out, in); }
  bool truncated() const { return out_page.size() < out || in_page.size() < in; }
};

// Nothing if the vertex is not in the window.
std::optional<NeighbourPages> PagesIn(const auto& graph, VertexId vertex, Page page,
                                      const VertexDictionary& keys) {
  if (vertex >= graph.id_limit()) return std::nullopt;
  const std::size_t out = graph.out_degree(vertex);
  const std::size_t in = graph.in_degree(vertex);
  if (out + in == 0) return std::nullopt;
  return NeighbourPages{.out = out,
                        .in = in,
                        .out_page = PageOf(graph.weighted_out(vertex), out, page, keys),
                        .in_page = PageOf(graph.weighted_in(vertex), in, page, keys)};
}

// What an answer says about its window.
struct ShownWindow {
  std::optional<SnapshotId> snapshot{};  // that it shows, or rests on
  bool is_final = true;
  std::function<void(JsonText&)> write{};  // its members
};

std::string NeighboursText(const NeighbourPages& pages, const VertexKey& vertex,
                           const ShownWindow& shown, const VertexDictionary& keys) {
  JsonText json;
  json.BeginObject().Key("vertex").KeyValue(vertex);
  json.Key("out_degree").Unsigned(pages.out).Key("in_degree").Unsigned(pages.in);
  WriteNeighbours("out", pages.out_page, keys, json);
  WriteNeighbours("in", pages.in_page, keys, json);
  shown.write(json);
  if (pages.truncated()) {
    json.Key("truncated").Bool(true).Key("rows").BeginObject();
    json.Key("out").Unsigned(pages.out).Key("in").Unsigned(pages.in).EndObject();
  }
  json.ExplainLost().EndObject();
  return std::move(json).Take() + "\n";
}

// The out-neighbours, then the in-neighbours.
HttpResponse NeighbourRows(const NeighbourPages& pages, const ShownWindow& shown,
                           const VertexDictionary& keys, ListFormat format) {
  const RowList rows{.columns = {"direction", "vertex", "weight", "type"},
                     .rows = pages.out_page.size() + pages.in_page.size(),
                     .write = [&](std::size_t i, JsonText& to) {
                       const bool is_out = i < pages.out_page.size();
                       to.BeginObject().Key("direction").Text(is_out ? "out" : "in");
                       WriteNeighbour(
                           is_out ? pages.out_page[i] : pages.in_page[i - pages.out_page.size()],
                           keys, to);
                       to.EndObject();
                     }};
  HttpResponse answer =
      WholeRows(rows, {.available = pages.out + pages.in, .truncated = pages.truncated()}, format);
  if (shown.snapshot) {
    answer.headers.emplace_back("Sash-Snapshot", std::to_string(shown.snapshot->value));
  }
  if (!shown.is_final) answer.headers.emplace_back("Sash-Final", "false");
  return answer;
}

// Pages of a vertex, or why there are none.
struct FoundVertex {
  std::optional<NeighbourPages> pages{};
  ShownWindow shown{};
  std::optional<HttpResponse> refusal{};
};

FoundVertex FindLive(const ApiSurroundings& around, const WindowStatus& window,
                     const HttpRequest& request, const VertexKey& key, Page page) {
  ChosenLive chosen = LiveWindowOf(window, request);
  if (chosen.refusal) return {.refusal = std::move(chosen.refusal)};
  FoundVertex found;
  if (const auto vertex = around.keys.Find(key)) {
    found.pages = PagesIn(LiveView(chosen.live->parts), *vertex, page, around.keys);
  }
  if (chosen.live->snapshot.value > 0) found.shown.snapshot = chosen.live->snapshot;
  found.shown.is_final = false;
  found.shown.write = [&around, &window, live = chosen.live](JsonText& json) {
    WriteAboutLive(around.engine, window.spec, *live, json);
  };
  return found;
}

FoundVertex FindPublished(const ApiSurroundings& around, const WindowStatus& window,
                          const HttpRequest& request, const VertexKey& key, Page page) {
  ChosenWindow chosen = ReadWindowOf(around.engine, window, request);
  if (chosen.refusal) return {.refusal = std::move(chosen.refusal)};
  FoundVertex found;
  if (const auto vertex = around.keys.Find(key)) {
    found.pages = VisitView(chosen.advance->view, [&](const auto& graph) {
      return PagesIn(graph, *vertex, page, around.keys);
    });
  }
  const SnapshotId snapshot = chosen.advance->provenance.snapshot;
  found.shown.snapshot = snapshot;
  found.shown.write = [snapshot](JsonText& json) { json.Key("snapshot").Unsigned(snapshot.value); };
  return found;
}

HttpResponse VertexInWindow(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("window");
  // Get the advance first: then every vertex in its view is already in the dictionary.
  const auto window = around.engine.Find(name);
  if (!window) return NoWindow(around.engine, name);
  const Result<VertexKey> key = RequestedKey(request, around.keys.kind());
  if (!key) return BadRequest(key.error().message);
  const Result<Page> page = RequestedPage(request, kNeighbours);
  if (!page) return BadRequest(page.error().message);
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  const bool is_live = NamesView(request);
  const FoundVertex found =
      is_live ? FindLive(around, *window, request, key.value(), page.value())
              : FindPublished(around, *window, request, key.value(), page.value());
  if (found.refusal) return *found.refusal;
  const std::optional<NeighbourPages>& pages = found.pages;
  if (!pages) {
    return NotFound(
        fmt::format("vertex {} is not in window '{}'", KeyAsJson(key.value()).dump(), name));
  }
  HttpResponse response =
      choice.format == ListFormat::kJson
          ? HttpResponse{.body = NeighboursText(*pages, key.value(), found.shown, around.keys),
                         .tagged = !is_live}
          : NeighbourRows(*pages, found.shown, around.keys, choice.format);
  response.varies = true;
  if (page.value().has_next(pages->longest())) {
    LinkNext(response, request, "offset", page.value().end(pages->longest()));
  }
  return response;
}

}  // namespace

void AddVertexRoutes(const ApiSurroundings& around, RouteTable& routes) {
  const auto vertex = [around](const HttpRequest& request) {
    return VertexInWindow(around, request);
  };
  routes
      .Add("GET /api/v1/windows/{window}/vertices/{key}", WithView({"limit", "offset", "format"}),
           vertex)
      .large_with = ViewParameters();
  routes
      .Add("GET /api/v1/windows/{window}/vertices", WithView({"key", "limit", "offset", "format"}),
           vertex)
      .large_with = ViewParameters();
}

}  // namespace sash
