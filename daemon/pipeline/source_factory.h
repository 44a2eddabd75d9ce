// Makes the source that the configuration names, and the embedded broker where it asks for one.
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
  // What librdkafka may fetch ahead, unless an option of the user's says; none: its usual bound.
  std::optional<std::size_t> prefetch_bytes;
  std::map<TopicPartition, ResumedPartition> resume = {};  // KafkaSpec::resume
};

// The broker that the configuration asks for; null when it asks for none.
Result<std::unique_ptr<EmbeddedBroker>> StartEmbeddedBroker(const SourceConfig& config,
                                                            EventLog& log);

// A source and what it needs to live.
class SourceHolder {
 public:
  virtual ~SourceHolder() = default;
  virtual Source& source() = 0;
};

// Whether the file of a replay can be read at all: to be asked before anything is overwritten.
Status CheckSource(const SourceConfig& config);

Result<std::unique_ptr<SourceHolder>> MakeSource(const SourceConfig& config,
                                                 const SourceSurroundings& around);

}  // namespace sash
