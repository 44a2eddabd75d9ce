#include "connectors/sinks/feature_row.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sash {
namespace {

// In the order of WriteEdges().
using NamesOfEdges = std::array<std::string_view, 7>;

constexpr NamesOfEdges kSourceOut = {"source_out_fan",     "source_out_degree", "source_out_sum",
                                     "source_out_mean",    "source_out_min",    "source_out_max",
                                     "source_out_variance"};
constexpr NamesOfEdges kSourceIn = {"source_in_fan",     "source_in_degree", "source_in_sum",
                                    "source_in_mean",    "source_in_min",    "source_in_max",
                                    "source_in_variance"};
constexpr NamesOfEdges kTargetOut = {"target_out_fan",     "target_out_degree", "target_out_sum",
                                     "target_out_mean",    "target_out_min",    "target_out_max",
                                     "target_out_variance"};
constexpr NamesOfEdges kTargetIn = {"target_in_fan",     "target_in_degree", "target_in_sum",
                                    "target_in_mean",    "target_in_min",    "target_in_max",
                                    "target_in_variance"};

// By the number of edges, from 2 on.
constexpr std::array<std::string_view, 9> kCycles = {"cycles_2", "cycles_3", "cycles_4",
                                                     "cycles_5", "cycles_6", "cycles_7",
                                                     "cycles_8", "cycles_9", "cycles_10"};

void WriteEdges(const EdgesOfEnd& edges, const NamesOfEdges& names, JsonText& json) {
  json.Key(names[0]).Unsigned(edges.fan).Key(names[1]).Unsigned(edges.degree);
  json.Key(names[2]).WeightValue(edges.weights.sum).Key(names[3]).Number(edges.weights.mean);
  json.Key(names[4]).WeightValue(edges.weights.least);
  json.Key(names[5]).WeightValue(edges.weights.greatest);
  json.Key(names[6]).Number(edges.weights.variance);
}

void WriteCount(std::string_view name, std::optional<std::uint64_t> count, JsonText& json) {
  json.Key(name);
  if (count) {
    json.Unsigned(*count);
  } else {
    json.Null();
  }
}

}  // namespace

void WriteFeatures(const FeaturesOfPair& pair, int longest_cycle, JsonText& json) {
  json.BeginObject().Key("source").KeyValue(pair.source).Key("target").KeyValue(pair.target);
  json.Key("edges").Unsigned(pair.edges).Key("weight").WeightValue(pair.weight);
  WriteEdges(pair.of_source.out, kSourceOut, json);
  WriteEdges(pair.of_source.in, kSourceIn, json);
  WriteEdges(pair.of_target.out, kTargetOut, json);
  WriteEdges(pair.of_target.in, kTargetIn, json);
  for (std::size_t i = 0; i + 2 <= static_cast<std::size_t>(longest_cycle); ++i) {
    WriteCount(kCycles.at(i), pair.cycles.empty() ? std::nullopt : std::optional(pair.cycles.at(i)),
               json);
  }
  WriteCount("scatter_gathers", pair.patterns, json);
  WriteCount("intermediates", pair.intermediates, json);
  json.EndObject();
}

}  // namespace sash
