// How a lane is kept and made anew.
#include <algorithm>
#include <future>
#include <utility>

#include "windows/base/check.h"
#include "windows/ingest/end_point_counts.h"
#include "windows/slide/lane.h"

namespace sash {
namespace {

struct LoadedSlice {
  std::shared_ptr<const Slice> slice;
  CodedCounts end_points;
};

}  // namespace

LaneState Lane::State() const {
  LaneState state{.serial = serial,
                  .axis = axis_,
                  .pane = slicer_.pane(),
                  .slicer = slicer_.State(),
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

// Every store gets the slices that the longest of its windows holds.
Status Lane::LoadSlices(const LaneState& state, const SliceLoader& load, const Refer& refer) {
  std::vector<std::uint64_t> wanted(stores_.size());
  for (std::size_t w = 0; w < state.windows.size(); ++w) {
    const auto store = std::ranges::find(stores_, members_[w].slices, &SharedStore::slices);
    std::uint64_t& most = wanted[static_cast<std::size_t>(store - stores_.begin())];
    most = std::max(most, state.windows[w].state.slices);
  }
  retained_.BeginAs(state.begun_before, state.complete_from);
  const auto load_next = [&](std::uint64_t i) -> Result<LoadedSlice> {
    Result<std::shared_ptr<const Slice>> slice =
        load(state.serial, SliceId{state.first_retained() + i});
    if (!slice) return slice.error();
    CodedCounts end_points = CountEndPoints(*slice.value());
    end_points.ForEach(refer);
    return LoadedSlice{std::move(slice).value(), std::move(end_points)};
  };
  // While the stores take one slice in, another thread loads the next: keys are for the one what
  // edges are for the other, and neither needs anything of the other.
  std::future<Result<LoadedSlice>> next;
  if (state.retained > 0) next = std::async(std::launch::async, load_next, 0);
  for (std::uint64_t i = 0; i < state.retained; ++i) {
    Result<LoadedSlice> loaded = next.get();
    if (!loaded) return loaded.error();
    if (i + 1 < state.retained) next = std::async(std::launch::async, load_next, i + 1);
    const std::shared_ptr<const Slice>& slice = loaded.value().slice;
    SASH_CHECK(slice->id.value == state.first_retained() + i);
    for (std::size_t s = 0; s < stores_.size(); ++s) {
      if (state.retained - i <= wanted[s]) stores_[s].slices->Add(slice);
    }
    loaded.value().end_points.MoveTo(slots_);
    retained_.Append(slice, std::move(loaded.value().end_points));
  }
  return Ok{};
}

Status Lane::Restore(LaneState state, const SliceLoader& load, const Refer& refer) {
  SASH_CHECK(retained_.size() == 0 && state.windows.size() == members_.size());
  serial = state.serial;
  // Windows join again one by one, once their stores are filled; until then somebody must hold the
  // slices.
  std::vector<std::unique_ptr<WindowStore>> holders;
  for (Member& member : members_)
    member = {SlidingWindow(member.window.spec(), nullptr), member.slices};
  for (const SharedStore& store : stores_) holders.push_back(store.slices->Open(0));
  if (Status loaded = LoadSlices(state, load, refer); !loaded) return loaded;
  for (std::size_t w = 0; w < members_.size(); ++w) {
    const WindowState& from = state.windows[w];
    Member& member = members_[w];
    member.window = SlidingWindow(from.spec, member.slices->Open(from.state.slices));
    for (std::uint64_t i = state.retained - from.state.slices; i < state.retained; ++i) {
      member.window.Note(retained_[i]);
    }
    member.window.Restore(from.state);
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
