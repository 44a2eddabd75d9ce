// Makes the configured source, and the embedded broker if the configuration asks for one.
//
// Thread safety: belongs to the main thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>

#include "connectors/kafka/embedded_broker.h"
#include "daemon/config/config.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"
#include "windows/ingest/batch_queue.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/source.h"

namespace sash {

struct SourceSurroundings {
  PartitionTable& partitions;
  BatchQueue& queue;
  RefusalSink& refusals;
  const Clock& clock;
  const StreamProgress& progress;
  EventLog& log;
  const EmbeddedBroker* broker = nullptr;  // with `brokers: embedded`
  // How much librdkafka may fetch ahead, unless a user's option sets it; empty: its usual limit.
  std::optional<std::size_t> prefetch_bytes;
  std::map<TopicPartition, ResumedPartition> resume = {};  // KafkaSpec::resume
  Duration pane{};                                         // of the windows by event time
};

// The configured embedded broker; null when there is none.
Result<std::unique_ptr<EmbeddedBroker>> StartEmbeddedBroker(const SourceConfig& config,
                                                            EventLog& log);

// A source and the objects it needs.
class SourceHolder {
 public:
  virtual ~SourceHolder() = default;
  virtual Source& source() = 0;
};

// Whether the files of a replay, or the folder of exported slices, can be opened; called before
// anything is overwritten. Always Ok for Kafka: it may be reached later.
Status CheckSource(const SourceConfig& config);

Result<std::unique_ptr<SourceHolder>> MakeSource(const SourceConfig& config,
                                                 const SourceSurroundings& around);

}  // namespace sash
