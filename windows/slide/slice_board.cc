#include "windows/slide/slice_board.h"

#include <utility>

namespace sash {
namespace {

SliceStatus StatusOf(const RetainedSlice& slice) {
  return {.begin = slice.begin,
          .end = slice.end,
          .events = slice.events,
          .late = slice.account.late,
          .refused = slice.account.refused,
          .closed = true};
}

}  // namespace

void SliceBoard::Update(WindowAxis axis, const RetainedSlices& retained, const Slicer& slicer) {
  std::vector<SliceStatus> open;
  slicer.VisitOpenSlices([&](Position begin, std::uint64_t events, const SliceAccount& account) {
    open.push_back({begin, begin + slicer.pane(), events, account.late, account.refused, false});
  });
  const MutexLock lock(mutex_);
  Shelf& shelf = shelves_[axis];
  if (shelf.pane != slicer.pane()) shelf.closed.clear();  // the axis has a new lane
  shelf.pane = slicer.pane();
  shelf.open = std::move(open);
  std::deque<SliceStatus>& closed = shelf.closed;
  if (retained.size() == 0) {
    closed.clear();
    return;
  }
  while (!closed.empty() && closed.front().begin < retained[0].begin) closed.pop_front();
  std::size_t first = retained.size();
  while (first > 0 && (closed.empty() || retained[first - 1].begin > closed.back().begin)) --first;
  for (; first < retained.size(); ++first) closed.push_back(StatusOf(retained[first]));
}

void SliceBoard::Forget(WindowAxis axis) {
  const MutexLock lock(mutex_);
  shelves_.erase(axis);
}

SliceBoard::Axis SliceBoard::Of(WindowAxis axis, Position begin, std::size_t most) const {
  const MutexLock lock(mutex_);
  const auto found = shelves_.find(axis);
  if (found == shelves_.end()) return {};
  Axis answer{.pane = found->second.pane, .slices = {}};
  const auto take = [&](const auto& slices) {
    for (auto slice = slices.rbegin(); slice != slices.rend() && slice->begin >= begin; ++slice) {
      if (answer.slices.size() == most) return;
      answer.slices.push_back(*slice);
    }
  };
  take(found->second.open);
  take(found->second.closed);
  return answer;
}

}  // namespace sash
