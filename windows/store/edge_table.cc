#include "windows/store/edge_table.h"

#include <algorithm>
#include <limits>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"
#include "windows/store/radix_sort.h"

namespace sash {
namespace {

// An edge on its way into the table: its owner and neighbour as one key, and its place in the
// slice.
struct Placed {
  std::uint64_t key;
  std::uint32_t place;
};

std::uint64_t KeyOf(VertexId owner, VertexId neighbour) {
  return static_cast<std::uint64_t>(owner) << 32 | neighbour;
}

}  // namespace

EdgeTable::EdgeTable(const Slice& slice, EdgeDirection direction) {
  SASH_CHECK(slice.operations.empty());
  SASH_CHECK(slice.size() < std::numeric_limits<std::uint32_t>::max());
  const auto& owners = direction == EdgeDirection::kOut ? slice.sources : slice.targets;
  const auto& others = direction == EdgeDirection::kOut ? slice.targets : slice.sources;

  std::vector<Placed> edges(slice.size());
  for (std::uint32_t i = 0; i < edges.size(); ++i) edges[i] = {KeyOf(owners[i], others[i]), i};
  RadixSort(edges, [](const Placed& edge) { return edge.key; });

  neighbours_.reserve(edges.size());
  weights_ = WeightColumn(edges.size(), slice.weights.kind());
  for (const Placed& edge : edges) {
    const auto owner = static_cast<VertexId>(edge.key >> 32);
    const auto slot = static_cast<std::uint32_t>(neighbours_.size());
    if (vertices_.empty() || vertices_.back() != owner) {
      vertices_.push_back(owner);
      starts_.push_back(slot);
    }
    neighbours_.push_back(static_cast<VertexId>(edge.key));
    weights_.Set(slot, slice.weights[edge.place]);
  }
  starts_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  older_.resize(vertices_.size());
  vertices_.shrink_to_fit();
  starts_.shrink_to_fit();
}

std::uint32_t EdgeTable::LowerBound(VertexId v) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(vertices_, v) - vertices_.begin());
}

std::size_t EdgeTable::bytes() const {
  return sizeof(EdgeTable) + AllocatedBytes(vertices_) + AllocatedBytes(starts_) +
         AllocatedBytes(neighbours_) + AllocatedBytes(older_) + weights_.bytes();
}

}  // namespace sash
