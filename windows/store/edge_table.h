// EdgeTable: the edges of one slice in one direction, as fragments in vertex order, each with the
// link to the next older fragment of its vertex (explicit linking, LLAMA thesis §4.4).
//
// Thread safety: immutable once linked.
//
// Invariants
//   (1) vertices() ascends strictly; every fragment has at least one edge and ascends by neighbour.
//   (2) A link leads to an older slice; it is meaningful only while that slice is retained, and
//       readers stop at the live degree before they would follow a stale one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/weight_column.h"
#include "windows/ingest/slice.h"

namespace sash {

enum class EdgeDirection : std::uint8_t { kOut, kIn };

struct FragmentLink {
  std::uint32_t slices_back = 0;  // 0: there is no older fragment
  std::uint32_t fragment = 0;     // its place in the older slice's table
};
static_assert(sizeof(FragmentLink) == 8);

class EdgeTable {
 public:
  // The adds of `slice`, which holds nothing else. O(edges log edges) at worst, whatever the ids.
  EdgeTable(const Slice& slice, EdgeDirection direction);

  std::size_t fragment_count() const { return vertices_.size(); }
  std::size_t edge_count() const { return neighbours_.size(); }
  std::span<const VertexId> vertices() const { return vertices_; }
  VertexId vertex(std::uint32_t fragment) const { return vertices_[fragment]; }
  std::uint32_t begin(std::uint32_t fragment) const { return starts_[fragment]; }
  std::uint32_t end(std::uint32_t fragment) const { return starts_[fragment + 1]; }
  std::uint32_t length(std::uint32_t fragment) const { return end(fragment) - begin(fragment); }
  VertexId neighbour(std::uint32_t slot) const { return neighbours_[slot]; }
  Weight weight(std::uint32_t slot) const { return weights_[slot]; }
  FragmentLink older(std::uint32_t fragment) const { return older_[fragment]; }

  // The first fragment of a vertex not below `v`.
  std::uint32_t LowerBound(VertexId v) const;

  // Only while the table is being added to its store.
  void Link(std::uint32_t fragment, FragmentLink older) { older_[fragment] = older; }

  std::size_t bytes() const;

 private:
  std::vector<VertexId> vertices_;
  std::vector<std::uint32_t> starts_;  // fragment_count() + 1
  std::vector<VertexId> neighbours_;
  std::vector<FragmentLink> older_;
  WeightColumn weights_;
};

}  // namespace sash
