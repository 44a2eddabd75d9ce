// PlaceInList: where an edge is among those of a vertex: in which of its lists, and behind how many
// older edges at least. Two bytes, because a run that follows its window looks at many places.
//
// Thread safety: a value.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sash {

class PlaceInList {
 public:
  enum class List : std::uint8_t { kNone, kOut, kIn, kLeft };  // kLeft: the edge may have left

  PlaceInList() = default;
  PlaceInList(List list, std::uint32_t older)
      : list_(static_cast<std::uint16_t>(list) & kMostList),
        older_(static_cast<std::uint16_t>(std::min(older, kMostOlder)) & kMostOlder) {}

  List list() const { return static_cast<List>(list_); }
  // The place of this edge in the list of its other end, of which nothing else is known.
  PlaceInList Across() const { return {list() == List::kOut ? List::kIn : List::kOut, 0}; }
  PlaceInList WithoutOlder() const { return {list(), 0}; }

  // The list has lost its `edges` oldest edges. Returns whether this edge may be among them; then
  // it has left. Whether it is this list cannot be predicted, so there is no branch for it.
  bool Lose(List list, std::uint32_t edges) {
    const std::uint32_t lost = list == this->list() ? edges : 0;
    if (older_ < lost) {
      *this = {List::kLeft, 0};
      return true;
    }
    older_ = static_cast<std::uint16_t>(older_ - lost) & kMostOlder;
    return false;
  }

 private:
  static constexpr unsigned kListBits = 2;
  static constexpr unsigned kOlderBits = 14;
  static constexpr std::uint32_t kMostList = (1U << kListBits) - 1;
  static constexpr std::uint32_t kMostOlder = (1U << kOlderBits) - 1;

  std::uint16_t list_ : kListBits = 0;
  std::uint16_t older_ : kOlderBits = 0;
};

}  // namespace sash
