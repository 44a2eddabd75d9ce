// WindowCase: a policy and operations with which windows are measured, and the share of the stream
// that needs them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "windows/store/visible_edges.h"
#include "windows/store/window_policy.h"

namespace sash::bench {

struct WindowCase {
  std::string_view name;  // in the rows
  StoreSpec spec;
  double duplicates = 0;  // share of the stream
  double removals = 0;
};

inline constexpr StoreSpec kKeepSpec = {.removals = false};

inline constexpr WindowCase kKeepCase = {.name = "keep", .spec = kKeepSpec};
inline constexpr WindowCase kDropCase = {
    .name = "drop",
    .spec = {.duplicates = DuplicatesPolicy::kDrop, .removals = false},
    .duplicates = 0.2};
inline constexpr WindowCase kWeighCase = {
    .name = "weigh",
    .spec = {.duplicates = DuplicatesPolicy::kWeigh, .removals = false},
    .duplicates = 0.2};
inline constexpr WindowCase kRemovalsCase = {
    .name = "removals", .spec = {.removals = true}, .removals = 0.05};

inline constexpr std::array kPolicyCases = {kKeepCase, kDropCase, kWeighCase};

// As many edges as bench.edges, changed for the case; each repeat or removal refers to one of the
// `recent` previous events. If these are not all events, no event repeats an older one.
inline BenchEdges DrawCase(const Bench& bench, const WindowCase& window_case, std::size_t recent) {
  const bool changes = window_case.duplicates + window_case.removals > 0;
  return DrawEdges(bench.options, bench.options.edges + bench.options.edges / 2,
                   {.duplicates = window_case.duplicates,
                    .removals = window_case.removals,
                    .recent = recent,
                    .only_recent = changes && recent < bench.options.edges});
}

// The visible graph of a window of these slices.
inline std::shared_ptr<const CsrGraph> VisibleCsr(
    const std::vector<std::shared_ptr<const Slice>>& slices, const StoreSpec& spec,
    VertexId id_limit) {
  return std::make_shared<const CsrGraph>(VisibleEdges(slices, spec.duplicates, id_limit),
                                          id_limit);
}

}  // namespace sash::bench
