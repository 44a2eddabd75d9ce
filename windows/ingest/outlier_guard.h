// OutlierGuard: an event of a replay that is far ahead of what surrounds it does not make the rest
// late.
//
// An event is in doubt when it is later than every accepted event before it by more than the limit;
// before the first accepted event every event is. It is an outlier when 90 % of the next 100 events
// lie before it by more than the limit. At the end of the input the events that are left decide;
// without any, the event is accepted. The first event is accepted at once when none of the next two
// lies before it by so much: a slow pipe need not bring eleven events for its first window.
//
// What comes after an event that is in doubt waits with it: for 11 events that are not before it by
// so much, or 90 that are.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) What is decided depends on the events and their order alone: not on batches, clocks or
//       threads.
//   (2) No more than 100 events wait behind the one that is in doubt.
#pragma once

#include <cstddef>
#include <optional>

#include "windows/base/clock.h"
#include "windows/ingest/event_batch.h"

namespace sash {

class OutlierGuard {
 public:
  static constexpr Duration kNone = Duration::max();  // a limit: no event is in doubt
  static constexpr std::size_t kNext = 100;
  static constexpr std::size_t kRefusing = 90;  // of kNext

  OutlierGuard(Duration limit, KeyKind keys) : limit_(limit), keys_(keys) {}

  // Whether an event that comes now is in no doubt, and need not wait for another. It then counts
  // as accepted.
  bool Passes(EventTime time) {
    if (waiting() || IsInDoubt(time)) return false;
    Accept(time);
    return true;
  }

  // Where what has to wait is added: the events that did not pass, and every mark while waiting().
  EventBatch& held() { return held_; }
  bool waiting() const { return next_event_ < held_.events().size(); }
  std::size_t events() const { return held_.events().size() - next_event_; }
  // Of the first that waits.
  EventTime first_time() const { return held_.events()[next_event_].time; }
  std::optional<EventTime> newest() const { return newest_; }  // of the accepted events

  enum class Verdict { kUndecided, kAccepted, kRefused };
  // Of the first that waits; `at_end`: nothing follows what is held.
  Verdict Judge(bool at_end) const;
  // Moves the first event, about which is decided, and the marks before the next one.
  void Pop(Verdict verdict, EventBatch& into);

 private:
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
