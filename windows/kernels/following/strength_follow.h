// FollowStrength: the strength of each vertex of a window, computed from the sums in an earlier
// view of it and the edges that have come and left since. The sums are those of a new run, to the
// bit.
//
// An integer is changed by the weights of these edges. A sum that is not an integer depends on the
// order of its addends: where such an edge or sum is changed, or a sum leaves 64 bits on its way,
// the lists of the vertex are read again. When these have more than a sixteenth of the edges, or
// when more than a sixteenth of the edges has changed, a new run costs no more. Where a newer copy
// may take the place of an edge, the order may change unseen: then only integers are followed.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/finite_weight.h"
#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/base/weighed_edge.h"
#include "windows/base/weight.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/strength.h"
#include "windows/kernels/view_changes.h"

namespace sash {

namespace strength_follow {

// An edge of a vertex that came, or that left.
struct Change {
  VertexId vertex = 0;
  bool adds = true;
  Weight weight{};
};

// Sums that are changed by one edge after the other.
class Sums {
 public:
  Sums(std::vector<Weight>& sums, std::size_t id_limit) : sums_(sums) {
    if (sums_.size() < id_limit) sums_.resize(id_limit, Weight::Integer(0));
  }

  void Apply(const Change& change) {
    Weight& sum = sums_[change.vertex];
    std::int64_t changed = 0;
    if (sum.is_integer() && change.weight.is_integer() &&
        !(change.adds ? __builtin_add_overflow(sum.integer(), change.weight.integer(), &changed)
                      : __builtin_sub_overflow(sum.integer(), change.weight.integer(), &changed))) {
      sum = Weight::Integer(changed);
    } else {
      unknown_.push_back(change.vertex);
    }
  }

  // The vertices whose sums must be found otherwise, ascending, each once.
  std::vector<VertexId> TakeUnknown() {
    std::ranges::sort(unknown_);
    const auto repeated = std::ranges::unique(unknown_);
    unknown_.erase(repeated.begin(), repeated.end());
    return std::move(unknown_);
  }

 private:
  std::vector<Weight>& sums_;
  std::vector<VertexId> unknown_;
};

// By part. Returns nothing if there are too many.
template <FollowableView Graph>
std::optional<std::vector<std::vector<Change>>> Changes(const Graph& before, const Graph& after,
                                                        std::size_t most,
                                                        const StrengthOptions& options) {
  std::vector<std::vector<Change>> parts(ChangePartCount(before, after));
  const bool out = options.edges != StrengthEdges::kIn;
  const bool in = options.edges != StrengthEdges::kOut;
  const bool out_adds = options.edges != StrengthEdges::kInLessOut;
  const auto changed =
      VisitWeighedChanges(before, after, most, options.threads,
                          [&](std::size_t part, VertexId v, std::span<const WeighedEdge> came,
                              std::span<const WeighedEdge> left) {
                            const auto add = [&](std::span<const WeighedEdge> edges, bool comes) {
                              for (const auto& [u, weight] : edges) {
                                if (in) parts[part].push_back({v, comes, weight});
                                if (out) parts[part].push_back({u, comes == out_adds, weight});
                              }
                            };
                            add(came, true);
                            add(left, false);
                          });
  return changed ? std::optional(std::move(parts)) : std::nullopt;
}

}  // namespace strength_follow

// `sums` and `overflowed` are those of `before`, for edges in the same direction as now. Returns
// nothing if too much has changed, or if the weights of edges change while they are in the window.
template <FollowableView Graph>
std::optional<StrengthResult> FollowStrength(const Graph& before, const Graph& after,
                                             const std::vector<Weight>& sums,
                                             std::uint64_t overflowed,
                                             const StrengthOptions& options = {}) {
  constexpr std::uint64_t kLeastShareAnew = 16;  // of the edges, changed or read
  options.progress.Begin(RunPhase::kPreparing);
  const auto is_integer = [](Weight sum) { return sum.is_integer(); };
  if (!after.keeps_order() && !std::ranges::all_of(sums, is_integer)) return std::nullopt;
  const std::uint64_t most = after.edge_count() / kLeastShareAnew;
  const auto changes = strength_follow::Changes(before, after, most, options);
  if (!changes) return std::nullopt;
  options.progress.Begin(RunPhase::kComputing);
  StrengthResult result{.sums = sums, .overflowed = overflowed};
  strength_follow::Sums changed(result.sums, std::max(before.id_limit(), after.id_limit()));
  for (const auto& part : *changes) {
    for (const strength_follow::Change& change : part) changed.Apply(change);
  }
  const std::vector<VertexId> unknown = changed.TakeUnknown();
  std::uint64_t read = 0;
  for (const VertexId v : unknown) {
    if (v < after.id_limit()) read += after.out_degree(v) + after.in_degree(v);
    result.overflowed -= v < sums.size() && !IsFinite(sums[v]) ? 1 : 0;
  }
  if (read > most) return std::nullopt;
  for (const VertexId v : unknown) {
    result.sums[v] =
        v < after.id_limit() ? strength::Sum(after, v, options.edges) : Weight::Integer(0);
    result.overflowed += IsFinite(result.sums[v]) ? 0 : 1;
  }
  result.sums.resize(after.id_limit(), Weight::Integer(0));
  result.cancelled = options.progress && !options.progress(1, 0);
  options.progress.Begin(RunPhase::kFinishing);
  return result;
}

}  // namespace sash
