// ListSizes: the sizes at which adjacency lists change their shape. The defaults are right for real
// machines. Tests make all sizes small, so that short scripts reach every shape.
#pragma once

#include <cstdint>

namespace sash {

struct ListSizes {
  std::uint32_t most_short = 1024;      // a list of more edges becomes long
  std::uint32_t fewest_long = 256;      // a long list of fewer edges becomes short
  std::uint32_t fewest_indexed = 8192;  // a searched list of this number of edges gets an index
  std::uint32_t least_spare = 64;       // slots that a block may always waste
  unsigned slot_bits = 12;              // a chunk of a long list has at most 2^slot_bits slots,
  std::uint32_t least_slots = 64;       // and at least this number
  std::uint32_t segment_entries = 384;  // of a neighbour index, on average
  std::uint32_t segment_capacity = 64;  // of its smallest segment; a power of two
};

}  // namespace sash
