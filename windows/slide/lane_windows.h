// LaneWindows: the windows of a lane, and the stores that they share.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) Windows of equal StoreSpec and filter share one store; a store without windows is
//       destroyed.
//   (2) Every window holds the newest of the retained slices.
//   (3) Adding or removing a window does not change what other windows publish.
//   (4) A window with `retain` has a historian, which comes directly after it; no other window has
//       one.
//   (5) A window of a filter counts as incomplete before the position from which the events of the
//       lane are judged by the filter. A follower does not: it is as incomplete as its leader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/slicer.h"
#include "windows/ingest/type_table.h"
#include "windows/slide/live_base.h"
#include "windows/slide/retained_slices.h"
#include "windows/slide/sliding_window.h"
#include "windows/slide/store_status.h"
#include "windows/slide/window_history.h"
#include "windows/slide/window_spec.h"

namespace sash {

class LaneWindows {
 public:
  struct SharedStore {
    StoreSpec spec;
    FilterBits filter = kNoFilter;  // it holds the part of each slice that passes
    std::shared_ptr<SliceStore> slices;
  };
  struct Member {
    SlidingWindow window;
    std::shared_ptr<SliceStore> slices;  // the store that it shares with other windows
    AdvancePhases spent{};               // time spent on slices since the last advance
    Duration spent_before{};             // of `spent`, before the next advance was due
    std::uint32_t recalled_for = 0;      // Advance::recalled_for; 0: no job compares with it
    // After Lane::Restore(): the window published last, if it could be rebuilt from its slices.
    std::optional<SlidingWindow::Moved> recalled{};
    std::shared_ptr<WindowHistory> history{};  // only a historian has one
    bool is_live = false;                      // WindowSpec::live
    std::optional<LiveBase> live_base{};       // made for the first cut

    // Bytes of its store, including what it shares with other windows.
    std::size_t bytes() const {
      return slices->shared_memory().total() + window.own_memory().total();
    }
  };

  // `slicer` and `retained` belong to the lane and outlive it. `slots`: the memory for edges
  // (StoreSpec::slots). `filters`: those that windows may have. `types` outlives it; null: edges
  // have none.
  LaneWindows(const Slicer& slicer, RetainedSlices& retained, std::pmr::memory_resource* slots,
              std::shared_ptr<const FilterTexts> filters, const TypeTable* types)
      : slicer_(slicer),
        retained_(retained),
        slots_(slots),
        filters_(std::move(filters)),
        types_(types) {}

  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }
  const std::vector<SharedStore>& stores() const { return stores_; }
  Member* Find(std::string_view name);  // null if there is none
  bool has_filters() const;             // whether a window has one

  // Windows may have these filters from now on. Numbers of filters that are in use stay; no window
  // has one of the filters `fresh`. Of these, `by_type` judge all events, and the others none
  // before `judged_from`.
  void SetFilters(std::shared_ptr<const FilterTexts> filters, FilterBits fresh, FilterBits by_type,
                  std::optional<Position> judged_from);
  // Some events before `position` are not judged by `filters`.
  void JudgedFrom(FilterBits filters, Position position);
  // After a restart: a filter has judged all events from the position on from which none of its
  // windows lacks an event.
  void LearnJudged();

  // A window joins, with those slices of its span that are still available. These are the slices
  // that the store of its spec and filter retains; if that store is new, those that stores of kind
  // rebuild retain. If the store is new and there is a filter, it has no slices, unless the filter
  // judges by types alone and a store of all edges can provide them (SliceStore::CopyPassing).
  // Filling a new store costs time in proportion to the edges of the window, and CopyPassing() in
  // proportion to those of the other store. Slide and offset must be multiples of the pane, and its
  // filter must be known. The window may lack events that its filter did not judge.
  void Add(const WindowSpec& spec);

  // Replaces the window of that name. The new window has the old one's place and continues to
  // number its results; otherwise it begins as a window that joins.
  void Change(const WindowSpec& spec);

  // Jobs compare results of window `name` at the distances `every` (in slides), and at no others.
  // For each distance the window itself or a follower is recalled after a restart.
  void Compare(std::string_view name, const std::set<std::uint32_t>& every);

  // Sets the `retain` of window `name`: gives it a historian, or takes it away. A historian begins
  // with the slices that are still available.
  void Retain(std::string_view name, std::int64_t retain);
  // Null if the window cannot be read again.
  std::shared_ptr<WindowHistory> HistoryOf(std::string_view name) const;

  // Sets the `live` of window `name`.
  void ShowLive(std::string_view name, bool live);
  bool is_live() const;  // whether a window is
  // The base of a live window; makes it if there is none, which costs O(what the window holds).
  LiveBase& LiveBaseOf(Member& member);

  // The window leaves with its share of the store.
  void Remove(std::string_view name);

  // Releases the slices that no window holds. A live base gives up those that its window has left.
  void ReleaseUnheld();

  std::uint64_t takes() const;  // the cost of the accounts: SlidingFold::takes()
  std::vector<StoreStatus> Stores(WindowAxis axis) const;

 private:
  void RemoveMember(std::vector<Member>::iterator member);
  void RemoveFollowers(std::string_view leader);
  std::vector<Member>::const_iterator FindHistorian(std::string_view leader) const;

  // A store with the newest `wanted` retained slices, or as many of them as are available (`held`).
  struct Opened {
    std::shared_ptr<SliceStore> slices;
    std::unique_ptr<WindowStore> store;
    std::size_t held = 0;
  };
  std::optional<Position>& JudgedFromOf(FilterBits filters);
  SliceStore::Slices WholeSlices(std::size_t wanted) const;
  SliceStore::Slices TypedParts(const StoreSpec& spec, FilterBits filter, std::size_t wanted);
  Opened OpenStore(const StoreSpec& spec, FilterBits filter, std::size_t wanted);

  const Slicer& slicer_;
  RetainedSlices& retained_;
  std::pmr::memory_resource* const slots_;
  std::shared_ptr<const FilterTexts> filters_;
  const TypeTable* const types_;
  // By number of a filter: from which position on it judges events. Empty, or too short: it judges
  // all.
  std::vector<std::optional<Position>> judged_from_;
  std::vector<SharedStore> stores_;
  std::vector<Member> members_;
  std::uint64_t takes_of_removed_ = 0;
};

}  // namespace sash
