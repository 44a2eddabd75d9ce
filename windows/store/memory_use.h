// MemoryUse: what a store holds, in bytes, by what it is for.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace sash {

struct MemoryUse {
  std::size_t lists = 0;          // neighbours and weights, with the room kept for more
  std::size_t vertex_tables = 0;  // where lists are, degrees
  std::size_t deletions = 0;      // deletion vectors
  std::size_t absorbed = 0;       // absorbed copies and the sums of their weights
  std::size_t index = 0;          // the neighbours of long lists, for finding duplicates
  std::size_t touched = 0;        // which vertices a slice touched
  std::size_t events = 0;         // slices kept as events
  std::size_t total() const {
    return lists + vertex_tables + deletions + absorbed + index + touched + events;
  }
  MemoryUse& operator+=(const MemoryUse& other) {
    lists += other.lists;
    vertex_tables += other.vertex_tables;
    deletions += other.deletions;
    absorbed += other.absorbed;
    index += other.index;
    touched += other.touched;
    events += other.events;
    return *this;
  }
};

// The parts by name, for whoever goes through them.
struct MemoryPart {
  std::string_view name;
  std::size_t MemoryUse::*bytes;
};
inline constexpr std::array<MemoryPart, 7> kMemoryParts = {
    {{"lists", &MemoryUse::lists},
     {"vertex_tables", &MemoryUse::vertex_tables},
     {"deletions", &MemoryUse::deletions},
     {"absorbed", &MemoryUse::absorbed},
     {"index", &MemoryUse::index},
     {"touched", &MemoryUse::touched},
     {"events", &MemoryUse::events}}};

}  // namespace sash
