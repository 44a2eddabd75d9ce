// SourceBoard: what the reader publishes for other threads: its status, its counters, its failure.
//
// Thread safety: Publish() belongs to the reader's thread; any thread may call the others.
#pragma once

#include <cstdint>

#include "connectors/codec/format_spec.h"
#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/kafka_spec.h"
#include "connectors/kafka/lag_report.h"
#include "connectors/kafka/stream_reader.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/base/result.h"
#include "windows/ingest/source.h"

namespace sash {

class SourceBoard {
 public:
  SourceBoard(const KafkaSpec& spec, const FormatSpec& format, EventLog& log);

  // Logs truncations of tables.
  void Publish(StreamReader& reader);
  // The source has ended, and does not try again.
  void Fail(const Error& error);
  // The last round was dropped because the queue had no room: it does not count as read.
  void NoteDropped();
  // Another instance reads instead of this one.
  void SetStandingBy(bool stands_by);
  bool is_standing_by() const;
  // The brokers gave the group's member up.
  void CountLostClaim();

  // For the lag report, as far as the board knows whether it may commit.
  LagReport::Reading Reading() const;
  SourceStatus status() const;     // without reasons and incidents
  KafkaCounters counters() const;  // without commits

 private:
  EventLog& log_;
  std::uint64_t truncations_ = 0;  // that the log has
  mutable Mutex mutex_;
  SourceStatus status_ SASH_GUARDED_BY(mutex_);
  KafkaCounters counters_ SASH_GUARDED_BY(mutex_);
  bool has_dropped_ SASH_GUARDED_BY(mutex_) = false;
};

}  // namespace sash
