// The route of neighbourhoods: the window of a job's newest result, around the vertices that the
// result lists first.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/drawn_pictures.h"
#include "daemon/http/json_response.h"
#include "daemon/http/neighbourhood.h"
#include "daemon/http/query_values.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kUsualTop = 12;
constexpr std::uint64_t kMostTop = 50;
constexpr std::uint64_t kUsualNeighbours = 6;
constexpr std::uint64_t kMostNeighbours = 50;

// The keys that a result lists, in order; nothing if the result is not one ordered list of
// vertices.
std::optional<std::vector<VertexKey>> ListedKeys(const RunResult& result) {
  const ResultTable table = DescribeResult(result);
  if (!table.parts.empty() || table.lists.size() != 1) return std::nullopt;
  return std::visit(
      []<typename Row>(const std::vector<Row>* rows) -> std::optional<std::vector<VertexKey>> {
        if constexpr (!kIsOfVertex<Row>) {
          return std::nullopt;
        } else {
          std::vector<VertexKey> keys;
          for (const Row& row : *rows) keys.push_back(row.key);
          return keys;
        }
      },
      table.lists.front().rows);
}

// The words of types, in the order of their bytes.
std::vector<std::string> WordsOf(const std::vector<TypeNumber>& types, const TypeTable& table) {
  std::vector<std::string> words;
  for (const TypeNumber type : types) words.emplace_back(table.WordOf(type));
  std::ranges::sort(words);
  return words;
}

Json PictureJson(const CompletedRun& run, const Neighbourhood& picture,
                 const VertexDictionary& keys) {
  Json vertices = Json::array();
  for (std::size_t i = 0; i < picture.vertices.size(); ++i) {
    const Neighbourhood::Vertex& each = picture.vertices[i];
    vertices.push_back({{"vertex", KeyAsJson(keys.KeyOf(each.vertex))},
                        {"place", i < picture.asked ? Json(i + 1) : Json()},
                        {"out_degree", each.out_degree},
                        {"in_degree", each.in_degree}});
  }
  Json edges = Json::array();
  LostWeights lost;
  for (const Neighbourhood::Edge& each : picture.edges) {
    edges.push_back({{"source", KeyAsJson(keys.KeyOf(each.source))},
                     {"target", KeyAsJson(keys.KeyOf(each.target))},
                     {"edges", each.copies},
                     {"weight", WeightAsJson(lost.Seen(each.weight))}});
    if (!each.types.empty()) edges.back()["types"] = WordsOf(each.types, keys.types());
  }
  const Provenance& about = run.result->provenance;
  Json json = {{"job", run.result->job},           {"window", about.window},
               {"snapshot", about.snapshot.value}, {"window_end", TimeText(about.window_end)},
               {"whole", picture.whole},           {"vertices", std::move(vertices)},
               {"edges", std::move(edges)}};
  if (!about.is_final()) json["final"] = false;
  lost.Explain(json);
  return json;
}

HttpResponse Around(const ApiSurroundings& around, DrawnPictures& drawn,
                    const HttpRequest& request) {
  const std::string& name = request.captured.at("job");
  const auto top = NumberValue(request, "top", {1, kMostTop});
  if (!top) return BadRequest(top.error().message);
  const auto neighbours = NumberValue(request, "neighbours", {0, kMostNeighbours});
  if (!neighbours) return BadRequest(neighbours.error().message);
  const std::optional<CompletedRun> run = around.history.Latest(name);
  if (!run) return NotFound(fmt::format("there is no job '{}', or it has no result yet", name));
  const DrawnPictures::Extent extent{top.value().value_or(kUsualTop),
                                     neighbours.value().value_or(kUsualNeighbours)};
  if (auto json = drawn.Find(run->result, extent))
    return {.body = *std::move(json), .tagged = true};
  std::optional<std::vector<VertexKey>> keys = ListedKeys(*run->result);
  if (!keys) {
    return NotFound(fmt::format("job '{}' (kernel {}) lists no vertices in one order", name,
                                run->result->kernel));
  }
  keys->resize(std::min<std::size_t>(keys->size(), extent.top));
  std::vector<VertexId> first;
  for (const VertexKey& key : *keys) {
    if (const std::optional<VertexId> vertex = around.keys.Find(key)) first.push_back(*vertex);
  }
  const Neighbourhood picture =
      Neighbourhood::Of(run->advance->view, first, extent.neighbours, around.keys);
  std::string json = SerializedJson(PictureJson(*run, picture, around.keys)) + "\n";
  drawn.Keep(run->result, extent, json);
  return {.body = std::move(json), .tagged = true};
}

}  // namespace

void AddNeighbourhoodRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes
      .Add("GET /api/v1/jobs/{job}/neighbourhood", std::vector<std::string>{"top", "neighbours"},
           [around, drawn = std::make_shared<DrawnPictures>()](const HttpRequest& request) {
             return Around(around, *drawn, request);
           })
      .lane = WorkLane::kLarge;
}

}  // namespace sash
