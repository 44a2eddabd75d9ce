// PairFilter: says that a list of a page surely does not have an edge, so that the whole list need
// not be searched for a new edge.
//
// A Bloom filter whose bits for one key lie in one word (Putze, Sanders, Singler: Cache-, hash- and
// space-efficient Bloom filters, WEA 2007, §3). Edges are never removed: when the filter is
// full, its owner makes a new filter of the edges that are alive then. The hash is keyed, because
// an attacker may choose the edges: with a hash that the attacker can compute, MayHold() would be
// true of all of them.
//
// Thread safety: like a vector.
//
// Invariants
//   (1) MayHold() is true of every inserted edge. While the filter is not full, it is true of at
//       most about one in thirty other edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/base/ids.h"
#include "windows/base/keyed_hash.h"

namespace sash {

class PairFilter {
 public:
  // A filter for `edges` is full after half as many more. A filter for 0 edges is full, and takes
  // no memory. `hash`: tests may fix its secret.
  explicit PairFilter(std::size_t edges = 0, KeyedHash hash = KeyedHash())
      : hash_(hash),
        most_(edges == 0 ? 0 : edges + edges / 2 + kFewest),
        words_(edges == 0 ? 0 : most_ / kEdgesPerWord + 1) {}

  // `local`: the number of the list in its page.
  void Insert(std::uint32_t local, VertexId neighbour) {
    const std::uint64_t hash = Hash(local, neighbour);
    words_[Place(hash)] |= Bits(hash);
    ++inserted_;
  }

  bool MayHold(std::uint32_t local, VertexId neighbour) const {
    if (words_.empty()) return false;
    const std::uint64_t hash = Hash(local, neighbour);
    const std::uint64_t bits = Bits(hash);
    return (words_[Place(hash)] & bits) == bits;
  }

  void Prefetch(std::uint32_t local, VertexId neighbour) const {
    __builtin_prefetch(words_.data() + Place(Hash(local, neighbour)), 1);
  }

  bool is_full() const { return inserted_ >= most_; }
  // Much too large for `edges`.
  bool is_oversized(std::size_t edges) const { return most_ > 4 * (edges + kFewest); }
  std::size_t bytes() const { return AllocatedBytes(words_); }

 private:
  static constexpr std::size_t kFewest = 32;
  static constexpr std::size_t kEdgesPerWord = 6;  // in a full filter

  std::uint64_t Hash(std::uint32_t local, VertexId neighbour) const {
    return hash_(std::uint64_t{local} << 32 | neighbour);
  }
  // The upper half of the hash chooses the word. Four groups of six lower bits choose bits in it.
  std::size_t Place(std::uint64_t hash) const { return (hash >> 32) * words_.size() >> 32; }
  static std::uint64_t Bits(std::uint64_t hash) {
    const auto bit = [](std::uint64_t h) { return std::uint64_t{1} << (h & 63); };
    return bit(hash) | bit(hash >> 6) | bit(hash >> 12) | bit(hash >> 18);
  }

  KeyedHash hash_;
  std::size_t most_;
  std::size_t inserted_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace sash
