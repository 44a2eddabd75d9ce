#include "windows/slide/lane_restore.h"

#include <algorithm>
#include <future>
#include <memory>
#include <utility>

#include "windows/base/check.h"
#include "windows/ingest/passing_part.h"

namespace sash {
namespace {

// Stores take in the slices in this number of groups. One group would avoid copying lists, but
// would need three times their final memory meanwhile. Slice by slice, every slice would load each
// page of lists into the cache and make its lists grow.
constexpr std::uint64_t kGroups = 12;

}  // namespace

// For each store, the number of slices that its longest window holds.
std::vector<std::uint64_t> LaneRestore::Wanted() const {
  std::vector<std::uint64_t> wanted(windows_.stores().size());
  for (std::size_t w = 0; w < state_.windows.size(); ++w) {
    std::uint64_t& most = wanted[PlaceOf(windows_.members()[w])];
    most = std::max(most, state_.windows[w].state.slices);
  }
  return wanted;
}

// The index of a member's store.
std::size_t LaneRestore::PlaceOf(const LaneWindows::Member& member) const {
  const auto store =
      std::ranges::find(windows_.stores(), member.slices, &LaneWindows::SharedStore::slices);
  return static_cast<std::size_t>(store - windows_.stores().begin());
}

// Every store gets the newest slices, as many as `wanted` says.
Status LaneRestore::LoadSlices(std::span<const std::uint64_t> wanted, const SliceLoader& load,
                               const Refer& refer, WindowRecall& recall) {
  const std::uint64_t count = state_.retained;
  const std::uint64_t step = (count + kGroups - 1) / kGroups;
  const auto load_group = [&](std::uint64_t first) -> Result<std::vector<LoadedSlice>> {
    std::vector<LoadedSlice> group;
    for (std::uint64_t i = first; i < std::min(first + step, count); ++i) {
      Result<LoadedSlice> one = load(state_.serial, SliceId{state_.first_retained() + i});
      if (!one) return one.error();
      SASH_CHECK(one.value().slice->id.value == state_.first_retained() + i);
      one.value().end_points.ForEach(refer);
      group.push_back(std::move(one).value());
    }
    return group;
  };
  std::uint64_t published = 0;  // the newest slices, without those that history alone holds
  for (const WindowState& window : state_.windows) {
    if (!window.spec.is_historian()) published = std::max(published, window.state.slices);
  }
  retained_.BeginAs(state_.begun_before, state_.complete_from);
  // While the stores take in a group, another thread loads the next one. The loading thread works
  // on keys and references, this thread on edges, so they share no data.
  std::future<Result<std::vector<LoadedSlice>>> next;
  if (count > 0) next = std::async(std::launch::async, load_group, 0);
  for (std::uint64_t first = 0; first < count; first += step) {
    Result<std::vector<LoadedSlice>> group = next.get();
    if (!group) return group.error();
    if (first + step < count) next = std::async(std::launch::async, load_group, first + step);
    SliceStore::Slices slices;
    for (LoadedSlice& one : group.value()) {
      one.end_points.MoveTo(slots_);
      const bool for_history = first + slices.size() < count - published;
      retained_.Append(one.slice, std::move(one.end_points), for_history);
      slices.push_back(std::move(one.slice));
    }
    for (std::size_t s = 0; s < windows_.stores().size(); ++s) {
      const std::uint64_t unwanted = count - first - std::min(count - first, wanted[s]);
      const auto skipped = static_cast<std::ptrdiff_t>(std::min(unwanted, slices.size()));
      const FilterBits filter = windows_.stores()[s].filter;
      SliceStore::Slices taken(slices.begin() + skipped, slices.end());
      for (std::shared_ptr<const Slice>& one : taken) one = PassingPart(one, filter);
      if (s + 1 == windows_.stores().size()) slices.clear();  // so the store can free each slice
      recall.AddAll(*windows_.stores()[s].slices, std::move(taken),
                    first + static_cast<std::uint64_t>(skipped));
    }
  }
  return Ok{};
}

// The state of a historian that begins behind a leader of this state: it holds the leader's slices.
SlidingWindow::State LaneRestore::BesideLeader(const SlidingWindow::State& leader) {
  SlidingWindow::State state;
  state.slices = leader.slices;
  state.next_end = leader.next_end;
  state.published_until = leader.published_until;
  state.first_slice = leader.first_slice;
  state.complete_from = leader.complete_from;
  state.begun = leader.begun;
  return state;
}

// Makes state_.windows parallel to the members: one element for each, in their order.
void LaneRestore::Align() {
  // A new follower holds only slices that close from now on.
  SlidingWindow::State nothing;
  nothing.begun = true;
  if (state_.retained > 0) nothing.complete_from = state_.slicer.closed_until;
  std::vector<WindowState> windows;
  for (const LaneWindows::Member& member : windows_.members()) {
    const WindowSpec& spec = member.window.spec();
    const auto same = std::ranges::find_if(
        state_.windows, [&](const WindowState& window) { return window.spec.name == spec.name; });
    SASH_CHECK(same != state_.windows.end() || spec.leader());
    const bool fits = same != state_.windows.end() && same->spec.slide == spec.slide;
    if (spec.is_historian()) {
      const auto leader = std::ranges::find_if(state_.windows, [&](const WindowState& window) {
        return window.spec.name == spec.leader();
      });
      SASH_CHECK(leader != state_.windows.end());
      windows.push_back({spec, fits ? same->state : BesideLeader(leader->state), {}});
      if (fits) windows.back().history = std::move(same->history);
      continue;
    }
    windows.push_back(fits || !spec.leader() ? *same : WindowState{spec, nothing});
  }
  state_.windows = std::move(windows);
}

Status LaneRestore::Run(const SliceLoader& load, const Refer& refer,
                        const std::function<VertexId()>& id_limit) {
  SASH_CHECK(retained_.size() == 0);
  Align();
  std::vector<LaneWindows::Member>& members = windows_.members();
  // While a store is filled, only its future longest window holds the slices; the other windows
  // open the store afterwards.
  std::vector<std::unique_ptr<WindowStore>> longest;
  for (LaneWindows::Member& member : members) {
    member.window = SlidingWindow(member.window.spec(), nullptr, member.window.filter());
  }
  for (const LaneWindows::SharedStore& store : windows_.stores()) {
    longest.push_back(store.slices->Open(0));
  }
  const std::vector<std::uint64_t> wanted = Wanted();
  WindowRecall recall(state_, retained_, id_limit);
  for (std::size_t w = 0; w < members.size(); ++w) {
    const std::size_t place = PlaceOf(members[w]);
    if (members[w].recalled_for == 0) continue;
    const bool is_longest = state_.windows[w].state.slices == wanted[place];
    recall.Watch(w, *members[w].slices, is_longest ? longest[place].get() : nullptr);
  }
  if (Status loaded = LoadSlices(wanted, load, refer, recall); !loaded) return loaded;
  for (std::size_t w = 0; w < members.size(); ++w) {
    const WindowState& from = state_.windows[w];
    LaneWindows::Member& member = members[w];
    const std::size_t place = PlaceOf(member);
    std::unique_ptr<WindowStore> store;
    if (from.state.slices == wanted[place]) store = std::move(longest[place]);
    if (!store) store = member.slices->Open(from.state.slices);
    member.window = SlidingWindow(from.spec, std::move(store), member.window.filter());
    for (std::uint64_t i = state_.retained - from.state.slices; i < state_.retained; ++i) {
      member.window.Note(retained_[i]);
    }
    member.window.Restore(from.state);
    if (member.history) member.history->Restore(std::move(state_.windows[w].history), id_limit());
    if (auto recalled = recall.Take(w)) {
      member.recalled =
          member.window.Recall(std::move(recalled->published), std::move(recalled->total));
    }
  }
  return Ok{};
}

}  // namespace sash
