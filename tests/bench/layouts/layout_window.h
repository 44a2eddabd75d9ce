// The windows that are compared: a prototype in both directions, and the store through its
// interface. Both are filled with a LayoutStream and then moved slice by slice. Each slice is
// published as in the engine, with the newest view pinned until there is a newer one. While being
// filled, a prototype is also published at each slice; the store, only at the end.
//
// Thread safety: one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/bench/layouts/forward_layout.h"
#include "tests/bench/layouts/layout_stream.h"
#include "tests/bench/layouts/slice_table.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"
#include "tests/bench/stopwatch.h"
#include "windows/store/csr_graph.h"
#include "windows/store/neighbor.h"

namespace sash::bench {

// Empty when the view's lists, walked and swept, equal the rows of `row(v)`.
template <typename View, typename Row>
std::optional<std::string> ListDifference(const View& view, VertexId id_limit, const Row& row) {
  std::vector<std::vector<VertexId>> swept(id_limit);
  view.ForEachIn(0, id_limit, [&](VertexId v, VertexId u) { swept[v].push_back(u); });
  std::vector<VertexId> walked;
  for (VertexId v = 0; v < id_limit; ++v) {
    const std::span<const VertexId> expected = row(v);
    walked.clear();
    view.ForEachOf(v, [&](VertexId u) { walked.push_back(u); });
    std::ranges::sort(walked);
    std::ranges::sort(swept[v]);
    if (view.degree(v) != expected.size()) return "a degree is another";
    if (!std::ranges::equal(walked, expected)) return "a list that is walked is another";
    if (!std::ranges::equal(swept[v], expected)) return "a list that is swept is another";
  }
  return std::nullopt;
}

// Likewise for weights; `row(v)` has neighbours with weights.
template <typename View, typename Row>
std::optional<std::string> WeightDifference(const View& view, VertexId id_limit, const Row& row) {
  for (VertexId v = 0; v < id_limit; ++v) {
    std::map<VertexId, std::int64_t> weights;
    for (const Neighbor& neighbour : row(v)) {
      weights[neighbour.vertex] = neighbour.weight.integer();
    }
    bool same = true;
    view.ForEachWeighted(v, [&](VertexId u, std::int64_t w) { same = same && weights[u] == w; });
    if (!same) return "a weight is another";
  }
  return std::nullopt;
}

template <typename Layout>
class LayoutWindow {
 public:
  // `out` and `in` are empty.
  LayoutWindow(const LayoutStream& stream, Layout out, Layout in)
      : stream_(stream), out_(std::move(out)), in_(std::move(in)) {
    while (added_ < stream.length) {
      AddNext();
      Publish();
    }
  }

  AdvanceTime Advance() {
    const CpuWatch cpu;
    const WallWatch wall;
    AddNext();
    out_.AgeOutOldest();
    in_.AgeOutOldest();
    Publish();
    return {wall.Seconds(), cpu.Seconds()};
  }

  // Calls read(view) with the in-lists.
  template <typename Read>
  auto WithIn(const Read& read) const {
    return read(in_view_);
  }

  std::size_t bytes() const { return out_.bytes() + in_.bytes(); }

  std::optional<std::string> Difference(const CsrGraph& expected) const {
    const auto out =
        ListDifference(out_view_, stream_.id_limit, [&](VertexId v) { return expected.out(v); });
    if (out) return out;
    const auto in =
        ListDifference(in_view_, stream_.id_limit, [&](VertexId v) { return expected.in(v); });
    if (in || !stream_.weighs) return in;
    return DifferentWeights(expected);
  }

 private:
  std::optional<std::string> DifferentWeights(const CsrGraph& expected) const {
    if constexpr (std::is_same_v<Layout, ForwardLayout>) {
      const auto out = WeightDifference(out_view_, stream_.id_limit,
                                        [&](VertexId v) { return expected.weighted_out(v); });
      if (out) return out;
      return WeightDifference(in_view_, stream_.id_limit,
                              [&](VertexId v) { return expected.weighted_in(v); });
    } else {
      return "the layout has no weights";
    }
  }

  void AddNext() {
    const Slice& slice = *stream_.slices[added_];
    out_.Add(slice, Direction::kOut, stream_.id_limit, stream_.deaths[added_]);
    in_.Add(slice, Direction::kIn, stream_.id_limit, stream_.deaths[added_]);
    ++added_;
  }
  void Publish() {
    out_view_ = out_.Publish();
    in_view_ = in_.Publish();
  }

  const LayoutStream& stream_;
  Layout out_;
  Layout in_;
  typename Layout::View out_view_;
  typename Layout::View in_view_;
  std::size_t added_ = 0;
};

// The in-lists of a graph of the engine, with the prototypes' function names.
template <typename Graph>
class InLists {
 public:
  explicit InLists(const Graph& graph) : graph_(graph) {}

  template <typename Visit>
  void ForEachOf(VertexId v, const Visit& visit) const {
    for (const VertexId u : graph_.in(v)) visit(u);
  }
  template <typename Visit>
  void ForEachIn(VertexId first, VertexId last, const Visit& visit) const {
    graph_.ForEachIn(first, last, visit);
  }

 private:
  const Graph& graph_;
};

// The multiversioned store, fed with StoreSlices().
class StoreWindow {
 public:
  explicit StoreWindow(const LayoutStream& stream)
      : slices_(stream.StoreSlices()),
        window_(stream.store_spec(), std::span(slices_).first(stream.length), stream.id_limit),
        added_(stream.length) {}

  AdvanceTime Advance() {
    return window_.Advance([&] { return slices_[added_++]; });
  }

  template <typename Read>
  auto WithIn(const Read& read) const {
    return VisitView(window_.published().view,
                     [&](const auto& graph) { return read(InLists(graph)); });
  }

  std::size_t bytes() const { return window_.bytes(); }

  std::optional<std::string> Difference(const CsrGraph& expected) const {
    return bench::Difference(window_.published().view, expected);
  }

 private:
  const std::vector<std::shared_ptr<const Slice>> slices_;
  MovingWindow window_;
  std::size_t added_;
};

}  // namespace sash::bench
