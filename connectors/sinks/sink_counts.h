// SinkCounts: what the sinks of a process have counted since the start, for metrics. A new count of
// a sink is a member here, which its AddCounts() fills in.
//
// Thread safety: SinkCounts is a plain value; AddCounts() may be called from any thread.
#pragma once

#include <vector>

#include "connectors/sinks/kafka_sink_counts.h"
#include "windows/jobs/result_sink.h"

namespace sash {

struct SinkCounts {
  std::vector<KafkaSinkCounts> kafka;  // each with a unique `sink` name
};

// A sink that counts.
class CountedSink : public ResultSink {
 public:
  // Adds the counts of this sink to those of the sinks before it.
  virtual void AddCounts(SinkCounts& counts) const = 0;
};

}  // namespace sash
