#include "connectors/kafka/source_board.h"

#include <fmt/format.h>

#include "connectors/kafka/log_events.h"

namespace sash {

SourceBoard::SourceBoard(const KafkaSpec& spec, const FormatSpec& format, EventLog& log)
    : log_(log) {
  const MutexLock lock(mutex_);
  status_.kind = "kafka";
  status_.address = spec.brokers;
  status_.topic_pattern = spec.topic_pattern;
  for (const FormatSpec& mapping : format.mappings) status_.mappings.push_back({mapping.name});
}

void SourceBoard::Publish(StreamReader& reader) {
  std::uint64_t truncations = 0;
  {
    const MutexLock lock(mutex_);
    reader.FillStatus(status_, counters_);
    truncations = counters_.decoded.truncations;
  }
  if (truncations == truncations_) return;
  log_.Log(
      kafka_events::kTruncated,
      fmt::format("kafka: truncations of tables: {}; they do not say which edges end, so these "
                  "stay until they leave the windows",
                  truncations - truncations_),
      {{"truncations", truncations - truncations_}});
  truncations_ = truncations;
}

void SourceBoard::Fail(const Error& error) {
  const MutexLock lock(mutex_);
  status_.failure = fmt::format("kafka: {}", error.message);
}

void SourceBoard::NoteDropped() {
  const MutexLock lock(mutex_);
  has_dropped_ = true;
}

void SourceBoard::SetStandingBy(bool stands_by) {
  const MutexLock lock(mutex_);
  status_.standing_by = stands_by;
}

bool SourceBoard::is_standing_by() const {
  const MutexLock lock(mutex_);
  return status_.standing_by;
}

void SourceBoard::CountLostClaim() {
  const MutexLock lock(mutex_);
  ++counters_.claims_lost;
}

LagReport::Reading SourceBoard::Reading() const {
  LagReport::Reading reading;
  const MutexLock lock(mutex_);
  reading.may_commit = !status_.standing_by && !status_.failure && !has_dropped_;
  for (const PartitionStatus& partition : status_.partitions) {
    reading.positions.push_back({{partition.topic, partition.partition}, partition.position, {}});
  }
  return reading;
}

SourceStatus SourceBoard::status() const {
  const MutexLock lock(mutex_);
  return status_;
}

KafkaCounters SourceBoard::counters() const {
  const MutexLock lock(mutex_);
  return counters_;
}

}  // namespace sash
