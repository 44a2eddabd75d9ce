#include "tests/support/window_model.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace sash::testing {
namespace {

// Every copy that was added, in the order of effect, and whether it has been ended.
class Copies {
 public:
  void Apply(const StoreOperation& operation) {
    const IdEdge edge = {operation.source, operation.target, operation.weight};
    switch (operation.operation) {
      case Operation::kAdd:
        of_pair_[edge.pair()].push_back(edges_.size());
        of_vertex_[edge.source].push_back(edges_.size());
        of_vertex_[edge.target].push_back(edges_.size());
        edges_.push_back(edge);
        ended_.push_back(false);
        return;
      case Operation::kRemove:
        End(of_pair_[edge.pair()]);
        return;
      case Operation::kRemoveVertex:
        End(of_vertex_[edge.source]);
        return;
    }
  }

  std::vector<IdEdge> All() const {
    std::vector<IdEdge> visible;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (!ended_[i]) visible.push_back(edges_[i]);
    }
    return visible;
  }

  // One edge for each pair: the newest copy, with its own weight or with the sum of all weights.
  std::vector<IdEdge> OnePerPair(bool summed) const {
    std::vector<IdEdge> visible;
    for (const auto& [pair, copies] : of_pair_) {
      WeightSum sum;
      const IdEdge* newest = nullptr;
      for (const std::size_t i : copies) {
        if (ended_[i]) continue;
        sum.Add(edges_[i].weight);
        newest = &edges_[i];
      }
      if (newest == nullptr) continue;
      visible.push_back(*newest);
      if (summed) visible.back().weight = sum.Total();
    }
    return visible;
  }

 private:
  // Ends `copies`. The other lists still contain them, marked as ended.
  void End(std::vector<std::size_t>& copies) {
    for (const std::size_t i : copies) ended_[i] = true;
    copies.clear();
  }

  std::vector<IdEdge> edges_;
  std::vector<bool> ended_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> of_pair_;
  std::unordered_map<VertexId, std::vector<std::size_t>> of_vertex_;  // at either end
};

}  // namespace

std::vector<IdEdge> ModelEdges(std::span<const SliceOperations* const> slices,
                               DuplicatesPolicy duplicates) {
  Copies copies;
  for (const SliceOperations* slice : slices) {
    for (const StoreOperation& operation : *slice) copies.Apply(operation);
  }
  std::vector<IdEdge> visible = duplicates == DuplicatesPolicy::kKeep
                                    ? copies.All()
                                    : copies.OnePerPair(duplicates == DuplicatesPolicy::kWeigh);
  std::ranges::sort(visible, std::less<>());
  return visible;
}

}  // namespace sash::testing
