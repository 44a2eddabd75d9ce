// EdgeId: the id that a mapping gave an edge (configuration: the mapping's `id`), as 128 bits in
// which ids of different entries of mappings differ. It decides whether the edge is a duplicate.
//
// Thread safety: a plain value.
#pragma once

#include <cstdint>

namespace sash {

// All bits zero: the edge has no id, and is never a duplicate.
struct EdgeId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool is_set() const { return (high | low) != 0; }
  friend bool operator==(const EdgeId&, const EdgeId&) = default;
};

}  // namespace sash
