// FollowStrength: the strength of each vertex of a window, computed from the sums in an earlier
// view of it and the edges that have come and left since. The sums are those of a new run, to the
// bit.
//
// An integer is changed by the weights of these edges. Where edges only age out, the records of the
// slices say by how much, and no list is read. A sum that is not an integer depends on the order of
// its addends: where such an edge or sum is changed, or a sum leaves 64 bits on its way, the lists
// of the vertex are read again. When these have more than a sixteenth of the edges, or when more
// than a sixteenth of the edges has changed, a new run costs no more. Where a newer copy may take
// the place of an edge, the order may change unseen: then only integers are followed.
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
#include "windows/base/sort_distinct.h"
#include "windows/base/weighed_edge.h"
#include "windows/base/weight.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/strength.h"
#include "windows/kernels/view_changes.h"

namespace sash {

namespace strength_follow {

// An integer that an edge adds to the sum of a vertex.
struct Term {
  VertexId vertex = 0;
  std::int64_t value = 0;
};

// Adds the term to the sum of its vertex. If the sum is not one of integers, or does not fit, the
// vertex is `unknown`: its sum must be found otherwise. Threads may change the sums of different
// vertices, each with its own `unknown`.
inline void AddTerm(const Term& term, std::vector<Weight>& sums, std::vector<VertexId>& unknown) {
  Weight& sum = sums[term.vertex];
  std::int64_t changed = 0;
  if (sum.is_integer() && !__builtin_add_overflow(sum.integer(), term.value, &changed)) {
    sum = Weight::Integer(changed);
  } else {
    unknown.push_back(term.vertex);
  }
}

// What an edge of this weight adds when it comes, or with `adds` false when it leaves. Nothing if
// that is not an integer of 64 bits.
inline std::optional<std::int64_t> TermOf(Weight weight, bool adds) {
  if (!weight.is_integer()) return std::nullopt;
  std::int64_t negative = 0;
  if (adds) return weight.integer();
  if (__builtin_sub_overflow(std::int64_t{0}, weight.integer(), &negative)) return std::nullopt;
  return negative;
}

// Adds to `sums` the changes that the views know, and to `unknown` the vertices whose sums are not
// known then. Returns false, and changes nothing, if the views do not know the changes.
template <FollowableView Graph>
bool AddCountedChanges(const Graph& before, const Graph& after, StrengthEdges edges,
                       std::vector<Weight>& sums, std::vector<VertexId>& unknown) {
  const auto out = after.CountOutChanges(before);
  const auto in = after.CountInChanges(before);
  if (!out || !in) return false;
  const auto take = [&](const auto& changes, bool adds) {
    changes.ForEachSum([&](VertexId v, std::optional<std::int64_t> sum, bool comes) {
      const auto value = sum ? TermOf(Weight::Integer(*sum), comes == adds) : std::nullopt;
      if (value) {
        AddTerm({v, *value}, sums, unknown);
      } else {
        unknown.push_back(v);
      }
    });
  };
  if (edges != StrengthEdges::kIn) take(*out, edges != StrengthEdges::kInLessOut);
  if (edges != StrengthEdges::kOut) take(*in, true);
  return true;
}

// The same where edges must be found in lists. Returns false if more than `most` have changed.
//
// The changed edges are found at their targets, a part of the ids in each thread, which adds
// what they bring there. What they bring to their sources is kept for a second loop, in which each
// thread has a range of the ids.
template <FollowableView Graph>
bool AddFoundChanges(const Graph& before, const Graph& after, std::size_t most,
                     const StrengthOptions& options, std::vector<Weight>& sums,
                     std::vector<VertexId>& unknown) {
  struct Part {
    std::vector<std::vector<Term>> of_range;  // for the sources
    std::vector<VertexId> unknown;
  };
  const bool out = options.edges != StrengthEdges::kIn;
  const bool in = options.edges != StrengthEdges::kOut;
  const bool out_adds = options.edges != StrengthEdges::kInLessOut;
  const auto ranges = static_cast<std::size_t>(std::clamp(ThreadCount(options.threads), 1, 8));
  const std::size_t range_size = BlockCount(sums.size() + 1, ranges);
  std::vector<Part> parts(ChangePartCount(before, after));
  const auto changed = VisitWeighedChanges(
      before, after, most, options.threads,
      [&](std::size_t index, VertexId v, std::span<const WeighedEdge> came,
          std::span<const WeighedEdge> left) {
        Part& part = parts[index];
        part.of_range.resize(ranges);
        const auto take = [&](VertexId vertex, std::optional<std::int64_t> value, bool at_once) {
          if (!value) {
            part.unknown.push_back(vertex);
          } else if (at_once) {
            AddTerm({vertex, *value}, sums, part.unknown);
          } else {
            part.of_range[vertex / range_size].push_back({vertex, *value});
          }
        };
        const auto take_all = [&](std::span<const WeighedEdge> edges, bool comes) {
          for (const auto& [u, weight] : edges) {
            if (in) take(v, TermOf(weight, comes), true);
            if (out) take(u, TermOf(weight, comes == out_adds), false);
          }
        };
        take_all(came, true);
        take_all(left, false);
      });
  if (!changed) return false;
  std::vector<std::vector<VertexId>> unknown_of(ranges);
  ParallelBlocks(ranges, 1, options.threads, [&](std::size_t range, std::size_t, std::size_t) {
    for (const Part& part : parts) {
      if (part.of_range.empty()) continue;
      for (const Term& term : part.of_range[range]) AddTerm(term, sums, unknown_of[range]);
    }
  });
  const auto append = [&](const std::vector<VertexId>& more) {
    unknown.insert(unknown.end(), more.begin(), more.end());
  };
  for (const Part& part : parts) append(part.unknown);
  std::ranges::for_each(unknown_of, append);
  return true;
}

// Changes `sums`, those of `before`, to those of `after`. Returns the vertices whose sums it does
// not know, ascending, each once; or nothing if more than `most` edges have changed.
template <FollowableView Graph>
std::optional<std::vector<VertexId>> Change(const Graph& before, const Graph& after,
                                            std::size_t most, const StrengthOptions& options,
                                            std::vector<Weight>& sums) {
  std::vector<VertexId> unknown;
  if (after.RoughChanges(before) > most) return std::nullopt;
  if (!AddCountedChanges(before, after, options.edges, sums, unknown) &&
      !AddFoundChanges(before, after, most, options, sums, unknown)) {
    return std::nullopt;
  }
  SortDistinct(unknown);
  return unknown;
}

}  // namespace strength_follow

// `sums` and `overflowed` are those of `before`, for edges in the same direction as now. Returns
// nothing if too much has changed, or if the weights of edges change while they are in the window.
template <FollowableView Graph>
std::optional<StrengthResult> FollowStrength(const Graph& before, const Graph& after,
                                             const std::vector<Weight>& sums,
                                             std::uint64_t overflowed,
                                             const StrengthOptions& options = {}) {
  constexpr std::uint64_t kLeastShareOfNewRun = 16;  // of the edges, changed or read
  options.progress.Begin(RunPhase::kPreparing);
  const auto is_integer = [](Weight sum) { return sum.is_integer(); };
  if (!after.keeps_order() && !std::ranges::all_of(sums, is_integer)) return std::nullopt;
  const std::uint64_t most = after.edge_count() / kLeastShareOfNewRun;
  StrengthResult result{.sums = sums, .overflowed = overflowed};
  result.sums.resize(std::max(before.id_limit(), after.id_limit()), Weight::Integer(0));
  const auto unknown = strength_follow::Change(before, after, most, options, result.sums);
  if (!unknown) return std::nullopt;
  options.progress.Begin(RunPhase::kComputing);
  std::uint64_t read = 0;
  for (const VertexId v : *unknown) {
    if (v < after.id_limit()) read += after.out_degree(v) + after.in_degree(v);
    result.overflowed -= v < sums.size() && !IsFinite(sums[v]) ? 1 : 0;
  }
  if (read > most) return std::nullopt;
  for (const VertexId v : *unknown) {
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
