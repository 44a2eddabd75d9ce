// SpanIntake: which records of one partition take part in a replay of a span.
//
// An event before the span is left out, unless it is late in the span: then it counts in the span's
// windows. An event that is far ahead of the events around it is refused (OutlierGuard), so that it
// neither makes the rest late nor ends the partition. What follows an event in doubt waits with it.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) What is decided depends on the partition's records and their order alone.
//   (2) Before the partition's first event in the span nothing of it reaches the batch.
//   (3) After passed() nothing more is taken.
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

  // `batch` ends with one more record of the partition, an event or a kRefused mark, or with
  // nothing when the record says nothing. The batch keeps it, loses it, or gets it later.
  void Take(const Before& before, EventBatch& batch);
  // The partition has no more records: what waits is decided.
  void Finish(EventBatch& batch) { Settle(true, batch); }

  // An event behind the end of the span has been accepted, and no disorder reaches back into it.
  bool passed() const { return newest_ && *newest_ - disorder_ >= span_.to; }
  // Of the accepted events, those before the span included.
  std::optional<EventTime> newest() const { return guard_.newest(); }
  // Events that lie before the span, or were refused before the first event in it.
  std::uint64_t left_out() const { return left_out_; }

 private:
  bool Keeps(const EdgeEvent& event);
  // As the engine decides it, which knows no event before the span.
  bool IsLateInSpan(EventTime time) const;
  void Settle(bool at_end, EventBatch& batch);

  const ReplaySpan span_;
  const Duration disorder_;
  const KeyKind keys_;
  OutlierGuard guard_;
  std::optional<EventTime> newest_;  // of the accepted events in the span or behind it
  std::uint64_t left_out_ = 0;
};

}  // namespace sash
