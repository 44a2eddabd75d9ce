// LaneWindows: the windows of a lane, and the stores that they share.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) Windows of equal StoreSpec share one store; a store without windows goes.
//   (2) Every window holds the newest of the retained slices.
//   (3) Adding or removing a window changes nothing that another one publishes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/slicer.h"
#include "windows/slide/retained_slices.h"
#include "windows/slide/sliding_window.h"
#include "windows/slide/store_status.h"
#include "windows/slide/window_spec.h"

namespace sash {

class LaneWindows {
 public:
  struct SharedStore {
    StoreSpec spec;
    std::shared_ptr<SliceStore> slices;
  };
  struct Member {
    SlidingWindow window;
    std::shared_ptr<SliceStore> slices;  // what the window's store shares
    AdvancePhases spent{};               // on slices since the last advance
    Duration spent_before{};             // of that, before the end of the next advance was due
    std::uint32_t recalled_for = 0;      // Advance::recalled_for; 0: nobody compares with it
    // After Lane::Restore(): the window published last, if its slices tell what it was.
    std::optional<SlidingWindow::Moved> recalled{};

    // Of its store, what it shares with other windows included.
    std::size_t bytes() const {
      return slices->shared_memory().total() + window.own_memory().total();
    }
  };

  // `slicer` and `retained`, those of the lane, outlive it. `slots`: where edges lie
  // (StoreSpec::slots).
  LaneWindows(const Slicer& slicer, RetainedSlices& retained, std::pmr::memory_resource* slots)
      : slicer_(slicer), retained_(retained), slots_(slots) {}

  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }
  const std::vector<SharedStore>& stores() const { return stores_; }
  Member* Find(std::string_view name);  // null: there is none

  // A window joins, with those slices of its span that are still to be had: what the store of its
  // spec retains; when that is new, what stores of slices (rebuild) retain. Filling a new store
  // costs the edges of the window. The slide must be a multiple of the pane.
  void Add(const WindowSpec& spec);

  // The window of that name becomes another: it has the old one's place and goes on numbering its
  // results, but begins as one that joins.
  void Change(const WindowSpec& spec);

  // Results of window `name` are compared that have so many slides between them, and no others. The
  // window is recalled for each distance, by itself or by a follower.
  void Compare(std::string_view name, const std::set<std::uint32_t>& every);

  // The window leaves with its share of the store.
  void Remove(std::string_view name);

  // Lets the slices go that no window holds.
  void ReleaseUnheld();

  std::uint64_t takes() const;  // what the accounts have cost: SlidingFold::takes()
  std::vector<StoreStatus> Stores(WindowAxis axis) const;

 private:
  void RemoveMember(std::vector<Member>::iterator member);
  void RemoveFollowers(std::string_view leader);

  // The newest `wanted` retained slices, or as many of them as can be had.
  struct Opened {
    std::shared_ptr<SliceStore> slices;
    std::unique_ptr<WindowStore> store;
    std::size_t held = 0;
  };
  Opened OpenStore(const StoreSpec& spec, std::size_t wanted);

  const Slicer& slicer_;
  RetainedSlices& retained_;
  std::pmr::memory_resource* const slots_;
  std::vector<SharedStore> stores_;
  std::vector<Member> members_;
  std::uint64_t takes_of_removed_ = 0;
};

}  // namespace sash
