#include "connectors/kafka/record_decoding.h"

namespace sash {

bool RecordDecoding::HasRoom() const {
  const EventBatch& batch = round_.first();
  const std::size_t threads = DecodesTogether() ? team_.threads() : 1;
  return round_.has_one_batch() && batch.marks().size() < kMaxBatchEvents &&
         batch.events().size() + team_.waiting().size() < kMaxBatchEvents * threads &&
         batch.bytes() + team_.waiting_bytes() < kMaxBatchBytes * threads;
}

void RecordDecoding::Take(const KafkaRecord& record, bool after_gap, ReadPartition& partition) {
  ++records_;
  bytes_ += record.bytes();
  partition.identity.last = record;
  partition.identity.has_last = true;
  const std::size_t place = partitions_.PlaceOf(partition);
  if (!DecodesTogether()) {
    consumer_.KeepLast(place);
    return DecodeAlone(record, after_gap, partition);
  }
  team_.Wait(
      {.record = record, .partition = partition.index, .place = place, .after_gap = after_gap});
  consumer_.Keep();
}

void RecordDecoding::DecodeAlone(const KafkaRecord& record, bool after_gap,
                                 ReadPartition& partition) {
  EventBatch& batch = round_.last();
  if (after_gap) batch.AddMark(Mark::Kind::kGap, partition.index);
  const auto before = SpanIntake::Before::Of(batch);
  const std::optional<EventTime> time = team_.intake().Take(record, partition.index, batch);
  if (!partition.span) return SeeTime(time, partition);
  partition.span->Take(before, batch);
  partition.newest = partition.span->newest();
  const bool at_end = partition.until && partition.position >= *partition.until;
  if (at_end || partition.span->passed()) assignment_.Finish(partition);
}

void RecordDecoding::DecodeWaiting() {
  if (team_.waiting().empty()) return;
  team_.Decode(round_.Extend(team_.Stretches() - 1));
  for (const DecodeTeam::Waiting& taken : team_.waiting()) {
    SeeTime(taken.time, partitions_[taken.place]);
  }
  team_.Forget();
  doubts_.SumUp();
  consumer_.LetGo();
}

// An event that is ahead of the clock waits in the AheadGate, so the partition has not reached its
// time. Otherwise a single such event would pause the partition until the others reach it.
void RecordDecoding::SeeTime(std::optional<EventTime> time, ReadPartition& partition) {
  if (!time) return;
  if (policy_.check_ahead && *time - policy_.ahead_limit > round_.now()) {
    round_.NoteAhead();
  } else if (!partition.newest || *partition.newest < *time) {
    partition.newest = time;
  }
}

}  // namespace sash
