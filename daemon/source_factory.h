// Makes the source that the configuration names, with the embedded broker where it asks for one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

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
  // What librdkafka may fetch ahead, unless an option of the user's says; none: its usual bound.
  std::optional<std::size_t> prefetch_bytes;
};

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
