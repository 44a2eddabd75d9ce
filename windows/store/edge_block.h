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
#pragma once

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
        neighbours_(MakeColumn<VertexId>()) {
    if (layout.lives) lives_ = MakeColumn<std::uint32_t>();
    if (layout.links) links_ = MakeColumn<std::uint32_t>();
    if (layout.weights != WeightColumn::Kind::kOnes) weights_ = MakeColumn<std::int64_t>();
    if (layout.weights == WeightColumn::Kind::kMixed) reals_ = MakeColumn<bool>();
  }
  ~EdgeBlock() {
    GiveBack(neighbours_);
    GiveBack(lives_);
    GiveBack(links_);
    GiveBack(weights_);
    GiveBack(reals_);
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
  // slot before which to go on.
  std::uint32_t CopyVisible(std::uint32_t& end, std::uint32_t most, SliceNumber view,
                            VertexId* to) const {
    std::uint32_t left = most;
    if (left >= kFewest && CopiesWide()) CopyVisibleWide(end, left, view, to);
    // Every slot is written; what is not visible is written over. A branch for each would be a
    // guess.
    while (left > 0 && end > 0) {
      --end;
      to[left - 1] = neighbours_[end];
      left -= static_cast<std::uint32_t>((Life(end) ^ kDead) > view);
    }
    return most - left;
  }
  // Whether any slot has died; a reader that misses a death newer than its view loses nothing.
  bool has_dead() const { return has_dead_.load(std::memory_order_relaxed); }

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

  void PrefetchRead(std::uint32_t slot, bool with_life) const {
    __builtin_prefetch(&neighbours_[slot]);
    if (with_life) __builtin_prefetch(&lives_[slot]);
  }

  void Kill(std::uint32_t slot, SliceNumber death) {
    std::atomic_ref(lives_[slot]).store(death | kDead, std::memory_order_relaxed);
    has_dead_.store(true, std::memory_order_relaxed);
  }

  // Copies `count` slots of another block, whose weights are of this one's kind or a lesser one.
  void Copy(const EdgeBlock& from, std::uint32_t first, std::uint32_t count, std::uint32_t to) {
    SASH_CHECK(to + count <= capacity_ && from.layout_.weights <= layout_.weights);
    CopyFew(&from.neighbours_[first], count, &neighbours_[to]);
    // The writer is the only one that changes lives: its own reads need no atomics.
    if (lives_) CopyFew(&from.lives_[first], count, &lives_[to]);
    if (links_) CopyFew(&from.links_[first], count, &links_[to]);
    if (weights_) CopyWeights(from, first, count, to);
  }

  MemoryUse memory() const {
    const std::size_t numbers = AllocatedBytes(capacity_ * sizeof(std::uint32_t));
    MemoryUse use{.lists = kSharedBytes<EdgeBlock> + numbers};
    if (layout_.weights != WeightColumn::Kind::kOnes) {
      use.lists += AllocatedBytes(capacity_ * sizeof(std::int64_t));
    }
    if (layout_.weights == WeightColumn::Kind::kMixed) use.lists += AllocatedBytes(capacity_);
    if (layout_.lives) use.deletions = numbers;
    if (layout_.links) use.absorbed = numbers;
    return use;
  }

 private:
  // A smart pointer each would be a third of a small block: where it came from, five times.
  template <typename T>
  T* MakeColumn() const {
    return sash::MakeColumn<T>(capacity_, layout_.memory).release();
  }
  template <typename T>
  void GiveBack(T* column) const {
    if (column != nullptr) GiveColumnBack{layout_.memory, capacity_ * sizeof(T)}(column);
  }

  // CopyVisible() with AVX-512, which pays from a few on, or as far as AVX2 goes: the caller copies
  // what is left.
  static constexpr std::uint32_t kFewest = 4;
  static bool CopiesWide();
  void CopyVisibleWide(std::uint32_t& end, std::uint32_t& left, SliceNumber view,
                       VertexId* to) const;

  // Most lists are a few edges long: calling memcpy would cost more than copying.
  static void CopyFew(const std::uint32_t* from, std::uint32_t count, std::uint32_t* to) {
    if (count > 16) {
      std::memcpy(to, from, std::size_t{count} * sizeof(*to));
      return;
    }
    for (; count >= 2; count -= 2, from += 2, to += 2) std::memcpy(to, from, 2 * sizeof(*to));
    if (count == 1) *to = *from;
  }
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
  std::atomic<bool> has_dead_ = false;
  const CountedBytes counted_;
  VertexId* const neighbours_;
  // Null: there is no such column.
  std::uint32_t* lives_ = nullptr;
  std::uint32_t* links_ = nullptr;
  std::int64_t* weights_ = nullptr;
  bool* reals_ = nullptr;
};

}  // namespace sash
