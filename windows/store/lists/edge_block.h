// EdgeBlock: a stretch of slots, each for an edge of one direction: the other end, and beside it
// the columns that the store's policy needs. Several lists lie in a block, or a part of one long
// list.
//
// A slot is written once, before any view can see it, and never moves; what moves is copied to
// another block. The one thing that changes in a slot that a view sees is its death.
//
// Thread safety: one writer; readers of published slots need no lock.
//
// Invariants
//   (1) A life is the slice in which its edge was born, or once dead the slice in which it died: an
//       edge is visible in a view of slice q while it is alive or died after q (deletion vector,
//       LLAMA thesis §4.4.1).
//   (2) Without the column `lives` no slot ever dies.
//   (3) A slot's bit among the dead is set once it has died. So in a view that no death is newer
//       than, the bits are what lives would tell, in a thirty-second of the memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"
#include "windows/base/column.h"
#include "windows/base/ids.h"
#include "windows/base/weight_column.h"
#include "windows/store/counted_bytes.h"
#include "windows/store/memory_use.h"

namespace sash {

// A SliceId as slots store it.
using SliceNumber = std::uint32_t;

struct SlotLayout {
  bool lives = false;  // edges may die before they age out
  bool links = false;  // a number of the owner's beside each edge
  WeightColumn::Kind weights = WeightColumn::Kind::kOnes;
  // Where the columns lie; null: on the heap. It outlives them, and any thread gives them back.
  std::pmr::memory_resource* memory = nullptr;
  friend bool operator==(const SlotLayout&, const SlotLayout&) = default;
};

// What a slot holds.
struct SlotContent {
  VertexId neighbour = 0;
  SliceNumber birth = 0;
  std::uint32_t link = 0;
  Weight weight{};
};

class EdgeBlock {
 public:
  static constexpr SliceNumber kMostSlices = 0x7FFF'FFFF;
  static constexpr std::uint32_t kDead = 0x8000'0000;  // the bit of a life that has ended

  // `alive` counts the block for as long as anybody holds it.
  EdgeBlock(std::uint32_t capacity, SlotLayout layout, std::shared_ptr<AliveBytes> alive = nullptr)
      : capacity_(capacity),
        layout_(layout),
        counted_(std::move(alive), memory().total()),
        neighbours_(MakeColumn<VertexId>(capacity)) {
    if (layout.lives) {
      lives_ = MakeColumn<std::uint32_t>(capacity + DeadWords());
      std::memset(lives_ + capacity, 0, DeadWords() * sizeof(std::uint32_t));
    }
    if (layout.links) links_ = MakeColumn<std::uint32_t>(capacity);
    if (layout.weights != WeightColumn::Kind::kOnes) weights_ = MakeColumn<std::int64_t>(capacity);
    if (layout.weights == WeightColumn::Kind::kMixed) reals_ = MakeColumn<bool>(capacity);
  }
  ~EdgeBlock() {
    GiveBack(neighbours_, capacity_);
    GiveBack(lives_, capacity_ + DeadWords());
    GiveBack(links_, capacity_);
    GiveBack(weights_, capacity_);
    GiveBack(reals_, capacity_);
  }
  EdgeBlock(const EdgeBlock&) = delete;
  EdgeBlock& operator=(const EdgeBlock&) = delete;

  std::uint32_t capacity() const { return capacity_; }
  const SlotLayout& layout() const { return layout_; }
  const VertexId* neighbours() const { return neighbours_; }
  VertexId neighbour(std::uint32_t slot) const { return neighbours_[slot]; }
  std::uint32_t link(std::uint32_t slot) const { return links_ ? links_[slot] : 0; }
  Weight weight(std::uint32_t slot) const {
    if (!weights_) return Weight();
    if (reals_ && reals_[slot]) return Weight::Real(std::bit_cast<double>(weights_[slot]));
    return Weight::Integer(weights_[slot]);
  }

  bool IsDead(std::uint32_t slot) const { return lives_ && (Life(slot) & kDead) != 0; }
  bool IsVisible(std::uint32_t slot, SliceNumber view) const {
    const std::uint32_t life = Life(slot);
    return (life & kDead) == 0 || (life & ~kDead) > view;
  }
  // Copies the neighbours of the newest visible slots in [0, end), at most `most` of them, to the
  // end of [to, to + most), in the order of slots. Returns how many there are; `end` becomes the
  // slot before which to go on. Of a block with lives.
  std::uint32_t CopyVisible(std::uint32_t& end, std::uint32_t most, SliceNumber view,
                            VertexId* to) const;
  // The last slots before `end` of which `wanted` > 0 are visible, if they are few and bits tell:
  // how many they are, and bits of those that are dead, the last slot highest. 0: only FindOldest()
  // tells.
  struct Stretch {
    std::uint32_t slots = 0;
    std::uint32_t dead = 0;  // so many lower bits
  };
  Stretch FindShort(std::uint32_t end, std::uint32_t wanted, SliceNumber view) const {
    const std::uint32_t most = std::min(kWord, end);
    if (most == 0) return {};
    const std::uint32_t dead = DeadBits(end - most) << (kWord - most);  // the last slot highest
    std::uint32_t slots = wanted;
    // Each that is dead among them takes one more.
    for (std::uint32_t left = dead; slots <= most && left != 0; ++slots) {
      const auto newer = static_cast<std::uint32_t>(std::countl_zero(left));
      if (newer >= slots) break;
      left &= ~(1u << (kWord - 1 - newer));
    }
    if (slots > most || !AllDiedBy(view)) return {};
    return {slots, dead >> (kWord - slots)};
  }
  // The slot from `begin` on from which as many slots before `end` are visible as are wanted, or
  // `begin` if they are fewer; `wanted` becomes how many are lacking. `wanted` > 0.
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
  // The `count` slots in [begin, end) that are not visible, ascending, to `to`. False if only lives
  // tell.
  bool ListDead(std::uint32_t begin, std::uint32_t end, std::uint32_t count, SliceNumber view,
                std::uint32_t* to) const;

  // Whether any slot has died; a reader that misses a death newer than its view loses nothing.
  bool has_dead() const { return newest_death_.load(std::memory_order_relaxed) != 0; }

  // Of a slot that is not dead, in a block with lives.
  SliceNumber birth(std::uint32_t slot) const { return Life(slot); }
  // Of a slot that is not dead; its birth is 0 without lives.
  SlotContent content(std::uint32_t slot) const {
    return {neighbours_[slot], lives_ ? Life(slot) : 0, link(slot), weight(slot)};
  }

  void Write(std::uint32_t slot, const SlotContent& content) {
    neighbours_[slot] = content.neighbour;
    if (lives_) lives_[slot] = content.birth;
    if (links_) links_[slot] = content.link;
    if (weights_) WriteWeight(slot, content.weight);
  }

  bool has_only_neighbours() const { return !lives_ && !links_ && !weights_; }
  void WriteNeighbour(std::uint32_t slot, VertexId neighbour) { neighbours_[slot] = neighbour; }

  // Views of keep, whose links are ordinals, do not read them.
  void SetLink(std::uint32_t slot, std::uint32_t link) { links_[slot] = link; }

  // Fetch ahead: where the columns are; a slot that is read, one that is written, and those right
  // before a slot.
  void PrefetchSelf() const {
    __builtin_prefetch(this);
    __builtin_prefetch(reinterpret_cast<const std::byte*>(this + 1) - 1);
  }
  void Prefetch(std::uint32_t slot) const {
    __builtin_prefetch(&neighbours_[slot]);
    if (lives_) __builtin_prefetch(&lives_[slot], 1);
    if (links_) __builtin_prefetch(&links_[slot]);
  }
  void PrefetchWrite(std::uint32_t slot) const {
    __builtin_prefetch(&neighbours_[slot], 1);
    if (lives_) __builtin_prefetch(&lives_[slot], 1);
    if (links_) __builtin_prefetch(&links_[slot], 1);
    if (weights_) __builtin_prefetch(&weights_[slot], 1);
  }
  void PrefetchNeighbours(std::uint32_t first, std::uint32_t end) const {
    constexpr std::uint32_t kLine = 16;  // slots
    for (std::uint32_t slot = first; slot < end; slot += kLine) {
      __builtin_prefetch(&neighbours_[slot]);
    }
  }

  // The newest slots before `end`, whatever is there.
  void PrefetchNewest(std::uint32_t end, bool with_dead) const {
    if (end > 0) PrefetchRead(end - 1, with_dead);
  }
  void PrefetchRead(std::uint32_t slot, bool with_dead) const {
    __builtin_prefetch(&neighbours_[slot]);
    if (with_dead) __builtin_prefetch(&dead()[slot / kWord]);
  }

  void Kill(std::uint32_t slot, SliceNumber death) {
    // Before the bit: who sees that sees that it may be too new.
    const SliceNumber newest = newest_death_.load(std::memory_order_relaxed);
    newest_death_.store(std::max(newest, death | kDead), std::memory_order_relaxed);
    std::atomic_ref(lives_[slot]).store(death | kDead, std::memory_order_relaxed);
    const std::atomic_ref word(dead()[slot / kWord]);
    word.store(word.load(std::memory_order_relaxed) | 1u << slot % kWord,
               std::memory_order_release);
  }

  // Copies `count` slots of another block, whose weights are of this one's kind or a lesser one.
  void Copy(const EdgeBlock& from, std::uint32_t first, std::uint32_t count, std::uint32_t to) {
    SASH_CHECK(to + count <= capacity_ && from.layout_.weights <= layout_.weights);
    CopyFew(&from.neighbours_[first], count, &neighbours_[to]);
    // The writer is the only one that changes lives: its own reads need no atomics.
    if (lives_) CopyFew(&from.lives_[first], count, &lives_[to]);
    if (lives_ && from.has_dead()) CopyDeaths(from, first, count, to);
    if (links_) CopyFew(&from.links_[first], count, &links_[to]);
    if (weights_) CopyWeights(from, first, count, to);
  }

  MemoryUse memory() const {
    constexpr std::size_t kNumber = sizeof(std::uint32_t);
    const std::size_t numbers = AllocatedBytes(capacity_ * kNumber);
    MemoryUse use{.lists = kSharedBytes<EdgeBlock> + numbers};
    if (layout_.weights != WeightColumn::Kind::kOnes) {
      use.lists += AllocatedBytes(capacity_ * sizeof(std::int64_t));
    }
    if (layout_.weights == WeightColumn::Kind::kMixed) use.lists += AllocatedBytes(capacity_);
    if (layout_.lives) use.deletions = AllocatedBytes((capacity_ + DeadWords()) * kNumber);
    if (layout_.links) use.absorbed = numbers;
    return use;
  }

 private:
  static constexpr std::uint32_t kWord = 32;  // slots whose bits are read together

  // A smart pointer each would be a third of a small block: where it came from, five times.
  template <typename T>
  T* MakeColumn(std::size_t size) const {
    return sash::MakeColumn<T>(size, layout_.memory).release();
  }
  template <typename T>
  void GiveBack(T* column, std::size_t size) const {
    if (column != nullptr) GiveColumnBack{layout_.memory, size * sizeof(T)}(column);
  }

  // A bit a slot, behind the lives, and a word that may be read behind the last.
  std::uint32_t* dead() const { return lives_ + capacity_; }
  std::size_t DeadWords() const { return capacity_ / kWord + 2; }
  // Of the kWord slots from `first` on.
  std::uint32_t DeadBits(std::uint32_t first) const {
    const std::uint64_t low = LoadWord(first / kWord);
    const std::uint64_t high = LoadWord(first / kWord + 1);
    return static_cast<std::uint32_t>((high << kWord | low) >> first % kWord);
  }
  std::uint32_t LoadWord(std::size_t word) const {
    return std::atomic_ref(dead()[word]).load(std::memory_order_acquire);
  }
  // Which of the `count` <= kWord slots before `end` are not dead: the last is the highest of so
  // many bits.
  std::uint32_t AliveBefore(std::uint32_t end, std::uint32_t count) const {
    return ~DeadBits(end - count) & (0xFFFF'FFFFu >> (kWord - count));
  }
  // Once bits have been read: whether they are right for that view.
  bool AllDiedBy(SliceNumber view) const {
    return newest_death_.load(std::memory_order_relaxed) <= (view | kDead);
  }

  // CopyVisible() with AVX-512 or AVX2, as far as these go: the caller copies what is left. By
  // lives, or by bits alone.
  struct ByBits;
  void CopyVisibleWide(std::uint32_t& end, std::uint32_t& left, SliceNumber view,
                       VertexId* to) const;
  void CopyAliveWide(std::uint32_t& end, std::uint32_t& left, VertexId* to) const;

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
      // The highest are wanted: the others go.
      for (std::uint32_t more = count - wanted; more > 0; --more) alive &= alive - 1;
      wanted = 0;
      end += static_cast<std::uint32_t>(std::countr_zero(alive));
    }
  }

  // Most lists are a few edges long: calling memcpy would cost more than copying.
  static void CopyFew(const std::uint32_t* from, std::uint32_t count, std::uint32_t* to) {
    if (count > 16) {
      std::memcpy(to, from, std::size_t{count} * sizeof(*to));
      return;
    }
    for (; count >= 2; count -= 2, from += 2, to += 2) std::memcpy(to, from, 2 * sizeof(*to));
    if (count == 1) *to = *from;
  }
  void CopyDeaths(const EdgeBlock& from, std::uint32_t first, std::uint32_t count,
                  std::uint32_t to);
  void CopyWeights(const EdgeBlock& from, std::uint32_t first, std::uint32_t count,
                   std::uint32_t to);

  std::uint32_t Life(std::uint32_t slot) const {
    return std::atomic_ref(lives_[slot]).load(std::memory_order_relaxed);
  }
  void WriteWeight(std::uint32_t slot, Weight weight) {
    weights_[slot] =
        weight.is_integer() ? weight.integer() : std::bit_cast<std::int64_t>(weight.AsDouble());
    if (reals_) reals_[slot] = !weight.is_integer();
  }

  const std::uint32_t capacity_;
  const SlotLayout layout_;
  std::atomic<SliceNumber> newest_death_ = 0;  // with the bit kDead; 0: none
  const CountedBytes counted_;
  VertexId* const neighbours_;
  // Null: there is no such column.
  std::uint32_t* lives_ = nullptr;  // and behind them the bits of the dead
  std::uint32_t* links_ = nullptr;
  std::int64_t* weights_ = nullptr;
  bool* reals_ = nullptr;
};

}  // namespace sash
