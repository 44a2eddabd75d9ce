// KafkaSource: reads all partitions of the configured topics in one consumer thread, and decodes
// them in one thread for each decoder.
//
// Thread safety: as Source; counters() may be called from any thread.
//
// Invariants
//   (1) The first batch begins with the StreamStart. The indices of partitions are in the order of
//       (topic, partition). Partitions that are added to a topic later join (TopicChanges).
//   (2) A missing broker, topic or permission is a state: it is in status().not_ready, gets one log
//       line per change, and is tried again for ever, with growing pauses.
//   (3) Only Commit() moves the group's offsets, exactly to its points; the newest one wins. The
//       last point, given before or after Stop(), is sent while the caller waits, for at most
//       kLastCommit.
//   (4) A full queue stops only reading: callbacks and commits go on. The records that librdkafka
//       fetches ahead are limited (32 MiB, unless queued.max.messages.kbytes sets another limit).
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

  // spec.brokers is an address: a caller that wants the embedded broker starts it and passes its
  // address.
  // Everything passed by reference outlives the source. `schemas`: that of the decoders, if records
  // name their schemas.
  KafkaSource(KafkaSpec spec, FormatSpec format, std::vector<std::unique_ptr<Decoder>> decoders,
              PartitionTable& partitions, BatchQueue& queue, RefusalSink& refusals,
              const Clock& clock, const StreamProgress& progress, const TimePolicy& policy,
              EventLog& log, std::shared_ptr<SchemaSource> schemas = nullptr);
  ~KafkaSource() override;  // stops, and closes the consumer within kClose

  Status Start() override;
  void Stop() override;
  void Commit(const RewindPoint& point) override;
  std::vector<RewindPosition> committed() const override;
  std::optional<RewindPoint> acknowledged() const override;
  SourceStatus status() const override;
  Result<Switch> PrepareFilters(FilterSetPtr filters) override;

  KafkaCounters counters() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sash
