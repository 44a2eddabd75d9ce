// The route of paths: the shortest path between two vertices of a window.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
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
#include "daemon/http/live_answer.h"
#include "daemon/http/past_window.h"
#include "daemon/http/query_values.h"
#include "daemon/http/view_vertex.h"
#include "windows/jobs/path_step.h"
#include "windows/kernels/paths.h"

namespace sash {
namespace {

// An edge costs up to 100 ns and 100 bytes, if it leads to a vertex that was not seen before.
constexpr std::uint64_t kUsualEdgesMost = 1'000'000;
constexpr std::uint64_t kGreatestEdgesMost = 4'000'000;

struct PathQuestion {
  VertexKey from{};
  VertexKey to{};
  std::string by{};
  std::string direction{};
  PathsOptions options{};
};

// ?name= as one of the words, as its place; without the parameter 0, the first one.
Result<std::size_t> WordValue(const HttpRequest& request, const std::string& name,
                              const std::vector<std::string_view>& words) {
  const auto found = request.query.find(name);
  if (found == request.query.end()) return std::size_t{0};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (found->second == words[i]) return i;
  }
  return Error{ErrorCode::kInvalidArgument, fmt::format("{}: must be one of {}, got '{}'", name,
                                                        fmt::join(words, ", "), found->second)};
}

Result<VertexKey> EndOfPath(const HttpRequest& request, const std::string& name, KeyKind kind) {
  const auto found = request.query.find(name);
  if (found == request.query.end()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{0}: the vertex key is missing; give it as ?{0}=", name)};
  }
  return ParseKey(name, found->second, kind);
}

Result<PathQuestion> RequestedPath(const HttpRequest& request, KeyKind kind) {
  static const std::vector<std::string_view> kBy = {"hops", "weight"};
  static const std::vector<std::string_view> kDirections = {"out", "in", "both"};
  const Result<VertexKey> from = EndOfPath(request, "from", kind);
  if (!from) return from.error();
  const Result<VertexKey> to = EndOfPath(request, "to", kind);
  if (!to) return to.error();
  const Result<std::size_t> by = WordValue(request, "by", kBy);
  if (!by) return by.error();
  const Result<std::size_t> direction = WordValue(request, "direction", kDirections);
  if (!direction) return direction.error();
  const auto most = NumberValue(request, "most", {1, kMostPathEdges});
  if (!most) return most.error();
  const auto edges_most = NumberValue(request, "edges_most", {1, kGreatestEdgesMost});
  if (!edges_most) return edges_most.error();
  constexpr FollowedEdges kFollowed[] = {FollowedEdges::kOut, FollowedEdges::kIn,
                                         FollowedEdges::kBoth};
  return PathQuestion{from.value(),
                      to.value(),
                      std::string(kBy[by.value()]),
                      std::string(kDirections[direction.value()]),
                      {.by_weight = by.value() == 1,
                       .follow = kFollowed[direction.value()],
                       .most = static_cast<int>(most.value().value_or(kUsualPathEdges)),
                       .most_read = edges_most.value().value_or(kUsualEdgesMost)}};
}

void WriteStep(const PathStep& step, const VertexDictionary& keys, JsonText& json) {
  json.BeginObject().Key("source").KeyValue(keys.KeyOf(step.source));
  json.Key("target").KeyValue(keys.KeyOf(step.target.vertex));
  json.Key("weight").WeightValue(step.target.weight);
  if (step.target.type != kNoType) {
    json.Key("type").Text(keys.types().WordOf(step.target.type));
  }
  json.Key("edges").Unsigned(step.edges).EndObject();
}

// The members `length` to `steps`. `view`: of the window.
template <typename View>
void WritePath(const View& view, const PathsResult& result, FollowedEdges follow,
               const VertexDictionary& keys, JsonText& json) {
  std::vector<PathStep> steps;
  WeightSum weight;
  for (std::size_t i = 0; i + 1 < result.vertices.size(); ++i) {
    steps.push_back(StepOf(view, result.vertices[i], result.vertices[i + 1], follow, keys.types()));
    weight.Add(steps.back().target.weight);
  }
  if (result.vertices.empty()) {
    json.Key("length").Null().Key("weight").Null();
  } else {
    json.Key("length").Unsigned(steps.size()).Key("weight").WeightValue(weight.Total());
  }
  json.Key("paths").Unsigned(result.paths).Key("vertices").BeginArray();
  for (const VertexId v : result.vertices) json.KeyValue(keys.KeyOf(v));
  json.EndArray().Key("steps").BeginArray();
  for (const PathStep& step : steps) WriteStep(step, keys, json);
  json.EndArray();
}

// `about` writes the members about the window.
template <typename View, typename About>
std::string PathText(const std::string& window, const View& view, const About& about,
                     const PathQuestion& question, const PathsResult& result,
                     const VertexDictionary& keys) {
  JsonText json;
  json.BeginObject().Key("window").Text(window);
  about(json);
  json.Key("from").KeyValue(question.from).Key("to").KeyValue(question.to);
  json.Key("by").Text(question.by).Key("direction").Text(question.direction);
  json.Key("most").Integer(question.options.most);
  json.Key("found").Bool(!result.vertices.empty());
  WritePath(view, result, question.options.follow, keys, json);
  json.Key("edges_read").Unsigned(result.edges_read).ExplainLost().EndObject();
  return std::move(json).Take() + "\n";
}

// The path in `graph`, which is that of `view`.
template <typename Graph, typename View, typename About>
HttpResponse PathIn(const ApiSurroundings& around, const Graph& graph, const View& view,
                    const std::string& name, const About& about, const PathQuestion& question) {
  VertexId ends[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const VertexKey& key = i == 0 ? question.from : question.to;
    const std::optional<VertexId> id = FindInGraph(graph, key, around.keys);
    if (!id) {
      return NotFound(fmt::format("vertex {} is not in window '{}'", KeyAsJson(key).dump(), name));
    }
    ends[i] = *id;
  }
  const PathsOptions& options = question.options;
  const PathsResult result =
      ShortestPath(graph, ends[0], ends[1], options,
                   [&](VertexId a, VertexId b) { return around.keys.KeyLess(a, b); });
  if (result.edges_needed > 0) {
    return ErrorResponse(
        422, "too_many_edges",
        fmt::format("the search has read {} edges and would read {} with its next step, which is "
                    "more than edges_most: {}; raise edges_most (at most {}), or lower most",
                    result.edges_read, result.edges_needed, options.most_read, kGreatestEdgesMost));
  }
  if (result.negative_edges > 0) {
    return ErrorResponse(
        422, "negative_weights",
        fmt::format("{} of the edges that were read {} a negative weight; paths by weight need "
                    "weights of at least 0",
                    result.negative_edges, result.negative_edges == 1 ? "has" : "have"));
  }
  return {.body = PathText(name, view, about, question, result, around.keys)};
}

HttpResponse LivePath(const ApiSurroundings& around, const WindowStatus& window,
                      const PathQuestion& question, const HttpRequest& request) {
  const ChosenLive chosen = LiveWindowOf(window, request);
  if (chosen.refusal) return *chosen.refusal;
  const LiveView view(chosen.live->parts);
  const auto about = [&](JsonText& json) {
    WriteAboutLive(around.engine, window.spec, *chosen.live, json);
  };
  return PathIn(around, view, view, window.spec.name, about, question);
}

HttpResponse Path(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("window");
  // As for a vertex: get the advance before its keys.
  const auto window = around.engine.Find(name);
  if (!window) return NoWindow(around.engine, name);
  const Result<PathQuestion> question = RequestedPath(request, around.keys.kind());
  if (!question) return BadRequest(question.error().message);
  if (NamesView(request)) return LivePath(around, *window, question.value(), request);
  const ChosenWindow chosen = ReadWindowOf(around.engine, *window, request);
  if (chosen.refusal) return *chosen.refusal;
  const Advance& advance = *chosen.advance;
  const auto about = [&](JsonText& json) {
    json.Key("snapshot").Unsigned(advance.provenance.snapshot.value);
    json.Key("window_end").Text(TimeText(advance.provenance.window_end));
  };
  HttpResponse response = VisitView(advance.view, [&](const auto& graph) {
    return PathIn(around, graph, advance.view, name, about, question.value());
  });
  response.tagged = response.status == 200;
  return response;
}

}  // namespace

void AddPathRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes
      .Add("GET /api/v1/windows/{window}/paths",
           WithView({"from", "to", "by", "direction", "most", "edges_most"}),
           [around](const HttpRequest& request) { return Path(around, request); })
      .lane = WorkLane::kLarge;
}

}  // namespace sash
