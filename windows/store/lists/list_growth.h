// ListGrowth: how the lists of one direction grow. It is the same for all their pages: the policy,
// the layout of new blocks, how much room a list gets, and how many slots were copied for it.
//
// Thread safety: belongs to the thread that changes the direction.
//
// Invariants
//   (1) Layout() never becomes narrower: a new block can hold the edges of an older one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <utility>

#include "windows/base/check.h"
#include "windows/store/lists/edge_block.h"
#include "windows/store/lists/list_sizes.h"
#include "windows/store/lists/list_state.h"

namespace sash {

// What the policy of a store requires of its lists.
struct ListPolicy {
  bool mortal = false;     // edges may die before they age out
  bool searched = false;   // an edge that dies is named by its ends alone; else by its birth too
  bool parallel = true;    // a list may hold several edges to one neighbour
  bool by_type = false;    // likewise, if they have different types
  bool has_links = false;  // slots carry a number of the store's (SlotContent::link)
  // Whether an edge may be alive that is older than a dead edge to the same neighbour: it has
  // another type.
  bool mixes_types() const { return parallel || by_type; }
  // Whether more than one edge to a neighbour may be alive and have this type.
  bool MayHaveMore(TypeNumber type) const { return parallel || (by_type && type == kAnyType); }
  ListSizes sizes{};
  std::pmr::memory_resource* slots = nullptr;  // where they lie (SlotLayout::memory)
};

class ListGrowth {
 public:
  // `alive` counts what views may share.
  ListGrowth(const ListPolicy& policy, std::shared_ptr<AliveBytes> alive)
      : policy_(policy), alive_bytes_(std::move(alive)) {
    SASH_CHECK(policy.sizes.most_short <= ListState::kMostShort);
  }

  const ListPolicy& policy() const { return policy_; }
  const ListSizes& sizes() const { return policy_.sizes; }
  const std::shared_ptr<AliveBytes>& alive_bytes() const { return alive_bytes_; }
  // Whether pages have a PairFilter.
  bool filtered() const { return policy_.searched && !policy_.parallel; }

  // Such edges come: blocks built from now on can hold them.
  void Widen(const SlotWidths& widths) { widths_.Widen(widths); }
  const SlotWidths& widths() const { return widths_; }
  SlotLayout Layout() const {
    return {.lives = policy_.mortal,
            .links = policy_.has_links,
            .weights = widths_.weights,
            .types = widths_.types,
            .memory = policy_.slots};
  }

  // About an eighth of `count`. The remainder is left to chance, so that short lists get room too
  // and pages that fill at the same pace are not rebuilt at the same time.
  std::uint32_t Share(std::uint32_t count) {
    dice_ ^= dice_ << 13;
    dice_ ^= dice_ >> 17;
    dice_ ^= dice_ << 5;
    return (count * 32 + (dice_ & 0xFF)) >> 8;
  }

  void CountMoved(std::uint64_t slots) { moved_ += slots; }
  std::uint64_t moved() const { return moved_; }

 private:
  const ListPolicy policy_;
  const std::shared_ptr<AliveBytes> alive_bytes_;
  SlotWidths widths_;  // the widest so far
  std::uint32_t dice_ = 0x9E37'79B9;
  std::uint64_t moved_ = 0;
};

}  // namespace sash
