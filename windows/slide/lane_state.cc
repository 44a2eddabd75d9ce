// How a lane is kept and made anew.
#include <algorithm>
#include <future>
#include <utility>

#include "windows/base/check.h"
#include "windows/slide/lane.h"
#include "windows/slide/window_recall.h"

namespace sash {
namespace {

// Stores take a twelfth of the slices together. All at once would save them copying lists, but hold
// three times the memory meanwhile that the lists take in the end; one by one, a page of lists is
// brought into the cache, and its lists grow, for each.
constexpr std::uint64_t kGroups = 12;

}  // namespace

LaneState Lane::StateWith(SlicerState slicer) const {
  LaneState state{.serial = serial,
                  .axis = axis_,
                  .pane = slicer_.pane(),
                  .slicer = std::move(slicer),
                  .retained = retained_.size(),
                  .begun_before = retained_.begun_before(),
                  .complete_from = retained_.complete_from(),
                  .accepted = accepted,
                  .last_on_time = last_on_time_,
                  .windows = {}};
  for (const Member& member : members_) {
    state.windows.push_back({member.window.spec(), member.window.state()});
  }
  return state;
}

LaneState Lane::StateWithoutEvents() const {
  LaneState state = StateWith(slicer_.StateWithoutEvents());
  // Behind the newest pane that holds anything.
  std::optional<Position> behind;
  if (retained_.size() > 0) behind = retained_[retained_.size() - 1].end;
  if (!state.slicer.open.empty()) behind = state.slicer.open.back().begin + slicer_.pane();
  state.retained = 0;
  state.begun_before = last_on_time_.has_value();
  state.complete_from = std::max(state.complete_from, behind);
  for (WindowState& window : state.windows) {
    window.state.slices = 0;
    window.state.complete_from = std::max(window.state.complete_from, behind);
  }
  return state;
}

// By store, the slices that the longest of its windows holds.
std::vector<std::uint64_t> Lane::Wanted(const LaneState& state) const {
  std::vector<std::uint64_t> wanted(stores_.size());
  for (std::size_t w = 0; w < state.windows.size(); ++w) {
    std::uint64_t& most = wanted[PlaceOf(members_[w])];
    most = std::max(most, state.windows[w].state.slices);
  }
  return wanted;
}

// Of the store of a member.
std::size_t Lane::PlaceOf(const Member& member) const {
  const auto store = std::ranges::find(stores_, member.slices, &SharedStore::slices);
  return static_cast<std::size_t>(store - stores_.begin());
}

// Every store gets those that it wants.
Status Lane::LoadSlices(const LaneState& state, std::span<const std::uint64_t> wanted,
                        const SliceLoader& load, const Refer& refer, WindowRecall& recall) {
  const std::uint64_t count = state.retained;
  const std::uint64_t step = (count + kGroups - 1) / kGroups;
  const auto load_group = [&](std::uint64_t first) -> Result<std::vector<LoadedSlice>> {
    std::vector<LoadedSlice> group;
    for (std::uint64_t i = first; i < std::min(first + step, count); ++i) {
      Result<LoadedSlice> one = load(state.serial, SliceId{state.first_retained() + i});
      if (!one) return one.error();
      SASH_CHECK(one.value().slice->id.value == state.first_retained() + i);
      one.value().end_points.ForEach(refer);
      group.push_back(std::move(one).value());
    }
    return group;
  };
  retained_.BeginAs(state.begun_before, state.complete_from);
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
    for (std::size_t s = 0; s < stores_.size(); ++s) {
      const std::uint64_t unwanted = count - first - std::min(count - first, wanted[s]);
      const auto skipped = static_cast<std::ptrdiff_t>(std::min(unwanted, slices.size()));
      SliceStore::Slices taken(slices.begin() + skipped, slices.end());
      if (s + 1 == stores_.size()) slices.clear();  // the store may let go of each
      recall.AddAll(*stores_[s].slices, std::move(taken),
                    first + static_cast<std::uint64_t>(skipped));
    }
  }
  return Ok{};
}

void Lane::Align(LaneState& state) const {
  // A follower that comes now holds what closes from now on.
  SlidingWindow::State nothing;
  if (state.retained > 0) nothing.complete_from = state.slicer.closed_until;
  std::vector<WindowState> windows;
  for (const Member& member : members_) {
    const WindowSpec& spec = member.window.spec();
    const auto same = std::ranges::find_if(
        state.windows, [&](const WindowState& window) { return window.spec.name == spec.name; });
    SASH_CHECK(same != state.windows.end() || spec.leader());
    const bool fits = same != state.windows.end() && same->spec.slide == spec.slide;
    windows.push_back(fits || !spec.leader() ? *same : WindowState{spec, nothing});
  }
  state.windows = std::move(windows);
}

Status Lane::Restore(LaneState state, const SliceLoader& load, const Refer& refer,
                     const std::function<VertexId()>& id_limit) {
  SASH_CHECK(retained_.size() == 0);
  Align(state);
  serial = state.serial;
  // Until the stores are filled somebody must hold the slices. Of each store that is the one who then
  // is its longest window; the others join.
  std::vector<std::unique_ptr<WindowStore>> longest;
  for (Member& member : members_) member.window = SlidingWindow(member.window.spec(), nullptr);
  for (const SharedStore& store : stores_) longest.push_back(store.slices->Open(0));
  const std::vector<std::uint64_t> wanted = Wanted(state);
  WindowRecall recall(state, retained_, id_limit);
  for (std::size_t w = 0; w < members_.size(); ++w) {
    const std::size_t place = PlaceOf(members_[w]);
    if (members_[w].recalled_for == 0) continue;
    const bool is_longest = state.windows[w].state.slices == wanted[place];
    recall.Watch(w, *members_[w].slices, is_longest ? longest[place].get() : nullptr);
  }
  if (Status loaded = LoadSlices(state, wanted, load, refer, recall); !loaded) return loaded;
  for (std::size_t w = 0; w < members_.size(); ++w) {
    const WindowState& from = state.windows[w];
    Member& member = members_[w];
    const std::size_t place = PlaceOf(member);
    std::unique_ptr<WindowStore> store;
    if (from.state.slices == wanted[place]) store = std::move(longest[place]);
    if (!store) store = member.slices->Open(from.state.slices);
    member.window = SlidingWindow(from.spec, std::move(store));
    for (std::uint64_t i = state.retained - from.state.slices; i < state.retained; ++i) {
      member.window.Note(retained_[i]);
    }
    member.window.Restore(from.state);
    if (auto recalled = recall.Take(w)) {
      member.recalled =
          member.window.Recall(std::move(recalled->published), std::move(recalled->total));
    }
  }
  slicer_.Restore(std::move(state.slicer));
  slicer_.VisitOpenEvents([&](VertexId source, VertexId target) {
    refer(source, 1);
    refer(target, 1);
  });
  accepted = state.accepted;
  slices_closed = state.retained;
  last_on_time_ = state.last_on_time;
  return Ok{};
}

}  // namespace sash
