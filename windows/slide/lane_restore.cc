#include "windows/slide/lane_restore.h"

#include <algorithm>
#include <future>
#include <memory>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// Stores take a twelfth of the slices together. All at once would save them copying lists, but hold
// three times the memory meanwhile that the lists take in the end; one by one, a page of lists is
// brought into the cache, and its lists grow, for each.
constexpr std::uint64_t kGroups = 12;

}  // namespace

// By store, the slices that the longest of its windows holds.
std::vector<std::uint64_t> LaneRestore::Wanted() const {
  std::vector<std::uint64_t> wanted(windows_.stores().size());
  for (std::size_t w = 0; w < state_.windows.size(); ++w) {
    std::uint64_t& most = wanted[PlaceOf(windows_.members()[w])];
    most = std::max(most, state_.windows[w].state.slices);
  }
  return wanted;
}

// Of the store of a member.
std::size_t LaneRestore::PlaceOf(const LaneWindows::Member& member) const {
  const auto store =
      std::ranges::find(windows_.stores(), member.slices, &LaneWindows::SharedStore::slices);
  return static_cast<std::size_t>(store - windows_.stores().begin());
}

// Every store gets those that it wants.
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
  retained_.BeginAs(state_.begun_before, state_.complete_from);
  // While the stores take some slices in, another thread loads the next: keys are for the one what
  // edges are for the other, and neither needs anything of the other.
  std::future<Result<std::vector<LoadedSlice>>> next;
  if (count > 0) next = std::async(std::launch::async, load_group, 0);
  for (std::uint64_t first = 0; first < count; first += step) {
    Result<std::vector<LoadedSlice>> group = next.get();
    if (!group) return group.error();
    if (first + step < count) next = std::async(std::launch::async, load_group, first + step);
    SliceStore::Slices slices;
    for (LoadedSlice& one : group.value()) {
      one.end_points.MoveTo(slots_);
      retained_.Append(one.slice, std::move(one.end_points));
      slices.push_back(std::move(one.slice));
    }
    for (std::size_t s = 0; s < windows_.stores().size(); ++s) {
      const std::uint64_t unwanted = count - first - std::min(count - first, wanted[s]);
      const auto skipped = static_cast<std::ptrdiff_t>(std::min(unwanted, slices.size()));
      SliceStore::Slices taken(slices.begin() + skipped, slices.end());
      if (s + 1 == windows_.stores().size()) slices.clear();  // the store may let go of each
      recall.AddAll(*windows_.stores()[s].slices, std::move(taken),
                    first + static_cast<std::uint64_t>(skipped));
    }
  }
  return Ok{};
}

// Gives the state a place for each member, in the order of these.
void LaneRestore::Align() {
  // A follower that comes now holds what closes from now on.
  SlidingWindow::State nothing;
  if (state_.retained > 0) nothing.complete_from = state_.slicer.closed_until;
  std::vector<WindowState> windows;
  for (const LaneWindows::Member& member : windows_.members()) {
    const WindowSpec& spec = member.window.spec();
    const auto same = std::ranges::find_if(
        state_.windows, [&](const WindowState& window) { return window.spec.name == spec.name; });
    SASH_CHECK(same != state_.windows.end() || spec.leader());
    const bool fits = same != state_.windows.end() && same->spec.slide == spec.slide;
    windows.push_back(fits || !spec.leader() ? *same : WindowState{spec, nothing});
  }
  state_.windows = std::move(windows);
}

Status LaneRestore::Run(const SliceLoader& load, const Refer& refer,
                        const std::function<VertexId()>& id_limit) {
  SASH_CHECK(retained_.size() == 0);
  Align();
  std::vector<LaneWindows::Member>& members = windows_.members();
  // While a store is filled, the window that will be its longest one holds the slices; the others
  // join afterwards.
  std::vector<std::unique_ptr<WindowStore>> longest;
  for (LaneWindows::Member& member : members) {
    member.window = SlidingWindow(member.window.spec(), nullptr);
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
    member.window = SlidingWindow(from.spec, std::move(store));
    for (std::uint64_t i = state_.retained - from.state.slices; i < state_.retained; ++i) {
      member.window.Note(retained_[i]);
    }
    member.window.Restore(from.state);
    if (auto recalled = recall.Take(w)) {
      member.recalled =
          member.window.Recall(std::move(recalled->published), std::move(recalled->total));
    }
  }
  return Ok{};
}

}  // namespace sash
