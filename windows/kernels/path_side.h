// PathSide: one of the two sides of a bidirectional search for paths (paths.h). It knows the costs
// of the paths from its start that it has found, and in which order to continue them.
//
// A label is a vertex and a cost: it represents all paths from the start to this vertex that have
// this weight and this number of edges, and knows the labels that they come from. A path that is
// neither lighter nor shorter than another path to the same vertex is useless.
//
// Thread safety: none.
//
// Invariants
//   (1) No label of a vertex is useless because of another; labels that became useless are
//       superseded, and none of them has been continued.
//   (2) nearest() only grows. group() has all labels of this cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/vertex_table.h"

namespace sash {

// Weights of paths. 113 bits hold every sum of integer weights, and sums of other weights exactly
// as long as the lightest weight is at least 2^-60 of the sum. So the order of additions does not
// matter, and equally heavy paths are equally heavy wherever the two sides meet.
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 PathWeight;
#else
using PathWeight = long double;  // has 113 bits where there is no other type
#endif
using NoPathWeight = int;  // always 0: only edges count

// By weight, then by the number of edges.
template <typename Sum>
struct PathCost {
  Sum weight = 0;
  int edges = 0;

  friend PathCost operator+(const PathCost& a, const PathCost& b) {
    return {a.weight + b.weight, a.edges + b.edges};
  }
  friend bool operator<(const PathCost& a, const PathCost& b) {
    return a.weight < b.weight || (a.weight == b.weight && a.edges < b.edges);
  }
  friend bool operator==(const PathCost& a, const PathCost& b) {
    return a.weight == b.weight && a.edges == b.edges;
  }
};

// A label of a PathSide, by its place.
using PathLabel = std::uint32_t;
inline constexpr PathLabel kNoLabel = VertexTable::kNone;

template <typename Sum>
class PathSide {
 public:
  static constexpr bool kWeighs = !std::is_same_v<Sum, NoPathWeight>;
  using Cost = PathCost<Sum>;

  // Paths of `most` edges are not continued.
  PathSide(VertexId start, int most) : most_(most) {
    Reach(start, {}, kNoLabel);
    TakeNearest();
  }

  VertexId vertex(PathLabel label) const { return labels_[label].vertex; }
  const Cost& cost(PathLabel label) const { return labels_[label].cost; }

  // The labels to continue next; empty when all have been continued.
  std::span<const PathLabel> group() const { return group_; }
  const Cost& nearest() const { return cost(group_.front()); }

  // A path to v, which continues `from`, has this cost. Returns whether v has a new label for it.
  // All paths that continue one label by edges to one vertex are reported one after the other.
  bool Reach(VertexId v, const Cost& cost, PathLabel from) {
    PathLabel& newest = of_vertex_[v];
    for (PathLabel label = newest; label != kNoLabel; label = labels_[label].older) {
      Label& held = labels_[label];
      if (held.cost == cost) {
        if (origins_[held.origins].label != from) AddOrigin(from, held);
        return false;
      }
      if (held.cost.weight <= cost.weight && held.cost.edges <= cost.edges) return false;
    }
    PathLabel* next = &newest;
    while (*next != kNoLabel) {
      Label& held = labels_[*next];
      held.is_superseded = cost.weight <= held.cost.weight && cost.edges <= held.cost.edges;
      if (held.is_superseded) {
        *next = held.older;
      } else {
        next = &held.older;
      }
    }
    const auto label = static_cast<PathLabel>(labels_.size());
    Label made{.cost = cost, .vertex = v, .older = newest};
    AddOrigin(from, made);
    newest = label;
    labels_.push_back(made);
    if (cost.edges < most_) Wait(label);
    return true;
  }

  // group() has been continued.
  void TakeNearest() {
    group_.clear();
    if constexpr (!kWeighs) {
      group_.swap(waiting_);  // all have one edge more than those before them
    } else {
      while (!waiting_.empty()) {
        const PathLabel label = waiting_.front();
        if (!group_.empty() && nearest() < cost(label)) break;
        std::ranges::pop_heap(waiting_, IsAfter{*this});
        waiting_.pop_back();
        if (!labels_[label].is_superseded) group_.push_back(label);
      }
    }
  }

  // visit(label) for the labels of v.
  template <typename Visit>
  void ForEachLabelOf(VertexId v, const Visit& visit) const {
    for (PathLabel label = of_vertex_.Find(v); label != kNoLabel; label = labels_[label].older) {
      visit(label);
    }
  }

  // visit(label) for every label that is not superseded.
  template <typename Visit>
  void ForEachLabel(const Visit& visit) const {
    for (PathLabel label = 0; label < labels_.size(); ++label) {
      if (!labels_[label].is_superseded) visit(label);
    }
  }

  // visit(from, to) for every step between two labels on a path from the start to `last`, unless
  // an earlier call has visited it.
  template <typename Visit>
  void ForEachStepTo(PathLabel last, const Visit& visit) {
    std::vector<PathLabel> open = {last};
    while (!open.empty()) {
      const PathLabel label = open.back();
      open.pop_back();
      if (labels_[label].is_walked) continue;
      labels_[label].is_walked = true;
      for (std::uint32_t i = labels_[label].origins; i != kNoOrigin; i = origins_[i].next) {
        if (origins_[i].label == kNoLabel) continue;  // the start
        visit(origins_[i].label, label);
        open.push_back(origins_[i].label);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNoOrigin = 0xFFFF'FFFF;

  struct Label {
    Cost cost;
    VertexId vertex = kNoVertex;
    PathLabel older = kNoLabel;         // of the same vertex
    std::uint32_t origins = kNoOrigin;  // the newest
    bool is_superseded = false;
    bool is_walked = false;
  };
  // A label that a label comes from.
  struct Origin {
    PathLabel label = kNoLabel;
    std::uint32_t next = kNoOrigin;  // of the same label
  };
  struct IsAfter {
    const PathSide& side;
    bool operator()(PathLabel a, PathLabel b) const { return side.cost(b) < side.cost(a); }
  };

  void AddOrigin(PathLabel from, Label& label) {
    origins_.push_back({from, label.origins});
    label.origins = static_cast<std::uint32_t>(origins_.size() - 1);
  }

  void Wait(PathLabel label) {
    waiting_.push_back(label);
    if constexpr (kWeighs) std::ranges::push_heap(waiting_, IsAfter{*this});
  }

  const int most_;
  VertexTable of_vertex_;  // the newest label of each vertex that has one
  std::vector<Label> labels_;
  std::vector<Origin> origins_;
  std::vector<PathLabel> waiting_;  // by weight: a heap
  std::vector<PathLabel> group_;
};

}  // namespace sash
