// MemoryUse: the bytes that a store holds, by purpose.
//
// Thread safety: plain values.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace sash {

struct MemoryUse {
  std::size_t lists = 0;          // neighbours and weights, with the room kept for more
  std::size_t vertex_tables = 0;  // where lists are, degrees
  std::size_t deletions = 0;      // deletion vectors
  std::size_t absorbed = 0;       // the weights of absorbed copies, and the slots' links to them
  std::size_t index = 0;          // the neighbours of long lists, for finding duplicates
  std::size_t touched = 0;        // which vertices a slice touched
  std::size_t events = 0;         // slices kept as events
  std::size_t history = 0;        // archived slices (SliceArchive)
  std::size_t views = 0;          // what only published views hold
  std::size_t total() const;
  MemoryUse& operator+=(const MemoryUse& other);
  MemoryUse& operator-=(const MemoryUse& other);
  friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

// The parts by name, for code that iterates over them.
struct MemoryPart {
  std::string_view name;
  std::size_t MemoryUse::*bytes;
};
inline constexpr std::array<MemoryPart, 9> kMemoryParts = {
    {{"lists", &MemoryUse::lists},
     {"vertex_tables", &MemoryUse::vertex_tables},
     {"deletions", &MemoryUse::deletions},
     {"absorbed", &MemoryUse::absorbed},
     {"index", &MemoryUse::index},
     {"touched", &MemoryUse::touched},
     {"events", &MemoryUse::events},
     {"history", &MemoryUse::history},
     {"views", &MemoryUse::views}}};
static_assert(sizeof(MemoryUse) == kMemoryParts.size() * sizeof(std::size_t));

inline std::size_t MemoryUse::total() const {
  std::size_t sum = 0;
  for (const MemoryPart& part : kMemoryParts) sum += this->*part.bytes;
  return sum;
}
inline MemoryUse& MemoryUse::operator+=(const MemoryUse& other) {
  for (const MemoryPart& part : kMemoryParts) this->*part.bytes += other.*part.bytes;
  return *this;
}
inline MemoryUse& MemoryUse::operator-=(const MemoryUse& other) {
  for (const MemoryPart& part : kMemoryParts) this->*part.bytes -= other.*part.bytes;
  return *this;
}

// The bytes that a part of a store holds in its newest version.
struct HeldMemory {
  MemoryUse use;
  std::size_t versioned = 0;  // of `use`: shared with views, which may keep it (CountedBytes)
  HeldMemory& operator+=(const HeldMemory& other) {
    use += other.use;
    versioned += other.versioned;
    return *this;
  }
  HeldMemory& operator-=(const HeldMemory& other) {
    use -= other.use;
    versioned -= other.versioned;
    return *this;
  }
  friend bool operator==(const HeldMemory&, const HeldMemory&) = default;
};

}  // namespace sash
