#include "windows/ingest/outlier_guard.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {

OutlierGuard::Verdict OutlierGuard::Judge(bool at_end) const {
  SASH_CHECK(waiting());
  const EventTime time = first_time();
  if (!IsInDoubt(time)) return Verdict::kAccepted;
  const std::size_t first = next_event_ + 1;
  const std::size_t end = std::min(held_.events().size(), first + kNext);
  const std::size_t asked = end - first;
  std::size_t before = 0;
  for (std::size_t i = first; i < end; ++i) {
    if (held_.events()[i].time < time - limit_) ++before;
    if (!newest_ && before == 0 && i == first + 1) return Verdict::kAccepted;
  }
  if (before >= kRefusing) return Verdict::kRefused;
  if (asked - before > kNext - kRefusing) return Verdict::kAccepted;
  if (!at_end) return Verdict::kUndecided;
  return asked > 0 && before * kNext >= asked * kRefusing ? Verdict::kRefused : Verdict::kAccepted;
}

void OutlierGuard::Pop(Verdict verdict, EventBatch& into) {
  SASH_CHECK(waiting() && verdict != Verdict::kUndecided);
  into.AddCopy(held_, next_event_, keys_);
  if (verdict == Verdict::kRefused) {
    into.RefuseLastAsAhead();
  } else {
    Accept(first_time());
  }
  ++next_event_;
  for (; next_mark_ < held_.marks().size(); ++next_mark_) {
    const Mark& mark = held_.marks()[next_mark_];
    if (mark.before_event > next_event_) break;
    into.AddMark(mark.kind, mark.partition, mark.offset);
  }
  if (waiting() && next_event_ < kNext) return;
  // Frees the memory of the events that have left.
  EventBatch rest;
  for (std::size_t i = next_event_; i < held_.events().size(); ++i) {
    rest.AddCopy(held_, i, keys_);
    for (; next_mark_ < held_.marks().size(); ++next_mark_) {
      const Mark& mark = held_.marks()[next_mark_];
      if (mark.before_event > i + 1) break;
      rest.AddMark(mark.kind, mark.partition, mark.offset);
    }
  }
  held_ = std::move(rest);
  next_event_ = 0;
  next_mark_ = 0;
}

}  // namespace sash
