#include "connectors/sinks/result_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/edge_listing.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "windows/jobs/groups.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/reached_rows.h"

namespace sash {
namespace {

// What the lists of a result are made of. `run` and `keys` are null when there is nothing beyond
// the result itself.
struct Supply {
  Listing listing;
  const CompletedRun* run = nullptr;
  const VertexDictionary* keys = nullptr;

  bool lists_all() const { return listing.vertices == VerticesWritten::kAll; }
  std::size_t Wanted(std::size_t held) const {
    if (lists_all()) return std::numeric_limits<std::size_t>::max();
    return listing.top.value_or(held);
  }
  // Whether more than the `held` of `available` rows is wanted and can be had.
  bool HasMore(std::size_t held, std::uint64_t available) const {
    return Wanted(held) > held && held < available && run != nullptr && run->whole != nullptr &&
           run->advance != nullptr;
  }
  std::span<const VertexId> vertices() const {
    return VisitView(run->advance->view,
                     [](const auto& graph) { return std::span<const VertexId>(graph.vertices()); });
  }
};

void WriteRow(const RankedVertex& row, JsonText& json) {
  json.BeginObject().Key("vertex").KeyValue(row.key).Key("rank").Unsigned(row.rank);
  json.Key("score").Number(row.score).EndObject();
}

void WriteRow(const ReachedVertex& row, bool parents, JsonText& json) {
  json.BeginObject().Key("vertex").KeyValue(row.key).Key("rank").Unsigned(row.rank);
  json.Key("depth").Integer(row.depth);
  if (parents) {
    json.Key("parent");
    if (row.parent) {
      json.KeyValue(*row.parent);
    } else {
      json.Null();
    }
  }
  json.EndObject();
}

void WriteRow(const CountedVertex& row, JsonText& json) {
  json.BeginObject().Key("vertex").KeyValue(row.key).Key("rank").Unsigned(row.rank);
  json.Key("score").Unsigned(row.count).EndObject();
}

void WriteRow(const DistantVertex& row, JsonText& json) {
  json.BeginObject().Key("vertex").KeyValue(row.key).Key("rank").Unsigned(row.rank);
  json.Key("distance").Number(row.distance).EndObject();
}

// `with`: what WriteRow() needs beside the row.
template <typename Row, typename... With>
void WriteTop(const std::vector<Row>& rows, std::size_t wanted, JsonText& json, With... with) {
  json.Key("top").BeginArray();
  for (const Row& row : std::span(rows).first(std::min(wanted, rows.size()))) {
    WriteRow(row, with..., json);
  }
  json.EndArray();
}

void WriteProvenance(const Provenance& from, JsonText& json) {
  json.Key("window").Text(from.window).Key("snapshot").Unsigned(from.snapshot.value);
  json.Key("window_start").Text(TimeText(from.window_start));
  json.Key("window_end").Text(TimeText(from.window_end)).Key("watermark");
  if (from.watermark) {
    json.Text(TimeText(*from.watermark));
  } else {
    json.Null();
  }
  json.Key("empty").Bool(from.empty).Key("final").Bool(true).Key("gap").Bool(from.gap);
  if (from.accepted) json.Key("accepted").Unsigned(*from.accepted);
  json.Key("edges").Unsigned(from.edges).Key("vertices").Unsigned(from.vertices);
  json.Key("late").Unsigned(from.late).Key("refused").Unsigned(from.refused);
  json.Key("offsets").BeginObject();
  const std::string* topic = nullptr;  // the map is ordered by topic, then partition
  for (const auto& [place, span] : from.offsets) {
    if (topic == nullptr || *topic != place.topic) {
      if (topic != nullptr) json.EndObject();
      topic = &place.topic;
      json.Key(place.topic).BeginObject();
    }
    json.Key(std::to_string(place.partition)).BeginArray();
    json.Integer(span.least).Integer(span.greatest).EndArray();
  }
  if (topic != nullptr) json.EndObject();
  json.EndObject();
}

std::string_view DirectionName(TraversalDirection direction) {
  constexpr std::array<std::string_view, 3> kNames = {"out", "in", "both"};
  return kNames[static_cast<std::size_t>(direction)];
}

void WriteKeys(const std::vector<VertexKey>& keys, JsonText& json) {
  json.BeginArray();
  for (const VertexKey& key : keys) json.KeyValue(key);
  json.EndArray();
}

template <typename Parameters>
void WriteWarmStart(const Parameters& parameters, JsonText& json) {
  if (!parameters.warm_start) return;
  json.Key("warm_start").Bool(true).Key("check_every").Integer(parameters.check_every);
}

void WriteParameters(const PageRankParameters& parameters, JsonText& json) {
  json.Key("damping").Number(parameters.damping).Key("tolerance").Number(parameters.tolerance);
  json.Key("max_iterations").Integer(parameters.max_iterations);
  WriteWarmStart(parameters, json);
  if (parameters.weighted) json.Key("weighted").Bool(true);
  if (!parameters.sources.empty()) WriteKeys(parameters.sources, json.Key("sources"));
}

void WriteParameters(const BfsParameters& parameters, JsonText& json) {
  WriteKeys(parameters.roots, json.Key("roots"));
  json.Key("direction").Text(DirectionName(parameters.direction));
  json.Key("separate").Bool(parameters.separate);
  if (parameters.parents) json.Key("parents").Bool(true);
  WriteWarmStart(parameters, json);
}

void WriteParameters(const SsspParameters& parameters, JsonText& json) {
  WriteKeys(parameters.roots, json.Key("roots"));
  json.Key("direction").Text(DirectionName(parameters.direction)).Key("delta");
  if (parameters.delta > 0) {
    json.Number(parameters.delta);
  } else {
    json.Text("auto");
  }
}

void WriteParameters(const CdlpParameters& parameters, JsonText& json) {
  json.Key("max_iterations").Integer(parameters.max_iterations);
}

void WriteParameters(const DegreeParameters& parameters, JsonText& json) {
  json.Key("direction").Text(DirectionName(parameters.direction));
}

void WriteParameters(const FanoutParameters& parameters, JsonText& json) {
  json.Key("direction").Text(DirectionName(parameters.direction));
}

void WriteParameters(const ShapeParameters&, JsonText&) {}
void WriteParameters(const WccParameters&, JsonText&) {}
void WriteParameters(const TrianglesParameters&, JsonText&) {}
void WriteParameters(const LccParameters&, JsonText&) {}
void WriteParameters(const KcoreParameters&, JsonText&) {}
void WriteParameters(const NewEdgesParameters&, JsonText&) {}
void WriteParameters(const VanishedEdgesParameters&, JsonText&) {}

// The rows of `top`, or those of more(wanted) where more than them are wanted and can be had.
template <typename Row, typename More, typename... With>
void WriteTopOrMore(const std::vector<Row>& top, std::uint64_t available, const Supply& supply,
                    const More& more, JsonText& json, With... with) {
  const std::size_t wanted = supply.Wanted(top.size());
  if (supply.HasMore(top.size(), available)) {
    WriteTop(more(wanted), wanted, json, with...);
  } else {
    WriteTop(top, wanted, json, with...);
  }
}

void WriteScores(const std::vector<RankedVertex>& top, std::uint64_t vertices, const Supply& supply,
                 JsonText& json) {
  const auto more = [&](std::size_t wanted) {
    return TopByScore(supply.vertices(), supply.run->whole->scores, wanted, *supply.keys);
  };
  WriteTopOrMore(top, vertices, supply, more, json);
}

void WriteOutput(const RunResult& result, const PageRankOutput& output, const Supply& supply,
                 JsonText& json) {
  if (!output.error.empty()) json.Key("error").Text(output.error);
  if (output.absent_sources) json.Key("absent_sources").Unsigned(*output.absent_sources);
  const std::uint64_t ranked = output.error.empty() ? result.provenance.vertices : 0;
  WriteScores(output.top, ranked, supply, json);
}

void WriteOutput(const RunResult& result, const ScoreOutput& output, const Supply& supply,
                 JsonText& json) {
  WriteScores(output.top, result.provenance.vertices, supply, json);
}

void WriteOutput(const RunResult& result, const CountOutput& output, const Supply& supply,
                 JsonText& json) {
  if (output.figure) json.Key(output.figure->name).Unsigned(output.figure->value);
  const auto more = [&](std::size_t wanted) {
    return TopByCount(supply.vertices(), supply.run->whole->counts, wanted, *supply.keys);
  };
  WriteTopOrMore(output.top, result.provenance.vertices, supply, more, json);
}

void WriteOutput(const RunResult&, const DistancesOutput& output, const Supply& supply,
                 JsonText& json) {
  if (output.negative_edges > 0) {
    json.Key("error").Text(std::to_string(output.negative_edges) +
                           " edges have a negative weight; distances need weights of at least 0");
  }
  json.Key("reached").Unsigned(output.reached);
  const auto more = [&](std::size_t wanted) {
    return TopByDistance(supply.vertices(), supply.run->whole->scores, wanted, *supply.keys);
  };
  WriteTopOrMore(output.top, output.reached, supply, more, json);
}

void WriteGroups(const std::vector<CountedVertex>& rows, std::string_view name, std::size_t wanted,
                 JsonText& json) {
  json.Key("top").BeginArray();
  for (const CountedVertex& row : std::span(rows).first(std::min(wanted, rows.size()))) {
    json.BeginObject().Key(name).KeyValue(row.key).Key("rank").Unsigned(row.rank);
    json.Key("size").Unsigned(row.count).EndObject();
  }
  json.EndArray();
}

void WriteMembers(std::string_view name, const Supply& supply, JsonText& json) {
  json.Key("members").BeginArray();
  for (const VertexId v : ByKey(supply.vertices(), *supply.keys)) {
    json.BeginObject().Key("vertex").KeyValue(supply.keys->KeyOf(v)).Key(name);
    json.KeyValue(supply.keys->KeyOf(supply.run->whole->groups[v])).EndObject();
  }
  json.EndArray();
}

void WriteOutput(const RunResult&, const GroupsOutput& output, const Supply& supply,
                 JsonText& json) {
  json.Key(output.many).Unsigned(output.groups);
  const std::size_t wanted = supply.Wanted(output.top.size());
  if (supply.HasMore(output.top.size(), output.groups)) {
    const GroupSizes counted = CountMembers(supply.vertices(), supply.run->whole->groups);
    WriteGroups(TopByCount(counted.groups, counted.sizes, wanted, *supply.keys), output.one, wanted,
                json);
  } else {
    WriteGroups(output.top, output.one, wanted, json);
  }
  if (supply.lists_all() && supply.run != nullptr && supply.run->advance != nullptr) {
    WriteMembers(output.one, supply, json);
  }
}

void WriteOutput(const RunResult&, const ChangesOutput& output, const Supply& supply,
                 JsonText& json) {
  json.Key("since");
  if (output.since) {
    json.Text(TimeText(*output.since));
  } else {
    json.Null();
  }
  json.Key("pairs").Unsigned(output.pairs).Key("top_edges").BeginArray();
  const std::size_t wanted = std::min(supply.Wanted(output.first.size()), output.first.size());
  for (const ChangesOutput::Pair& pair : std::span(output.first).first(wanted)) {
    json.BeginObject().Key("source").KeyValue(pair.source);
    json.Key("target").KeyValue(pair.target).EndObject();
  }
  json.EndArray();
}

void WriteTraversal(const BfsParameters& parameters, const Traversal& traversal, std::size_t index,
                    const Supply& supply, JsonText& json) {
  json.Key("reached").Unsigned(traversal.reached).Key("levels").BeginArray();
  for (const std::uint64_t level : traversal.levels) json.Unsigned(level);
  json.EndArray();
  const auto more = [&](std::size_t wanted) {
    constexpr int kThreads = 1;  // the runner's or a request's
    return ReachedRows(
        {supply.run->advance->view, parameters, supply.run->whole->depths[index], *supply.keys},
        wanted, kThreads);
  };
  WriteTopOrMore(traversal.top, traversal.reached, supply, more, json, parameters.parents);
}

void WriteOutput(const RunResult& result, const BfsOutput& output, const Supply& supply,
                 JsonText& json) {
  const auto& parameters = std::get<BfsParameters>(result.parameters);
  if (!parameters.separate) {
    WriteTraversal(parameters, output.traversals.front(), 0, supply, json);
    return;
  }
  json.Key("traversals").BeginArray();
  for (std::size_t i = 0; i < output.traversals.size(); ++i) {
    json.BeginObject();
    if (output.traversals[i].root) json.Key("root").KeyValue(*output.traversals[i].root);
    WriteTraversal(parameters, output.traversals[i], i, supply, json);
    json.EndObject();
  }
  json.EndArray();
}

void WriteOutput(const RunResult&, const ShapeOutput& output, const Supply& supply,
                 JsonText& json) {
  json.Key("pairs").Unsigned(output.pairs).Key("weight").WeightValue(output.weight);
  if (supply.lists_all() && supply.run != nullptr && supply.run->advance != nullptr) {
    WriteEdges(supply.run->advance->view, *supply.keys, json.Key("top_edges"));
  }
}

std::string_view NameOf(RunMode mode) {
  switch (mode) {
    case RunMode::kWarm:
      return "warm";
    case RunMode::kIncremental:
      return "incremental";
    case RunMode::kFull:
      break;
  }
  return "full";
}

std::string Write(const RunResult& result, const Supply& supply) {
  JsonText json;
  json.BeginObject().Key("schema").Integer(kResultSchema).Key("job").Text(result.job);
  json.Key("kernel").Text(result.kernel);
  WriteProvenance(result.provenance, json);
  json.Key("parameters").BeginObject();
  std::visit([&](const auto& parameters) { WriteParameters(parameters, json); }, result.parameters);
  json.EndObject().Key("mode").Text(NameOf(result.mode));
  json.Key("iterations").Integer(result.iterations);
  if (const auto* ranked = std::get_if<PageRankOutput>(&result.output)) {
    json.Key("residual").Number(ranked->residual);
  }
  if (result.drift) json.Key("drift").Number(*result.drift);
  json.Key("converged").Bool(result.converged).Key("seconds").Number(result.seconds);
  std::visit([&](const auto& output) { WriteOutput(result, output, supply, json); }, result.output);
  json.EndObject();
  return std::move(json).Take();
}

}  // namespace

std::string ResultJson(const RunResult& result, std::optional<std::size_t> top) {
  return Write(result, {.listing = {.top = top, .vertices = VerticesWritten::kTop}});
}

std::string ResultJson(const CompletedRun& run, const Listing& listing,
                       const VertexDictionary& keys) {
  return Write(*run.result, {.listing = listing, .run = &run, .keys = &keys});
}

std::string KeyJson(const VertexKey& key) { return std::move(JsonText().KeyValue(key)).Take(); }

}  // namespace sash
