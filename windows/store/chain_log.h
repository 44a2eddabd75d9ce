// ChainLog: the weights that absorbed copies still contribute, in `weigh` windows.
//
// A chain is an edge with several copies in the slices. The newest copy is in the lists, and each
// copy knows the copy that it absorbed. SLOTH's weight forward pointer (thesis §7.2.3) leads from
// an absorbed copy to the live copy, to subtract its weight when it ages out. These pointers lead
// back, and a reader stops at the oldest copy of its window. So ageing out costs nothing, windows
// of all lengths and all views share one log, and no entry is written twice.
//
// An entry has the sum of all integers before it, so the weight of a window's copies is a
// difference. A second pointer jumps back, so that the oldest copy of a window is found in
// O(log(copies)) (Myers, An applicative random-access stack, IPL 17, 1983). Sums with other numbers
// are not differences: the reader adds the copies that the window holds, in the order of effect:
// O(copies).
//
// Thread safety: belongs to the engine thread; a Version, to any thread.
//
// Invariants
//   (1) The weight of a chain in a window is the sum of the weights of its copies that were born in
//       slices that the window holds.
//   (2) A copy that absorbs no other begins a chain: copies that a removal ended are never counted
//       again (rule R8).
//   (3) Entries of slices that no window holds are dropped in blocks. Entries that a view can reach
//       stay as long as the view.
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

// Where a copy's entry is. 0: it has none, and its slot has its weight. Numbers wrap around.
using CopyNumber = std::uint32_t;

class ChainLog {
 private:
  struct Entry {
    CopyNumber older = 0;  // the number of the absorbed copy
    CopyNumber jump = 0;   // the number of that copy or an older one
    SliceNumber older_birth = 0;
    SliceNumber jump_birth = 0;
    // is_sum: the sum of the weights of all older copies; else the bits of the older copy's weight.
    std::int64_t value = 0;
    std::uint8_t level = 1;       // it jumps over 2^level - 1 copies
    std::uint8_t jump_level = 0;  // of the entry that it jumps to
    bool is_sum = true;
    bool is_real = false;   // the older copy's weight is not an integer
    bool is_whole = false;  // entries alone have the copy's weight; its slot has it rounded
  };
  static_assert(sizeof(Entry) == 32);

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
    // The weight of an edge in a window whose oldest slice is `oldest`. Its newest copy, which is
    // in that window, has the number `newest` and in its slot the weight `own`.
    Weight WeightOf(CopyNumber newest, Weight own, SliceNumber oldest) const {
      return newest == 0 ? own : SumOf(newest, own, oldest).Total();
    }
    // The same before it is rounded.
    WeightSum SumOf(CopyNumber newest, Weight own, SliceNumber oldest) const;

   private:
    friend class ChainLog;
    std::int64_t SumBefore(const Entry* entry, SliceNumber oldest) const;
    std::shared_ptr<const Table> table_;  // null: no copy was ever absorbed
  };

  explicit ChainLog(std::shared_ptr<AliveBytes> alive = nullptr) : alive_(std::move(alive)) {}

  // A new copy of slice `birth` absorbs `older` (null: none). `exact` is its weight if its slot
  // cannot hold it. Returns its number, which may be read after the next Complete().
  CopyNumber Add(const SlotContent* older, const ExactSum* exact, SliceNumber birth);

  // Links the entries added since the last call. Copies born before `oldest` are in no window. It
  // waits for memory once, not for each entry.
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
