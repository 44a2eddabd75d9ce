// SlotLives: when the edges in the slots of a block were born or died, and which slots a view sees.
//
// A life is a number for each slot; behind the lives is a bit for each slot, set once it has died.
// Reading the bits takes a thirty-second of the memory, but they are right for a view only if no
// death is newer than the view.
//
// Thread safety: one writer; readers of published slots need no lock.
//
// Invariants
//   (1) A life is the slice in which its edge was born, or once dead the slice in which it died: an
//       edge is visible in a view of slice q while it is alive or died after q (deletion vector,
//       LLAMA thesis §4.4.1).
//   (2) Without lives no slot ever dies.
//   (3) A slot's bit among the dead is set once it has died. So if no death is newer than a view,
//       the bits say the same to this view as the lives.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "windows/base/ids.h"

namespace sash {

// A SliceId as slots store it.
using SliceNumber = std::uint32_t;

class SlotLives {
 public:
  static constexpr SliceNumber kMostSlices = 0x7FFF'FFFF;
  static constexpr std::uint32_t kDead = 0x8000'0000;  // the bit of a life that has ended

  // For `capacity` slots, without lives until Use().
  explicit SlotLives(std::uint32_t capacity) : capacity_(capacity) {}

  // Memory for lives and bits: size() numbers, which the owner of the slots owns. Nothing is dead.
  void Use(std::uint32_t* memory) {
    lives_ = memory;
    std::memset(dead(), 0, DeadWords() * sizeof(std::uint32_t));
  }
  std::size_t size() const { return capacity_ + DeadWords(); }
  std::uint32_t* lives() const { return lives_; }  // null: without lives
  std::uint32_t capacity() const { return capacity_; }

  bool IsDead(std::uint32_t slot) const { return lives_ && (Life(slot) & kDead) != 0; }
  bool IsVisible(std::uint32_t slot, SliceNumber view) const {
    const std::uint32_t life = Life(slot);
    return (life & kDead) == 0 || (life & ~kDead) > view;
  }
  // Copies the `neighbours` of the newest visible slots in [0, end), at most `most` of them, to the
  // end of [to, to + most), in the order of slots. Returns their number; `end` becomes the slot
  // before which to continue. With lives.
  std::uint32_t CopyVisible(const VertexId* neighbours, std::uint32_t& end, std::uint32_t most,
                            SliceNumber view, VertexId* to) const;
  // The shortest stretch before `end` that has `wanted` > 0 visible slots, if it is short and the
  // bits are right for the view: its number of slots, and a bit for each dead slot, the last slot
  // highest. 0 slots: use FindOldest().
  struct Stretch {
    std::uint32_t slots = 0;
    std::uint32_t dead = 0;  // in the lower `slots` bits
  };
  Stretch FindShort(std::uint32_t end, std::uint32_t wanted, SliceNumber view) const {
    const std::uint32_t most = std::min(kWord, end);
    if (most == 0) return {};
    const std::uint32_t dead = DeadBits(end - most) << (kWord - most);  // the last slot highest
    std::uint32_t slots = wanted;
    // Each dead slot among them lengthens the stretch by one.
    for (std::uint32_t left = dead; slots <= most && left != 0; ++slots) {
      const auto newer = static_cast<std::uint32_t>(std::countl_zero(left));
      if (newer >= slots) break;
      left &= ~(1u << (kWord - 1 - newer));
    }
    if (slots > most || !AllDiedBy(view)) return {};
    return {slots, dead >> (kWord - slots)};
  }
  // The slot, `begin` or later, such that `wanted` > 0 slots between it and `end` are visible;
  // `begin` if there are fewer. `wanted` becomes the number that is missing.
  std::uint32_t FindOldest(std::uint32_t begin, std::uint32_t end, std::uint32_t& wanted,
                           SliceNumber view) const {
    // Most lists are short.
    if (const Stretch found = FindShort(end, wanted, view);
        found.slots > 0 && found.slots <= end - begin) {
      wanted = 0;
      return end - found.slots;
    }
    return SearchOldest(begin, end, wanted, view);
  }
  // Writes the `count` slots in [begin, end) that are not visible to `to`, ascending. False: the
  // bits are not right for the view.
  bool ListDead(std::uint32_t begin, std::uint32_t end, std::uint32_t count, SliceNumber view,
                std::uint32_t* to) const;

  // Whether any slot has died. A reader may miss deaths newer than its view; they do not matter.
  bool has_dead() const { return newest_death_.load(std::memory_order_relaxed) != 0; }

  // The slot must not be dead, and must have lives.
  SliceNumber birth(std::uint32_t slot) const { return Life(slot); }
  void Write(std::uint32_t slot, SliceNumber birth) { lives_[slot] = birth; }

  void Kill(std::uint32_t slot, SliceNumber death) {
    // Before the bit: a reader that sees the bit also sees that the death may be too new.
    const SliceNumber newest = newest_death_.load(std::memory_order_relaxed);
    newest_death_.store(std::max(newest, death | kDead), std::memory_order_relaxed);
    std::atomic_ref(lives_[slot]).store(death | kDead, std::memory_order_relaxed);
    const std::atomic_ref word(dead()[slot / kWord]);
    word.store(word.load(std::memory_order_relaxed) | 1u << slot % kWord,
               std::memory_order_release);
  }
  // Marks slots as dead whose lives have been copied: of `count` slots from `to` on, those that are
  // dead in `from`, where they begin at `first`.
  void CopyDeaths(const SlotLives& from, std::uint32_t first, std::uint32_t count,
                  std::uint32_t to);

  // Fetches ahead the bits around a slot.
  void PrefetchDead(std::uint32_t slot) const { __builtin_prefetch(&dead()[slot / kWord]); }

 private:
  static constexpr std::uint32_t kWord = 32;  // slots whose bits are read together

  // A bit for each slot, behind the lives, and one more word that may be read.
  std::uint32_t* dead() const { return lives_ + capacity_; }
  std::size_t DeadWords() const { return capacity_ / kWord + 2; }
  // The bits of the kWord slots from `first` on.
  std::uint32_t DeadBits(std::uint32_t first) const {
    const std::uint64_t low = LoadWord(first / kWord);
    const std::uint64_t high = LoadWord(first / kWord + 1);
    return static_cast<std::uint32_t>((high << kWord | low) >> first % kWord);
  }
  std::uint32_t LoadWord(std::size_t word) const {
    return std::atomic_ref(dead()[word]).load(std::memory_order_acquire);
  }
  // The slots that are not dead among the `count` <= kWord slots before `end`, as the lower `count`
  // bits; the last slot is the highest of them.
  std::uint32_t AliveBefore(std::uint32_t end, std::uint32_t count) const {
    return ~DeadBits(end - count) & (0xFFFF'FFFFu >> (kWord - count));
  }
  // Whether bits that have just been read are right for the view.
  bool AllDiedBy(SliceNumber view) const {
    return newest_death_.load(std::memory_order_relaxed) <= (view | kDead);
  }

  // The part of CopyVisible() that AVX-512 or AVX2 can do, by lives or by bits alone. The caller
  // copies the rest.
  struct ByBits;
  void CopyVisibleWide(const VertexId* neighbours, std::uint32_t& end, std::uint32_t& left,
                       SliceNumber view, VertexId* to) const;
  void CopyAliveWide(const VertexId* neighbours, std::uint32_t& end, std::uint32_t& left,
                     VertexId* to) const;

  std::uint32_t SearchOldest(std::uint32_t begin, std::uint32_t end, std::uint32_t& wanted,
                             SliceNumber view) const;
  // The same by bits alone; `end` becomes the slot.
  void FindOldestAlive(std::uint32_t begin, std::uint32_t& end, std::uint32_t& wanted) const;
  struct CountsBits;
  [[gnu::always_inline]] void FindOldestAliveInline(std::uint32_t begin, std::uint32_t& end,
                                                    std::uint32_t& wanted) const {
    while (end > begin && wanted > 0) {
      const std::uint32_t some = std::min(end - begin, kWord);
      std::uint32_t alive = AliveBefore(end, some);
      const auto count = static_cast<std::uint32_t>(std::popcount(alive));
      end -= some;
      if (count < wanted) {
        wanted -= count;
        continue;
      }
      // The highest bits are wanted; the others are cleared.
      for (std::uint32_t more = count - wanted; more > 0; --more) alive &= alive - 1;
      wanted = 0;
      end += static_cast<std::uint32_t>(std::countr_zero(alive));
    }
  }

  std::uint32_t Life(std::uint32_t slot) const {
    return std::atomic_ref(lives_[slot]).load(std::memory_order_relaxed);
  }

  const std::uint32_t capacity_;
  std::atomic<SliceNumber> newest_death_ = 0;  // with the bit kDead; 0: none
  std::uint32_t* lives_ = nullptr;             // behind them are the bits of dead slots
};

}  // namespace sash
