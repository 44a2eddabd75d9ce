// The filters that windows of a LaneSet may have, and from where on they judge.
#include <algorithm>

#include "windows/base/check.h"
#include "windows/ingest/axis_position.h"
#include "windows/slide/lane_set.h"

namespace sash {

void LaneSet::SetFilters(const FilterSetPtr& filters) {
  SASH_CHECK(filters->generation > filters_->generation && filters->texts.size() <= kMostFilters);
  const auto is_kept = [&](std::size_t number) {
    return number < this->filters().size() && this->filters()[number] == filters->texts[number];
  };
  FilterBits fresh = 0;
  for (std::size_t i = 0; i < filters->texts.size(); ++i) {
    if (!is_kept(i)) fresh |= FilterBits{1} << i;
  }
  for (Lane& lane : lanes_) {
    for (const Lane::Member& member : lane.members()) {
      const FilterBits filter = member.window.filter();
      SASH_CHECK(filter == kNoFilter ||
                 ((filter & fresh) == 0 &&
                  filter == FilterOf(member.window.spec().filter(), filters->texts)));
    }
  }
  filters_ = filters;
  const NumberedTypeFilters by_type(TypeFilters(filters->texts, fresh),
                                    around_.keys.types().Words());
  const std::optional<EventTime> newest = partitions_.newest();
  for (Lane& lane : lanes_) {
    std::optional<Position> judged_from;
    if (newest) judged_from = BehindOf(lane.axis(), *newest);
    lane.SetFilters(Texts(), fresh, by_type, judged_from);
  }
}

void LaneSet::NoteUnjudged(const EventBatch& batch) {
  std::optional<EventTime> newest = partitions_.newest();
  for (const EdgeEvent& event : batch.events()) {
    if (event.ahead || event.filtered || event.time > time_.latest) continue;
    newest = std::max(newest, std::optional(event.time));
  }
  if (!newest) return;
  for (Lane& lane : lanes_) {
    lane.windows().JudgedFrom(batch.unjudged, BehindOf(lane.axis(), *newest));
  }
}

// The first position behind the events up to now, of which `newest` is the newest by event time.
Position LaneSet::BehindOf(WindowAxis axis, EventTime newest) const {
  switch (axis) {
    case WindowAxis::kEventTime:
      return ToPosition(newest) + 1;
    case WindowAxis::kProcessingTime:
      return time_.processing_time + 1;
    case WindowAxis::kEvents:
      break;
  }
  return static_cast<Position>(time_.numbered);
}

}  // namespace sash
