#pragma once

#include <compare>
#include <cstdint>

namespace sash {

// A 64-bit integer with a type of its own: SliceId{1} == SnapshotId{1} does not compile.
template <typename Tag>
struct Id {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(Id, Id) = default;
};

using SnapshotId = Id<struct SnapshotTag>;
using SliceId = Id<struct SliceTag>;

// Vertices index arrays in every kernel's inner loop, so they stay plain integers.
using VertexId = std::uint32_t;

inline constexpr VertexId kNoVertex = 0xFFFF'FFFF;

// The index of a (topic, partition) in the PartitionTable.
using PartitionIndex = std::uint32_t;

}  // namespace sash
