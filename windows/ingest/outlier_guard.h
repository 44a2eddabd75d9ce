// OutlierGuard: finds events of a replay that are far ahead of the events around them, so that such
// an event does not make the other events late.
//
// An event is in doubt when it is later than every accepted event before its record by more than
// the limit, or when no event has been accepted before. It is an outlier when 90 % of the next 100
// records are earlier than it by more than the limit; the newest event of a record is its time. At
// the end of the input the remaining records decide; if there are none, the event is accepted. The
// first event is accepted at once when neither of the next two records is earlier by more than the
// limit, so that a slow pipe gets its first window before eleven records have come.
//
// The records after one with an event in doubt wait with it, until 11 of them are not earlier by
// more than the limit, or 90 are. Of a record with several events, only the outliers are refused.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) Decisions depend only on the events and their order, not on batches, clocks or threads.
//   (2) At most 100 records wait behind the one that is in doubt.
#pragma once

#include <cstddef>
#include <optional>

#include "windows/base/clock.h"
#include "windows/ingest/event_batch.h"

namespace sash {

class OutlierGuard {
 public:
  static constexpr Duration kNone = Duration::max();  // a limit: no event is in doubt
  static constexpr std::size_t kNext = 100;           // records
  static constexpr std::size_t kRefusing = 90;        // of kNext

  OutlierGuard(Duration limit, KeyKind keys) : limit_(limit), keys_(keys) {}

  // Whether a record that comes now, whose newest event has this time, is not in doubt, and does
  // not wait behind another one. If so, its events count as accepted.
  bool Passes(EventTime time) {
    if (waiting() || IsInDoubt(time)) return false;
    Accept(time);
    return true;
  }

  // The caller adds here what must wait: events that did not pass, and every mark while waiting().
  EventBatch& held() { return held_; }
  bool waiting() const { return next_event_ < held_.events().size(); }
  std::size_t events() const { return held_.events().size() - next_event_; }
  // The newest time of the first waiting record.
  EventTime first_time() const { return held_.NewestOf(next_event_, held_.RecordEnd(next_event_)); }
  std::optional<EventTime> newest() const { return newest_; }  // of the accepted events

  enum class Verdict { kUndecided, kAccepted, kRefused };
  // The verdict on the first waiting record; kRefused if an event of it is an outlier. `at_end`:
  // nothing follows the held events.
  Verdict Judge(bool at_end) const;
  // Moves the events of the first record, which has a verdict, and the marks before the next one.
  void Pop(Verdict verdict, EventBatch& into);

 private:
  Verdict Judge(EventTime time, std::size_t end, bool at_end) const;
  void MoveMarks(EventBatch& into);
  void FreeWhatLeft();
  bool IsInDoubt(EventTime time) const {
    return limit_ != kNone && (!newest_ || time - limit_ > *newest_);
  }
  void Accept(EventTime time) {
    if (!newest_ || time > *newest_) newest_ = time;
  }

  const Duration limit_;
  const KeyKind keys_;
  std::optional<EventTime> newest_;
  EventBatch held_;  // from next_event_ and next_mark_ on
  std::size_t next_event_ = 0;
  std::size_t next_mark_ = 0;
};

}  // namespace sash
