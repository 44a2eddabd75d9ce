// Finding an edge in a list: among its slots in [first, end) of a block.
//
// Thread safety: for the writer of the block.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "windows/store/lists/edge_block.h"

namespace sash {

// The last slot whose neighbour is `key`, dead or alive; `end` if there is none.
inline std::uint32_t FindLast(const EdgeBlock& block, std::uint32_t first, std::uint32_t end,
                              VertexId key) {
  // The compiler's vectors: 16 comparisons without a branch.
  using Vector [[gnu::vector_size(16)]] = std::uint32_t;
  constexpr std::uint32_t kWidth = 4;
  constexpr std::uint32_t kStep = 4 * kWidth;
  const VertexId* const neighbours = block.neighbours();
  const Vector wanted = Vector{} + key;
  const auto equal = [&](std::uint32_t slot) {
    Vector slots;
    std::memcpy(&slots, neighbours + slot, sizeof(slots));
    return slots == wanted;
  };
  std::uint32_t i = end;
  for (; i - first >= kStep; i -= kStep) {
    const auto found =
        equal(i - kWidth) | equal(i - 2 * kWidth) | equal(i - 3 * kWidth) | equal(i - 4 * kWidth);
    std::uint64_t halves[2];
    std::memcpy(halves, &found, sizeof(halves));
    if ((halves[0] | halves[1]) != 0) break;
  }
  while (i > first) {
    if (neighbours[--i] == key) return i;
  }
  return end;
}

// The sort key of lists (rule R2).
struct BirthKey {
  SliceNumber birth = 0;
  VertexId neighbour = 0;
  friend auto operator<=>(const BirthKey&, const BirthKey&) = default;
};

// The first slot from which on no live edge has a key up to `wanted`. A dead slot does not have its
// birth any more, so the search steps over it. The search begins at the slot `guess` and costs
// O(log(distance from the guess) + dead slots met).
inline std::uint32_t FindBehind(const EdgeBlock& block, std::uint32_t first, std::uint32_t end,
                                BirthKey wanted, std::uint32_t guess) {
  const auto is_behind = [&](std::uint32_t slot) {
    const SliceNumber birth = block.birth(slot);
    return birth != wanted.birth ? birth > wanted.birth : block.neighbour(slot) > wanted.neighbour;
  };
  std::uint32_t step = 8;  // away from the guess, until the place is between two steps
  for (std::uint32_t middle = guess; first < end;) {
    std::uint32_t alive = middle;
    while (alive > first && block.IsDead(alive)) --alive;
    const bool goes_on = block.IsDead(alive) || !is_behind(alive);
    if (goes_on) {
      first = middle + 1;
    } else {
      end = alive;
    }
    const std::uint32_t half = (end - first) / 2;
    if (half == 0) {
      middle = first;
    } else {
      middle = goes_on ? first + std::min(step, half) : end - 1 - std::min(step, half - 1);
    }
    step = std::min(step * 2, 0x1000'0000u);
  }
  return end;
}

// A guess where an edge born in `birth` is among `count` slots, over which the slices
// [oldest, newest] are spread about evenly.
inline std::uint32_t GuessPlace(std::uint32_t count, SliceNumber oldest, SliceNumber newest,
                                SliceNumber birth) {
  if (count == 0) return 0;
  const std::uint64_t age = newest - std::clamp(birth, oldest, newest);
  const std::uint64_t behind = count * (2 * age + 1) / (2 * (std::uint64_t{newest} - oldest + 1));
  return count - 1 - static_cast<std::uint32_t>(std::min<std::uint64_t>(behind, count - 1));
}

// Kills the edges with `key` and of this type, which are all before `behind` (FindBehind). Returns
// their number.
inline std::uint32_t KillBefore(EdgeBlock& block, std::uint32_t first, std::uint32_t behind,
                                BirthKey key, TypeNumber type, SliceNumber death) {
  std::uint32_t slot = behind;
  while (slot > first && block.IsDead(slot - 1)) --slot;
  std::uint32_t killed = 0;
  // Copies of an edge are adjacent, dead or alive.
  for (; slot > first && block.neighbour(slot - 1) == key.neighbour; --slot) {
    if (block.IsDead(slot - 1)) continue;
    if (block.birth(slot - 1) != key.birth) break;
    if (type != kAnyType && block.type(slot - 1) != type) continue;
    block.Kill(slot - 1, death);
    ++killed;
  }
  return killed;
}

}  // namespace sash
