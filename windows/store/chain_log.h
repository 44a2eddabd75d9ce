// ChainLog: what absorbed copies still weigh, in `weigh` windows.
//
// A chain is an edge of which the slices hold several copies: the newest is in the lists, and each
// knows the copy that it absorbed. SLOTH's weight forward pointer (thesis §7.2.3) leads from an
// absorbed copy to the live one, to take its weight off when it ages out; these lead back, and a
// reader stops at the oldest copy of its window. So ageing out costs nothing, windows of all
// lengths and all views share one log, and nothing in it is ever written again.
//
// An entry has the sum of all integers before it, so that what a window's copies weigh is a
// difference; a second pointer jumps far enough back for the oldest copy of a window to be found in
// O(log(copies)) (Myers, An applicative random-access stack, IPL 17, 1983). Sums with other numbers
// are not differences but are formed anew from what the window holds, in the order of effect:
// O(copies).
//
// Thread safety: belongs to the engine thread; a Version, to any thread.
//
// Invariants
//   (1) The weight of a chain in a window is the sum of the weights of its copies that were born in
//       slices that the window holds.
//   (2) A copy that absorbs none begins a chain: what a removal ended is never counted again
//       (rule R8).
//   (3) Entries of slices that no window holds go by blocks; those that views can reach stay while
//       the views do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/base/weight.h"
#include "windows/store/counted_bytes.h"
#include "windows/store/folded_slice.h"
#include "windows/store/lists/edge_block.h"

namespace sash {

// Where a copy's entry is; 0: it has none, and weighs what its slot says. Numbers come round.
using CopyNumber = std::uint32_t;

class ChainLog {
 private:
  struct Entry {
    CopyNumber older = 0;  // of the copy absorbed
    CopyNumber jump = 0;   // of that or an older one
    SliceNumber older_birth = 0;
    SliceNumber jump_birth = 0;
    // A sum: of all older copies' weights. Else the older copy's weight, as its bits.
    std::int64_t value = 0;
    std::uint8_t level = 1;       // it jumps over 2^level - 1 copies, unless the chain was longer
    std::uint8_t jump_level = 0;  // of the entry that it jumps to
    bool is_sum = true;
    bool is_real = false;   // the older copy's weight is no integer
    bool is_whole = false;  // entries alone have the copy's weight; what its slot says is rounded
  };

  static constexpr unsigned kBlockBits = 10;
  static constexpr std::uint32_t kBlockEntries = 1u << kBlockBits;
  static constexpr std::uint32_t kBlockMask = 0xFFFF'FFFFu >> kBlockBits;

  struct Block {
    std::unique_ptr<Entry[]> entries = std::make_unique<Entry[]>(kBlockEntries);
    SliceNumber newest = 0;  // of the entries; the writer's
    CountedBytes counted;
  };

  struct Table {
    std::vector<std::shared_ptr<Block>> blocks;    // of consecutive numbers
    std::uint32_t first = 0;                       // the number of the first block
    CountedBytes counted;                          // of the table alone
    std::size_t BlockOf(CopyNumber number) const;  // its place in `blocks`
    Entry& at(CopyNumber number) const;            // written only through the log
  };

 public:
  class Version {
   public:
    Version() = default;
    // What an edge weighs in a window whose oldest slice is `oldest`, if its newest copy, in that
    // window, has the number `newest` and by its slot the weight `own`.
    Weight WeightOf(CopyNumber newest, Weight own, SliceNumber oldest) const;

   private:
    friend class ChainLog;
    std::int64_t SumBefore(const Entry* entry, SliceNumber oldest) const;
    std::shared_ptr<const Table> table_;  // null: nothing was ever absorbed
  };

  explicit ChainLog(std::shared_ptr<AliveBytes> alive = nullptr) : alive_(std::move(alive)) {}

  // A new copy of slice `birth` absorbs `older` (null: none). `exact` is its weight if its slot
  // cannot say it. Returns its number. It is to be read after the next Complete().
  CopyNumber Add(const SlotContent* older, const ExactSum* exact, SliceNumber birth);

  // Links what was added since; copies born before `oldest` are in no window. Waits for memory
  // once, not for each entry.
  void Complete(SliceNumber oldest);

  // No window holds slices before `oldest` any more.
  void DropBefore(SliceNumber oldest);

  Version Publish();

  std::size_t bytes() const;  // all of it is shared with views

 private:
  static constexpr std::size_t kBlockBytes =
      kSharedBytes<Block> + AllocatedBytes(kBlockEntries * sizeof(Entry));

  Table& Own();
  std::size_t TableBytes() const;
  CopyNumber Append(const SlotContent& older, SliceNumber birth);
  void AddBlock();
  void Link(Entry& entry, SliceNumber oldest) const;

  const std::shared_ptr<AliveBytes> alive_;
  std::shared_ptr<Table> table_;  // null: nothing was ever absorbed
  bool is_own_ = true;            // table_ is in no version yet
  CopyNumber next_ = 1;
  CopyNumber completed_ = 1;  // entries before it are linked
};

}  // namespace sash
