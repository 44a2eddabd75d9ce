// KafkaSource: all partitions of the configured topics, read by one consumer thread and decoded by
// as many as it is given decoders.
//
// Thread safety: as Source; counters() may be called from any thread.
//
// Invariants
//   (1) The first batch opens with the StreamStart; partitions have their indices in the order of
//       (topic, partition). Partitions added to a topic later join (StreamReader).
//   (2) The absence of a broker, a topic or a permission is a state: it is in status().not_ready,
//       gets one log line per change, and is tried again with a growing pause, for ever.
//   (3) Only Commit() moves the group's offsets, to exactly the points it is given, the newest
//       winning. The last one given before Stop(), or after it, is sent while the caller waits,
//       kLastCommit at most.
//   (4) A full queue stops reading, and nothing else: callbacks and commits go on, and what
//       librdkafka fetches ahead is bounded (32 MiB, unless queued.max.messages.kbytes says
//       otherwise).
//   (5) With spec.span the source is finite: its last batch says so, and nothing is committed.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/kafka_spec.h"
#include "windows/base/event_log.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/source.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class KafkaSource final : public Source {
 public:
  static constexpr std::chrono::milliseconds kLastCommit{2000};
  static constexpr std::chrono::milliseconds kClose{2000};

  // spec.brokers is an address: whoever wants the embedded broker starts it and gives its address.
  // Everything passed by reference outlives the source.
  KafkaSource(KafkaSpec spec, FormatSpec format, std::vector<std::unique_ptr<Decoder>> decoders,
              PartitionTable& partitions, BatchQueue& queue, RefusalSink& refusals,
              const Clock& clock, const StreamProgress& progress, const TimePolicy& policy,
              EventLog& log);
  ~KafkaSource() override;  // stops, and closes the consumer within kClose

  Status Start() override;
  void Stop() override;
  void Commit(const RewindPoint& point) override;
  std::vector<RewindPosition> committed() const override;
  std::optional<RewindPoint> acknowledged() const override;
  SourceStatus status() const override;

  KafkaCounters counters() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sash
