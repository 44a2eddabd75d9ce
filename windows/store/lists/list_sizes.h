// ListSizes: where adjacency lists change their shape. What is right for a machine are the
// defaults; tests make everything small, so that short scripts reach every shape.
#pragma once

#include <cstdint>

namespace sash {

struct ListSizes {
  std::uint32_t most_short = 1024;      // a list of more edges becomes long
  std::uint32_t fewest_long = 256;      // a long list of fewer edges becomes short
  std::uint32_t fewest_indexed = 8192;  // a list of so many edges that is searched gets an index
  std::uint32_t least_spare = 64;       // slots that a block may always waste
  unsigned slot_bits = 12;              // a chunk of a long list has at most 2^slot_bits slots,
  std::uint32_t least_slots = 64;       // and at least so many
  std::uint32_t segment_entries = 384;  // of a neighbour index, on average
  std::uint32_t segment_capacity = 64;  // of its smallest segment; a power of two
};

}  // namespace sash
