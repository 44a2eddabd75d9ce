#include "connectors/sinks/result_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
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
#include "windows/jobs/result_error.h"

namespace sash {
namespace {

// What the lists of a result are made of, and where they go. `run` and `keys` are null when there
// is nothing beyond the result itself.
struct Supply {
  JsonPieces& pieces;
  Listing listing;
  const CompletedRun* run = nullptr;
  const VertexDictionary* keys = nullptr;

  bool lists_all() const { return listing.vertices == VerticesWritten::kAll; }
  std::size_t Wanted(std::size_t held) const {
    if (lists_all()) return std::numeric_limits<std::size_t>::max();
    return listing.top.value_or(held);
  }
  // How many rows there are, with those beyond what the result holds.
  std::uint64_t Rows(std::size_t held, std::uint64_t available) const {
    const bool has_whole = run != nullptr && run->whole != nullptr && run->advance != nullptr;
    return has_whole ? std::max<std::uint64_t>(held, available) : held;
  }
  // Whether more than the `held` of `available` rows is wanted and can be had.
  bool HasMore(std::size_t held, std::uint64_t available) const {
    return Wanted(held) > held && held < Rows(held, available);
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

// A list of which the result holds `held` rows, and of which there are `rows` in all.
struct ListSize {
  std::size_t held = 0;
  std::uint64_t rows = 0;
};

// An array of the first `wanted` of `list`: its text so far goes ahead of it. Says what was cut.
template <typename Rows, typename Write>
void WriteList(std::shared_ptr<const Rows> list, ListSize size, const Supply& supply,
               const Write& write, JsonText& json) {
  const std::size_t wanted = supply.Wanted(size.held);
  const std::size_t listed = std::min({wanted, list->size(), supply.listing.most_rows});
  json.BeginArray();
  supply.pieces.Add(json.Interrupt());
  const std::uint64_t full =
      std::max<std::uint64_t>(size.held, std::min<std::uint64_t>(wanted, size.rows));
  JsonPieces::TextAfter after = [full, rows = size.rows,
                                 tell = supply.listing.tell_cut](std::size_t written) {
    if (!tell || written >= full) return std::string("]");
    return "],\"truncated\":true,\"rows\":" + std::to_string(rows);
  };
  supply.pieces.AddList(
      listed, [list, write](std::size_t i, JsonText& to) { write((*list)[i], to); },
      std::move(after));
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

// `of`, which is a part of the result, for as long as its text is being made.
template <typename Of>
std::shared_ptr<const Of> Pinned(const Of& of, const Supply& supply) {
  if (supply.run == nullptr) return {std::shared_ptr<void>(), &of};
  return {supply.run->result, &of};
}

// The rows of `top`, or those of more(wanted) where more than them are wanted and can be had.
template <typename Row, typename More, typename Write>
void WriteTopOrMore(const std::vector<Row>& top, std::uint64_t available, const Supply& supply,
                    const More& more, const Write& write, JsonText& json) {
  const ListSize size{top.size(), supply.Rows(top.size(), available)};
  json.Key("top");
  if (supply.HasMore(top.size(), available)) {
    const std::size_t wanted = std::min(supply.Wanted(top.size()), supply.listing.most_rows);
    auto rows = std::make_shared<const std::vector<Row>>(more(wanted));
    WriteList(std::move(rows), size, supply, write, json);
  } else {
    WriteList(Pinned(top, supply), size, supply, write, json);
  }
}

template <typename Row, typename More>
void WriteTopOrMore(const std::vector<Row>& top, std::uint64_t available, const Supply& supply,
                    const More& more, JsonText& json) {
  const auto write = [](const Row& row, JsonText& to) { WriteRow(row, to); };
  WriteTopOrMore(top, available, supply, more, write, json);
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
  json.Key("reached").Unsigned(output.reached);
  const auto more = [&](std::size_t wanted) {
    return TopByDistance(supply.vertices(), supply.run->whole->scores, wanted, *supply.keys);
  };
  WriteTopOrMore(output.top, output.reached, supply, more, json);
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
  const auto more = [&](std::size_t wanted) {
    const GroupSizes counted = CountMembers(supply.vertices(), supply.run->whole->groups);
    return TopByCount(counted.groups, counted.sizes, wanted, *supply.keys);
  };
  const auto write = [name = output.one](const CountedVertex& row, JsonText& to) {
    to.BeginObject().Key(name).KeyValue(row.key).Key("rank").Unsigned(row.rank);
    to.Key("size").Unsigned(row.count).EndObject();
  };
  WriteTopOrMore(output.top, output.groups, supply, more, write, json);
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
  json.Key("pairs").Unsigned(output.pairs).Key("top_edges");
  const auto write = [](const PairOfVertices& pair, JsonText& to) {
    to.BeginObject().Key("source").KeyValue(pair.source);
    to.Key("target").KeyValue(pair.target).EndObject();
  };
  WriteList(Pinned(output.first, supply), {output.first.size(), output.first.size()}, supply, write,
            json);
}

void WriteTraversal(const BfsParameters& parameters, const Traversal& traversal, std::size_t index,
                    const Supply& supply, JsonText& json) {
  json.Key("reached").Unsigned(traversal.reached).Key("levels").BeginArray();
  // As many as the longest path has edges: on a chain, as many as it has vertices.
  supply.pieces.Add(json.Interrupt());
  const auto levels = Pinned(traversal.levels, supply);
  supply.pieces.AddList(
      levels->size(), [levels](std::size_t i, JsonText& to) { to.Unsigned((*levels)[i]); },
      [all = levels->size()](std::size_t written) {
        return std::string(written < all ? "],\"levels_truncated\":true" : "]");
      });
  const auto more = [&](std::size_t wanted) {
    constexpr int kThreads = 1;  // the runner's or a request's
    return ReachedRows(
        {supply.run->advance->view, parameters, supply.run->whole->depths[index], *supply.keys},
        wanted, kThreads);
  };
  const auto write = [parents = parameters.parents](const ReachedVertex& row, JsonText& to) {
    WriteRow(row, parents, to);
  };
  WriteTopOrMore(traversal.top, traversal.reached, supply, more, write, json);
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

void Write(const RunResult& result, const Supply& supply) {
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
  const std::string error = ErrorOf(result.output);
  if (!error.empty()) json.Key("error").Text(error);
  std::visit([&](const auto& output) { WriteOutput(result, output, supply, json); }, result.output);
  if (error.empty()) json.ExplainLost();
  json.EndObject();
  supply.pieces.Add(std::move(json).Take());
}

}  // namespace

std::string ResultJson(const RunResult& result, std::optional<std::size_t> top) {
  JsonPieces pieces;
  Write(result, {.pieces = pieces, .listing = {.top = top}});
  return std::move(pieces).Take();
}

JsonPieces ResultPieces(const CompletedRun& run, const Listing& listing,
                        const VertexDictionary& keys) {
  JsonPieces pieces(listing.most_bytes);
  Write(*run.result, {.pieces = pieces, .listing = listing, .run = &run, .keys = &keys});
  return pieces;
}

std::string ResultJson(const CompletedRun& run, const Listing& listing,
                       const VertexDictionary& keys) {
  return ResultPieces(run, listing, keys).Take();
}

std::string KeyJson(const VertexKey& key) { return std::move(JsonText().KeyValue(key)).Take(); }

}  // namespace sash
