// Routes of the neighbours of a vertex in a window.
#include <fmt/format.h>

#include <algorithm>
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
#include "daemon/http/page.h"
#include "daemon/http/past_window.h"
#include "daemon/http/row_list.h"

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
std::optional<NeighbourPages> PagesOf(const Advance& advance, VertexId vertex, Page page,
                                      const VertexDictionary& keys) {
  return VisitView(advance.view, [&](const auto& graph) -> std::optional<NeighbourPages> {
    if (vertex >= graph.id_limit()) return std::nullopt;
    const std::size_t out = graph.out_degree(vertex);
    const std::size_t in = graph.in_degree(vertex);
    if (out + in == 0) return std::nullopt;
    return NeighbourPages{.out = out,
                          .in = in,
                          .out_page = PageOf(graph.weighted_out(vertex), out, page, keys),
                          .in_page = PageOf(graph.weighted_in(vertex), in, page, keys)};
  });
}

std::string NeighboursText(const NeighbourPages& pages, VertexId vertex, SnapshotId snapshot,
                           const VertexDictionary& keys) {
  JsonText json;
  json.BeginObject().Key("vertex").KeyValue(keys.KeyOf(vertex));
  json.Key("out_degree").Unsigned(pages.out).Key("in_degree").Unsigned(pages.in);
  WriteNeighbours("out", pages.out_page, keys, json);
  WriteNeighbours("in", pages.in_page, keys, json);
  json.Key("snapshot").Unsigned(snapshot.value);
  if (pages.truncated()) {
    json.Key("truncated").Bool(true).Key("rows").BeginObject();
    json.Key("out").Unsigned(pages.out).Key("in").Unsigned(pages.in).EndObject();
  }
  json.ExplainLost().EndObject();
  return std::move(json).Take() + "\n";
}

// The out-neighbours, then the in-neighbours.
HttpResponse NeighbourRows(const NeighbourPages& pages, SnapshotId snapshot,
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
  RowHeaders about{.available = pages.out + pages.in, .truncated = pages.truncated()};
  const std::uint64_t lost = RowsWithin(rows, JsonPieces::kUnlimited).lost_numbers;
  if (lost > 0) about.error = LostNumbersText(lost);
  HttpResponse answer = WholeRows(rows, format);
  AddRowHeaders(about, answer);
  answer.headers.emplace_back("Sash-Snapshot", std::to_string(snapshot.value));
  return answer;
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
  const ChosenWindow chosen = ReadWindowOf(around.engine, *window, request);
  if (chosen.refusal) return *chosen.refusal;
  const AdvancePtr& advance = chosen.advance;
  const std::optional<VertexId> vertex = around.keys.Find(key.value());
  std::optional<NeighbourPages> pages;
  if (vertex) pages = PagesOf(*advance, *vertex, page.value(), around.keys);
  if (!pages) {
    return NotFound(
        fmt::format("vertex {} is not in window '{}'", KeyAsJson(key.value()).dump(), name));
  }
  const SnapshotId snapshot = advance->provenance.snapshot;
  HttpResponse response =
      choice.format == ListFormat::kJson
          ? HttpResponse{.body = NeighboursText(*pages, *vertex, snapshot, around.keys),
                         .tagged = true}
          : NeighbourRows(*pages, snapshot, around.keys, choice.format);
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
      .Add("GET /api/v1/windows/{window}/vertices/{key}", WithPast({"limit", "offset", "format"}),
           vertex)
      .large_with = PastParameters();
  routes
      .Add("GET /api/v1/windows/{window}/vertices", WithPast({"key", "limit", "offset", "format"}),
           vertex)
      .large_with = PastParameters();
}

}  // namespace sash
