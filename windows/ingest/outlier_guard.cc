#include "windows/ingest/outlier_guard.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {

// The verdict on an event with this time of the first waiting record, which ends before `end`.
OutlierGuard::Verdict OutlierGuard::Judge(EventTime time, std::size_t end, bool at_end) const {
  if (!IsInDoubt(time)) return Verdict::kAccepted;
  std::size_t asked = 0;
  std::size_t before = 0;
  for (std::size_t i = end; i < held_.events().size() && asked < kNext; ++asked) {
    const std::size_t next = held_.RecordEnd(i);
    if (held_.NewestOf(i, next) < time - limit_) ++before;
    if (!newest_ && before == 0 && asked == 1) return Verdict::kAccepted;
    i = next;
  }
  if (before >= kRefusing) return Verdict::kRefused;
  if (asked - before > kNext - kRefusing) return Verdict::kAccepted;
  if (!at_end) return Verdict::kUndecided;
  return asked > 0 && before * kNext >= asked * kRefusing ? Verdict::kRefused : Verdict::kAccepted;
}

OutlierGuard::Verdict OutlierGuard::Judge(bool at_end) const {
  SASH_CHECK(waiting());
  const std::size_t end = held_.RecordEnd(next_event_);
  Verdict verdict = Verdict::kAccepted;
  for (std::size_t i = next_event_; i < end; ++i) {
    const Verdict own = Judge(held_.events()[i].time, end, at_end);
    if (own == Verdict::kUndecided) return own;
    if (own == Verdict::kRefused) verdict = own;
  }
  return verdict;
}

void OutlierGuard::Pop(Verdict verdict, EventBatch& into) {
  SASH_CHECK(waiting() && verdict != Verdict::kUndecided);
  const std::size_t end = held_.RecordEnd(next_event_);
  MoveMarks(into);
  std::optional<EventTime> newest;  // of the events that are accepted
  for (std::size_t i = next_event_; i < end; ++i) {
    const EventTime time = held_.events()[i].time;
    into.AddCopy(held_, i, keys_);
    // Every event has a verdict by now, and it is the same as at the end.
    if (verdict == Verdict::kRefused && Judge(time, end, true) == Verdict::kRefused) {
      into.RefuseLastAsAhead();
    } else {
      newest = std::max(newest, std::optional(time));
    }
  }
  if (newest) Accept(*newest);
  next_event_ = end;
  MoveMarks(into);
  if (!waiting() || next_event_ >= kNext) FreeWhatLeft();
}

// The marks before the first event that waits.
void OutlierGuard::MoveMarks(EventBatch& into) {
  for (; next_mark_ < held_.marks().size(); ++next_mark_) {
    const Mark& mark = held_.marks()[next_mark_];
    if (mark.before_event > next_event_) break;
    into.AddMark(mark.kind, mark.partition, mark.offset);
  }
}

// Frees the memory of the events that have left.
void OutlierGuard::FreeWhatLeft() {
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
