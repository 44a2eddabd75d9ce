// SliceTable: the edges of one slice in one direction as fragments in vertex order: shared by the
// layouts with a table for each slice.
//
// Not implemented, here and in all the layouts: removals by name, threads; weights, apart from
// forward_layout.h.
//
// Thread safety: immutable.
//
// Invariants
//   (1) Vertices ascend strictly; every fragment has at least one edge and ascends by neighbour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/ingest/slice.h"

namespace sash::bench {

enum class Direction : std::uint8_t { kOut, kIn };

// An edge that dies before it ages out. No other live edge of its slice has the same ends.
struct Death {
  VertexId source = 0;
  VertexId target = 0;
  std::uint64_t slice = 0;  // the slice that added the edge
};

// A death in one direction.
struct OwnedDeath {
  VertexId owner = 0;
  VertexId neighbour = 0;
  std::uint64_t slice = 0;
};

// Ascending by owner, then neighbour.
std::vector<OwnedDeath> ByOwner(std::span<const Death> deaths, Direction direction);

class SliceTable {
 public:
  SliceTable(const Slice& slice, Direction direction);

  std::uint32_t fragment_count() const { return static_cast<std::uint32_t>(vertices_.size()); }
  VertexId vertex(std::uint32_t fragment) const { return vertices_[fragment]; }
  std::uint32_t begin(std::uint32_t fragment) const { return starts_[fragment]; }
  std::uint32_t end(std::uint32_t fragment) const { return starts_[fragment + 1]; }
  std::uint32_t length(std::uint32_t fragment) const { return end(fragment) - begin(fragment); }
  std::uint32_t edge_count() const { return starts_.back(); }
  const VertexId* neighbours() const { return neighbours_.data(); }
  std::span<const VertexId> row(std::uint32_t fragment) const {
    return {neighbours() + begin(fragment), neighbours() + end(fragment)};
  }

  // The first fragment of a vertex not below `v`.
  std::uint32_t LowerBound(VertexId v) const;
  // The slot of the edge to `neighbour` in that fragment.
  std::uint32_t SlotOf(std::uint32_t fragment, VertexId neighbour) const;

  std::size_t bytes() const {
    return sizeof(SliceTable) + vertices_.capacity() * 4 + starts_.capacity() * 4 +
           neighbours_.capacity() * 4;
  }

 private:
  std::vector<VertexId> vertices_;
  std::vector<std::uint32_t> starts_;  // fragment_count() + 1
  std::vector<VertexId> neighbours_;
};

}  // namespace sash::bench
