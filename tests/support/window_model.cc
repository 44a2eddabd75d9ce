#include "tests/support/window_model.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <unordered_map>

namespace sash::testing {
namespace {

// Every copy that was added, in the order of effect, and whether it has been ended.
class Copies {
 public:
  // `by_type`: a removal with a type ends the copies of this type alone.
  explicit Copies(bool by_type) : by_type_(by_type) {}

  void Apply(const StoreOperation& operation) {
    const IdEdge edge = {operation.source, operation.target, operation.weight, operation.type};
    switch (operation.operation) {
      case Operation::kAdd:
        of_pair_[edge.pair()].push_back(edges_.size());
        of_vertex_[edge.source].push_back(edges_.size());
        of_vertex_[edge.target].push_back(edges_.size());
        edges_.push_back(edge);
        ended_.push_back(false);
        return;
      case Operation::kRemove:
        if (by_type_ && operation.type != kNoType) return EndOfType(edge);
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

  // One edge for each pair, or for each pair and type: the newest copy, with its own weight or with
  // the sum of all weights.
  std::vector<IdEdge> OnePerIdentity(EdgeIdentity identity, bool summed) const {
    std::vector<IdEdge> visible;
    for (const auto& [pair, copies] : of_pair_) {
      struct Identified {
        WeightSum sum;
        const IdEdge* newest = nullptr;
      };
      std::map<TypeNumber, Identified> by_type;
      for (const std::size_t i : copies) {
        if (ended_[i]) continue;
        const bool is_any = identity == EdgeIdentity::kPair;
        Identified& edge = by_type[is_any ? kAnyType : edges_[i].type];
        edge.sum.Add(edges_[i].weight);
        edge.newest = &edges_[i];
      }
      for (const auto& [type, edge] : by_type) {
        visible.push_back(*edge.newest);
        if (summed) visible.back().weight = edge.sum.Total();
      }
    }
    return visible;
  }

 private:
  void EndOfType(const IdEdge& edge) {
    for (const std::size_t i : of_pair_[edge.pair()]) {
      if (edges_[i].type == edge.type) ended_[i] = true;
    }
  }
  // Ends `copies`. The other lists still contain them, marked as ended.
  void End(std::vector<std::size_t>& copies) {
    for (const std::size_t i : copies) ended_[i] = true;
    copies.clear();
  }

  const bool by_type_;
  std::vector<IdEdge> edges_;
  std::vector<bool> ended_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> of_pair_;
  std::unordered_map<VertexId, std::vector<std::size_t>> of_vertex_;  // at either end
};

}  // namespace

std::vector<IdEdge> ModelEdges(std::span<const SliceOperations* const> slices,
                               DuplicatesPolicy duplicates, EdgeIdentity identity) {
  const bool keeps = duplicates == DuplicatesPolicy::kKeep;
  Copies copies(keeps || identity == EdgeIdentity::kPairAndType);
  for (const SliceOperations* slice : slices) {
    for (const StoreOperation& operation : *slice) copies.Apply(operation);
  }
  std::vector<IdEdge> visible =
      keeps ? copies.All()
            : copies.OnePerIdentity(identity, duplicates == DuplicatesPolicy::kWeigh);
  std::ranges::sort(visible, std::less<>());
  return visible;
}

}  // namespace sash::testing
