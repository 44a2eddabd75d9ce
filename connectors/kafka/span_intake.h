// SpanIntake: which records of one partition take part in a replay of a span.
//
// An event before the span is left out, unless it is late in the span: then it counts in the span's
// windows. An event that is far ahead of the events around it is refused (OutlierGuard), so that it
// neither makes the rest late nor ends the partition. Until that is decided, the events after it
// wait too.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) Decisions depend only on the partition's records and their order.
//   (2) Nothing of the partition reaches the batch before its first event in the span.
//   (3) After passed() no more records are taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "connectors/kafka/kafka_spec.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/outlier_guard.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class SpanIntake {
 public:
  // How much a batch held before a record was added to it.
  struct Before {
    std::size_t events = 0;
    std::size_t marks = 0;
    std::size_t text_bytes = 0;

    static Before Of(const EventBatch& batch) {
      return {batch.events().size(), batch.marks().size(), batch.text_bytes()};
    }
  };

  SpanIntake(const ReplaySpan& span, const TimePolicy& policy, KeyKind keys)
      : span_(span), disorder_(policy.disorder), keys_(keys), guard_(policy.ahead_limit, keys) {}

  // `batch` has got one more record of the partition since `before`: its events, kRefused marks, or
  // nothing (an ignored tombstone). The batch keeps them, loses them, or gets them later.
  void Take(const Before& before, EventBatch& batch);
  // The partition has no more records: waiting events are decided.
  void Finish(EventBatch& batch) { Settle(true, batch); }

  // An event so far after the span has been accepted that disorder cannot reach back into the span.
  bool passed() const { return newest_ && *newest_ - disorder_ >= span_.to; }
  // Newest time of the accepted events, including those before the span.
  std::optional<EventTime> newest() const { return guard_.newest(); }
  // Events that lie before the span, or were refused before the first event in it.
  std::uint64_t left_out() const { return left_out_; }

 private:
  bool Keeps(const EdgeEvent& event) const;
  void Keep(const EventBatch& record, EventBatch& batch);
  void NoteKept(const EdgeEvent& event);
  // The same decision as in the engine, which does not see events before the span.
  bool IsLateInSpan(EventTime time) const;
  void TakeMarks(const Before& before, EventBatch& batch);
  void Settle(bool at_end, EventBatch& batch);

  const ReplaySpan span_;
  const Duration disorder_;
  const KeyKind keys_;
  OutlierGuard guard_;
  std::optional<EventTime> newest_;  // of the accepted events in the span or after it
  std::uint64_t left_out_ = 0;
};

}  // namespace sash
