// EdgeBlock: a stretch of slots, each for an edge of one direction: the neighbour, and the other
// columns that the store's policy needs. A block holds several lists, or a part of one long list.
//
// A slot is written once, before any view can see it, and never moves; an edge that moves is copied
// to another slot. Only the death of a slot changes after a view can see it.
//
// Thread safety: one writer; readers of published slots need no lock.
//
// Invariants
//   (1) to (3) are those of SlotLives; without the column `lives` no slot ever dies.
//   (4) The columns and the place of a slot do not change while the block exists.
//
// EdgeBlock has more methods than other classes: most of them read, write or fetch ahead one column
// of a slot, in one line.
#pragma once

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
#include "windows/base/type_column.h"
#include "windows/base/weight_column.h"
#include "windows/store/counted_bytes.h"
#include "windows/store/lists/slot_lives.h"
#include "windows/store/memory_use.h"

namespace sash {

// What slots must be able to hold.
struct SlotWidths {
  SlotWidths() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): edges without types are the usual case.
  SlotWidths(WeightColumn::Kind kind, TypeWidth width = TypeWidth::kNone)
      : weights(kind), types(width) {}

  bool Hold(const SlotWidths& other) const {
    return weights >= other.weights && types >= other.types;
  }
  void Widen(const SlotWidths& other) {
    if (weights < other.weights) weights = other.weights;
    if (types < other.types) types = other.types;
  }

  WeightColumn::Kind weights = WeightColumn::Kind::kOnes;
  TypeWidth types = TypeWidth::kNone;
};

struct SlotLayout {
  bool lives = false;  // edges may die before they age out
  bool links = false;  // a number for the owner beside each edge
  WeightColumn::Kind weights = WeightColumn::Kind::kOnes;
  TypeWidth types = TypeWidth::kNone;
  // Where columns are allocated; null: on the heap. It must outlive them; any thread frees them.
  std::pmr::memory_resource* memory = nullptr;
  SlotWidths widths() const { return {weights, types}; }
  friend bool operator==(const SlotLayout&, const SlotLayout&) = default;
};

// The contents of a slot.
struct SlotContent {
  VertexId neighbour = 0;
  SliceNumber birth = 0;
  std::uint32_t link = 0;
  TypeNumber type = kNoType;
  Weight weight{};
};

class EdgeBlock {
 public:
  static constexpr SliceNumber kMostSlices = SlotLives::kMostSlices;

  // `alive` counts the bytes of the block for as long as the block exists.
  EdgeBlock(std::uint32_t capacity, SlotLayout layout, std::shared_ptr<AliveBytes> alive = nullptr)
      : lives_(capacity),
        layout_(layout),
        counted_(std::move(alive), memory().total()),
        neighbours_(MakeColumn<VertexId>(NeighbourWords())) {
    if (layout.lives) lives_.Use(MakeColumn<std::uint32_t>(lives_.size()));
    if (layout.links) links_ = MakeColumn<std::uint32_t>(capacity);
    if (layout.weights != WeightColumn::Kind::kOnes) weights_ = MakeColumn<std::int64_t>(capacity);
    if (layout.weights == WeightColumn::Kind::kMixed) reals_ = MakeColumn<bool>(capacity);
  }
  ~EdgeBlock() {
    GiveBack(neighbours_, NeighbourWords());
    GiveBack(lives_.lives(), lives_.size());
    GiveBack(links_, capacity());
    GiveBack(weights_, capacity());
    GiveBack(reals_, capacity());
  }
  EdgeBlock(const EdgeBlock&) = delete;
  EdgeBlock& operator=(const EdgeBlock&) = delete;

  std::uint32_t capacity() const { return lives_.capacity(); }
  const SlotLayout& layout() const { return layout_; }
  const VertexId* neighbours() const { return neighbours_; }
  VertexId neighbour(std::uint32_t slot) const { return neighbours_[slot]; }
  std::uint32_t link(std::uint32_t slot) const { return links_ ? links_[slot] : 0; }
  Weight weight(std::uint32_t slot) const {
    if (!weights_) return Weight();
    if (reals_ && reals_[slot]) return Weight::Real(std::bit_cast<double>(weights_[slot]));
    return Weight::Integer(weights_[slot]);
  }

  TypeNumber type(std::uint32_t slot) const { return ReadType(types(), layout_.types, slot); }

  // The methods of SlotLives, for this block's slots.
  bool IsDead(std::uint32_t slot) const { return lives_.IsDead(slot); }
  bool IsVisible(std::uint32_t slot, SliceNumber view) const {
    return lives_.IsVisible(slot, view);
  }
  std::uint32_t CopyVisible(std::uint32_t& end, std::uint32_t most, SliceNumber view,
                            VertexId* to) const {
    return lives_.CopyVisible(neighbours_, end, most, view, to);
  }
  using Stretch = SlotLives::Stretch;
  Stretch FindShort(std::uint32_t end, std::uint32_t wanted, SliceNumber view) const {
    return lives_.FindShort(end, wanted, view);
  }
  std::uint32_t FindOldest(std::uint32_t begin, std::uint32_t end, std::uint32_t& wanted,
                           SliceNumber view) const {
    return lives_.FindOldest(begin, end, wanted, view);
  }
  bool ListDead(std::uint32_t begin, std::uint32_t end, std::uint32_t count, SliceNumber view,
                std::uint32_t* to) const {
    return lives_.ListDead(begin, end, count, view, to);
  }
  bool has_dead() const { return lives_.has_dead(); }
  void Kill(std::uint32_t slot, SliceNumber death) { lives_.Kill(slot, death); }

  // For a slot that is not dead, in a block with lives.
  SliceNumber birth(std::uint32_t slot) const { return lives_.birth(slot); }
  // For a slot that is not dead. Its birth is 0 without lives.
  SlotContent content(std::uint32_t slot) const {
    return {neighbours_[slot], has_lives() ? birth(slot) : 0, link(slot), type(slot), weight(slot)};
  }

  void Write(std::uint32_t slot, const SlotContent& content) {
    neighbours_[slot] = content.neighbour;
    if (has_lives()) lives_.Write(slot, content.birth);
    if (links_) links_[slot] = content.link;
    if (weights_) WriteWeight(slot, content.weight);
    WriteType(types(), layout_.types, slot, content.type);
  }

  bool has_types() const { return layout_.types != TypeWidth::kNone; }
  bool has_only_neighbours() const { return !has_lives() && !links_ && !weights_ && !has_types(); }
  void WriteNeighbour(std::uint32_t slot, VertexId neighbour) { neighbours_[slot] = neighbour; }

  // For keep, whose links are ordinals: views do not read them.
  void SetLink(std::uint32_t slot, std::uint32_t link) { links_[slot] = link; }

  // Fetch ahead: this object; a slot that will be read; a slot that will be written; the neighbours
  // of several slots.
  void PrefetchSelf() const {
    __builtin_prefetch(this);
    __builtin_prefetch(reinterpret_cast<const std::byte*>(this + 1) - 1);
  }
  void Prefetch(std::uint32_t slot) const {
    __builtin_prefetch(&neighbours_[slot]);
    if (has_lives()) __builtin_prefetch(&lives_.lives()[slot], 1);
    if (links_) __builtin_prefetch(&links_[slot]);
  }
  void PrefetchWrite(std::uint32_t slot) const {
    __builtin_prefetch(&neighbours_[slot], 1);
    if (has_lives()) __builtin_prefetch(&lives_.lives()[slot], 1);
    if (links_) __builtin_prefetch(&links_[slot], 1);
    if (weights_) __builtin_prefetch(&weights_[slot], 1);
  }
  void PrefetchNeighbours(std::uint32_t first, std::uint32_t end) const {
    constexpr std::uint32_t kLine = 16;  // slots
    for (std::uint32_t slot = first; slot < end; slot += kLine) {
      __builtin_prefetch(&neighbours_[slot]);
    }
  }

  // The newest slots before `end`, dead or alive.
  void PrefetchNewest(std::uint32_t end, bool with_dead) const {
    if (end > 0) PrefetchRead(end - 1, with_dead);
  }
  void PrefetchRead(std::uint32_t slot, bool with_dead) const {
    __builtin_prefetch(&neighbours_[slot]);
    if (with_dead) lives_.PrefetchDead(slot);
  }

  // Copies `count` slots of another block, whose widths this block's slots hold.
  void Copy(const EdgeBlock& from, std::uint32_t first, std::uint32_t count, std::uint32_t to) {
    SASH_CHECK(to + count <= capacity() && layout_.widths().Hold(from.layout_.widths()));
    CopyFew(&from.neighbours_[first], count, &neighbours_[to]);
    // The writer is the only one that changes lives: its own reads need no atomics.
    if (has_lives()) {
      CopyFew(&from.lives_.lives()[first], count, &lives_.lives()[to]);
      if (from.has_dead()) lives_.CopyDeaths(from.lives_, first, count, to);
    }
    if (links_) CopyFew(&from.links_[first], count, &links_[to]);
    if (weights_) CopyWeights(from, first, count, to);
    if (has_types()) CopyTypes(from, first, count, to);
  }

  MemoryUse memory() const {
    constexpr std::size_t kNumber = sizeof(std::uint32_t);
    const std::size_t numbers = AllocatedBytes(capacity() * kNumber);
    MemoryUse use{.lists = kSharedBytes<EdgeBlock> + AllocatedBytes(NeighbourWords() * kNumber)};
    if (layout_.weights != WeightColumn::Kind::kOnes) {
      use.lists += AllocatedBytes(capacity() * sizeof(std::int64_t));
    }
    if (layout_.weights == WeightColumn::Kind::kMixed) use.lists += AllocatedBytes(capacity());
    if (layout_.lives) use.deletions = AllocatedBytes(lives_.size() * kNumber);
    if (layout_.links) use.absorbed = numbers;
    return use;
  }

 private:
  bool has_lives() const { return lives_.lives() != nullptr; }
  // Types lie behind the neighbours: another pointer would take memory in blocks without types.
  std::size_t NeighbourWords() const {
    return capacity() + (TypeBytes(capacity(), layout_.types) + 3) / sizeof(VertexId);
  }
  std::byte* types() const { return reinterpret_cast<std::byte*>(neighbours_ + capacity()); }

  // Smart pointers would store the memory resource five times: a third of a small block.
  template <typename T>
  T* MakeColumn(std::size_t size) const {
    return sash::MakeColumn<T>(size, layout_.memory).release();
  }
  template <typename T>
  void GiveBack(T* column, std::size_t size) const {
    if (column != nullptr) GiveColumnBack{layout_.memory, size * sizeof(T)}(column);
  }

  // Most lists have a few edges: a call of memcpy would cost more than the copy.
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
  void CopyTypes(const EdgeBlock& from, std::uint32_t first, std::uint32_t count, std::uint32_t to);

  void WriteWeight(std::uint32_t slot, Weight weight) {
    weights_[slot] =
        weight.is_integer() ? weight.integer() : std::bit_cast<std::int64_t>(weight.AsDouble());
    if (reals_) reals_[slot] = !weight.is_integer();
  }

  SlotLives lives_;  // of all slots; without lives if the layout has none
  const SlotLayout layout_;
  const CountedBytes counted_;
  VertexId* const neighbours_;
  // Null: there is no such column.
  std::uint32_t* links_ = nullptr;
  std::int64_t* weights_ = nullptr;
  bool* reals_ = nullptr;
};

}  // namespace sash
