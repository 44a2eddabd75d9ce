#include "windows/store/live_view.h"

#include <algorithm>
#include <utility>

#include "windows/base/sort_distinct.h"

namespace sash {

LiveView::LiveView(LiveParts parts) : parts_(std::move(parts)) {
  if (parts_.IsAsleep()) {
    parts_.base.reset();
    parts_.tails.clear();
  }
  removes_vertices_ = std::ranges::any_of(
      parts_.tails, [](const OpenTail& tail) { return tail.tail->removes_vertices(); });
}

std::uint32_t LiveView::BaseDegree(TailRole role, VertexId v) const {
  if (!IsInBase(v)) return 0;
  return role == TailRole::kSource ? parts_.base->out_degree(v) : parts_.base->in_degree(v);
}

// Whether the list may differ from that of the base.
bool LiveView::IsTouched(TailRole role, VertexId v) const {
  if (removes_vertices_) return true;
  return std::ranges::any_of(parts_.tails, [&](const OpenTail& tail) {
    return tail.tail->HasAnyOf(role, v, tail.count);
  });
}

const std::vector<Neighbor>& LiveView::Neighbours(TailRole role, VertexId v) const {
  const auto [kept, is_new] = neighbours_[static_cast<std::size_t>(role)].try_emplace(v);
  if (is_new) kept->second = LiveFold(parts_, removes_vertices_).ListOf(role, v);
  return kept->second;
}

const std::vector<VertexId>& LiveView::Vertices(TailRole role, VertexId v) const {
  const auto [kept, is_new] = vertices_[static_cast<std::size_t>(role)].try_emplace(v);
  std::vector<VertexId>& list = kept->second;
  if (!is_new) return list;
  if (IsTouched(role, v)) {
    for (const Neighbor& neighbour : Neighbours(role, v)) list.push_back(neighbour.vertex);
  } else if (IsInBase(v)) {
    const MultiversionedView& base = *parts_.base;
    list.reserve(BaseDegree(role, v));
    for (const VertexId u : role == TailRole::kSource ? base.out(v) : base.in(v)) list.push_back(u);
  }
  return list;
}

std::uint32_t LiveView::Degree(TailRole role, VertexId v) const {
  if (!IsTouched(role, v)) return BaseDegree(role, v);
  return static_cast<std::uint32_t>(Neighbours(role, v).size());
}

// Every vertex whose degrees may differ from those in the base, ascending.
std::vector<VertexId> LiveView::Touched() const {
  std::vector<VertexId> touched;
  const MultiversionedView* const base = parts_.base.get();
  for (const OpenTail& tail : parts_.tails) {
    tail.tail->ForEach(tail.count, [&](const TailEvent& event) {
      touched.push_back(event.source);
      if (event.operation != Operation::kRemoveVertex) {
        touched.push_back(event.target);
        return;
      }
      if (base == nullptr || event.source >= base->id_limit()) return;
      for (const VertexId u : base->out(event.source)) touched.push_back(u);
      for (const VertexId u : base->in(event.source)) touched.push_back(u);
    });
  }
  SortDistinct(touched);
  return touched;
}

const LiveView::Counts& LiveView::Counted() const {
  if (counts_) return *counts_;
  Counts counts;
  std::span<const VertexId> before;
  if (parts_.base) {
    counts.edges = parts_.base->edge_count();
    before = parts_.base->vertices();
  }
  const std::vector<VertexId> touched = Touched();
  std::vector<VertexId> shown;
  for (const VertexId v : touched) {
    const std::uint32_t out = out_degree(v);
    counts.edges += out;
    counts.edges -= BaseDegree(TailRole::kSource, v);
    if (out + in_degree(v) > 0) shown.push_back(v);
  }
  std::vector<VertexId> untouched;
  std::ranges::set_difference(before, touched, std::back_inserter(untouched));
  counts.vertices.reserve(untouched.size() + shown.size());
  std::ranges::merge(untouched, shown, std::back_inserter(counts.vertices));
  counts_ = std::move(counts);
  return *counts_;
}

}  // namespace sash
