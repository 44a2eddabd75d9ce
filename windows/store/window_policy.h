// How a window treats duplicates, and how it is stored (configuration: windows[]).
//
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <memory_resource>

namespace sash {

// Duplicates are edges with the same source and target within one window: SLOTH's three types.
enum class DuplicatesPolicy : std::uint8_t {
  kKeep,   // type 1: parallel edges
  kDrop,   // type 2: one edge with the newest weight
  kWeigh,  // type 3: one edge with the sum of the weights
};

// Which edges with the same source and target are duplicates.
enum class EdgeIdentity : std::uint8_t {
  kPair,         // all; an edge has the type of its newest copy
  kPairAndType,  // those of the same type
};

enum class StoreKind : std::uint8_t {
  kMultiversioned,  // the cost of an advance depends on what entered and left
  kRebuild,         // an advance builds one CSR of the whole window
  kArchive,         // publishes nothing; earlier windows are made on request (history)
};

// Windows of one axis with equal specs share one store.
struct StoreSpec {
  StoreKind kind = StoreKind::kMultiversioned;
  DuplicatesPolicy duplicates = DuplicatesPolicy::kKeep;
  // Whether slices may hold removals. Without removals, a keep window needs no deletion vector.
  bool removals = true;
  // Where the multiversioned store allocates edges; null: on the heap. It must outlive every view.
  std::pmr::memory_resource* slots = nullptr;
  EdgeIdentity identity = EdgeIdentity::kPair;  // of drop and weigh

  // Whether a removal with a type ends the edges of this type alone.
  bool removes_by_type() const {
    return duplicates == DuplicatesPolicy::kKeep || identity == EdgeIdentity::kPairAndType;
  }
  friend bool operator==(const StoreSpec&, const StoreSpec&) = default;
};

}  // namespace sash
