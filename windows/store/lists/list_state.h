// ListState: the state of an adjacency list that only the writer needs: the number of live edges,
// and for a short list also where it begins and how much room is behind it.
//
// It has eight bytes, because a graph has more short lists than anything else. The two counts of a
// short list have 16 bits each; a long list has only the number of its edges.
//
// Thread safety: none.
//
// Invariants
//   (1) room() and start() may be called for short lists only.
//   (2) A short list has at most kMostShort live edges and at most twice as much room.
#pragma once

#include <cstdint>

namespace sash {

class ListState {
 public:
  static constexpr std::uint32_t kMostShort = 1 << 14;

  static ListState Short(std::uint32_t start, std::uint32_t alive, std::uint32_t room) {
    return {start, alive | room << kCountBits};
  }
  static ListState Long(std::uint32_t alive) { return {kIsLong, alive}; }

  ListState() = default;  // short, without edges and room

  std::uint32_t alive() const { return (start_ & kIsLong) != 0 ? counts_ : counts_ & kCount; }
  std::uint32_t room() const { return counts_ >> kCountBits; }
  std::uint32_t start() const { return start_; }  // garbage included

  void AddAlive(std::uint32_t count) { counts_ += count; }
  void RemoveAlive(std::uint32_t count) { counts_ -= count; }
  void AddRoom(std::uint32_t count) { counts_ += count << kCountBits; }
  void TakeRoom(std::uint32_t count) { counts_ -= count << kCountBits; }

 private:
  static constexpr unsigned kCountBits = 16;
  static constexpr std::uint32_t kCount = (1u << kCountBits) - 1;
  static constexpr std::uint32_t kIsLong = 0x8000'0000;

  ListState(std::uint32_t start, std::uint32_t counts) : start_(start), counts_(counts) {}

  std::uint32_t start_ = 0;   // or kIsLong
  std::uint32_t counts_ = 0;  // room and alive, or alive
};

}  // namespace sash
