// What is polled: records, ends and errors of partitions.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/stream_reader.h"

namespace sash {
namespace {

constexpr const char* kConsumer = "consumer";

}  // namespace

void StreamReader::Handle(const Polled& polled) {
  Partition* partition = Find(polled.record.topic, polled.record.partition);
  // What else is said of a partition comes after its records.
  if (polled.kind != Polled::Kind::kRecord) DecodeWaiting();
  if (polled.kind == Polled::Kind::kError) {
    HandleError(polled, partition);
  } else if (partition == nullptr) {
    return;  // of an assignment that is no more
  } else if (partition->doubtful && polled.kind != Polled::Kind::kOutOfRange) {
    partition->skipped = true;
  } else if (polled.kind == Polled::Kind::kRecord) {
    HandleRecord(polled.record, *partition);
  } else if (polled.kind == Polled::Kind::kEnd) {
    HandleEnd(polled.record.offset, *partition);
  } else if (polled.kind == Polled::Kind::kUnreadable) {
    HandleUnreadable(polled, *partition);
  } else {
    MarkBehind(*partition);
    partition->reposition = true;
    Doubt(*partition);
  }
}

void StreamReader::HandleRecord(const KafkaRecord& record, Partition& partition) {
  if (partition.finished) return;
  if (record.offset < partition.position) {
    ++counters_.duplicates_ignored;
    return;
  }
  if (partition.until && record.offset >= *partition.until) return Finish(partition);
  PassUnreadable(record.offset, partition);
  partition.position = record.offset + 1;
  if (IsAtEnd(partition)) partition.live_until = steady_ + live_for_;
  partition.caught_up = false;
  partition.delivers = true;
  partition.overtaken = false;
  all_caught_up_ = false;
  ++records_;
  bytes_ += record.bytes();
  if (partition.failed || consumer_failed_) Recovered(partition);
  partition.last = record;
  partition.has_last = true;
  const auto place = static_cast<std::size_t>(&partition - partitions_.data());
  if (!DecodesTogether()) {
    consumer_.KeepLast(place);
    return TakeRecord(record, partition);
  }
  team_.Wait(
      {.record = record, .partition = partition.index, .place = place, .after_gap = unread_ > 0});
  consumer_.Keep();
}

void StreamReader::DecodeWaiting() {
  if (team_.waiting().empty()) return;
  const std::size_t first = filled_ - 1;
  filled_ = first + team_.Stretches();
  if (batches_.size() < filled_) batches_.resize(filled_);
  team_.Decode(batches().subspan(first));
  for (const DecodeTeam::Waiting& taken : team_.waiting()) {
    SeeTime(taken.time, partitions_[taken.place]);
  }
  team_.Forget();
  SumUp();
  consumer_.LetGo();
}

void StreamReader::SeeTime(std::optional<EventTime> time, Partition& partition) {
  if (!time) return;
  if (IsAheadOfClock(*time)) {
    any_ahead_ = true;
  } else if (!partition.newest || *partition.newest < *time) {
    partition.newest = time;
  }
}

void StreamReader::TakeRecord(const KafkaRecord& record, Partition& partition) {
  EventBatch& batch = last_batch();
  // What the unread partitions hold is in no window, so each may lack something.
  if (unread_ > 0) batch.AddMark(Mark::Kind::kGap, partition.index);
  const auto before = SpanIntake::Before::Of(batch);
  const std::optional<EventTime> time = team_.intake().Take(record, partition.index, batch);
  if (!partition.span) return SeeTime(time, partition);
  partition.span->Take(before, batch);
  partition.newest = partition.span->newest();
  const bool at_end = partition.until && partition.position >= *partition.until;
  if (at_end || partition.span->passed()) Finish(partition);
}

void StreamReader::HandleEnd(std::int64_t offset, Partition& partition) {
  if (partition.finished || offset < partition.position) return;
  PassUnreadable(offset, partition);
  partition.position = offset;  // beyond the last record when transactions ended there
  partition.end = offset;
  partition.overtaken = false;
  // Short of the end that it had at the start, an unfinished transaction holds the rest back.
  if (!partition.until || offset >= *partition.until) MarkCaughtUp(partition);
  if (partition.failed || consumer_failed_) Recovered(partition);
}

// It waits in the gate, so it passes nothing: or a single one would have its partition held back
// until the others get there.
bool StreamReader::IsAheadOfClock(EventTime time) const {
  return policy_.check_ahead && time - policy_.ahead_limit > now_;
}

void StreamReader::Finish(Partition& partition) {
  if (partition.finished) return;
  SetPaused({static_cast<std::size_t>(&partition - partitions_.data())}, true);
  partition.finished = true;
  partition.caught_up = true;
  if (partition.span) partition.span->Finish(last_batch());
  last_batch().AddMark(Mark::Kind::kCaughtUp, partition.index);
}

bool StreamReader::Finished() const {
  return span_ && std::ranges::all_of(partitions_, &Partition::finished);
}

std::uint64_t StreamReader::left_out_of_span() const {
  std::uint64_t events = 0;
  for (const Partition& partition : partitions_) {
    if (partition.span) events += partition.span->left_out();
  }
  return events;
}

// librdkafka asks for the batch again, for ever; of old formats it passes one over whose checksum
// is wrong. Where a batch ends nobody tells (2.0.2), so there is no way round it but to have it
// taken from the topic.
void StreamReader::HandleUnreadable(const Polled& polled, Partition& partition) {
  if (partition.finished) return;
  MarkBehind(partition);
  partition.failed = true;
  const std::int64_t offset = polled.record.offset;
  if (std::exchange(partition.unreadable, offset) != offset) ++counters_.unreadable_batches;
  const std::string name = NameOf(partition.pair);
  ready_.Set(name, kafka_events::kPartitionUnreadable,
             fmt::format("{} at {}", polled.identity, offset),
             fmt::format("kafka: {}: the batch at offset {} cannot be read ({}); it is asked for "
                         "until it can be, or is gone from the topic",
                         name, offset, polled.text),
             {{"topic", partition.pair.topic},
              {"partition", partition.pair.partition},
              {"offset", offset}});
}

void StreamReader::PassUnreadable(std::int64_t next, Partition& partition) {
  if (!std::exchange(partition.unreadable, std::nullopt) || next <= partition.position) return;
  counters_.lost_records += static_cast<std::uint64_t>(next - partition.position);
  last_batch().AddMark(Mark::Kind::kGap, partition.index);
  log_.Log(kafka_events::kPartitionPassedOver,
           fmt::format("kafka: {}: offsets {} to {} could not be read", NameOf(partition.pair),
                       partition.position, next - 1),
           {{"topic", partition.pair.topic},
            {"partition", partition.pair.partition},
            {"offset", partition.position},
            {"lost", next - partition.position}});
}

void StreamReader::HandleError(const Polled& polled, Partition* partition) {
  if (partition == nullptr) {
    consumer_failed_ = true;
    ready_.Set(kConsumer, kafka_events::kReadingFailed, polled.identity,
               fmt::format("kafka: {}", polled.text));
    return;
  }
  MarkBehind(*partition);
  partition->failed = true;
  const std::string name = NameOf(partition->pair);
  ready_.Set(name, kafka_events::kPartitionFailed, polled.identity,
             fmt::format("kafka: {}: {}", name, polled.text),
             {{"topic", partition->pair.topic}, {"partition", partition->pair.partition}});
}

void StreamReader::Recovered(Partition& partition) {
  if (std::exchange(consumer_failed_, false)) {
    ready_.Clear(kConsumer, kafka_events::kReadingResumed, "kafka: reading again");
  }
  if (!std::exchange(partition.failed, false)) return;
  const std::string name = NameOf(partition.pair);
  ready_.Clear(name, kafka_events::kPartitionResumed, fmt::format("kafka: {}: reading again", name),
               {{"topic", partition.pair.topic}, {"partition", partition.pair.partition}});
}

void StreamReader::MarkCaughtUp(Partition& partition) {
  partition.check_end = false;
  partition.awaited_until = 0;  // there is no more
  partition.begins = false;
  if (span_) return Finish(partition);
  if (std::exchange(partition.caught_up, true)) return;
  last_batch().AddMark(Mark::Kind::kCaughtUp, partition.index);
}

void StreamReader::MarkBehind(Partition& partition) {
  if (partition.finished) return;
  all_caught_up_ = false;
  partition.live_until = {};
  if (!std::exchange(partition.caught_up, false)) return;
  last_batch().AddMark(Mark::Kind::kBehind, partition.index);
}

}  // namespace sash
