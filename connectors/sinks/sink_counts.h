// SinkCounts: what the sinks of a process have counted since the start, for metrics. A new count of
// a sink is a member here, which its AddCounts() fills in.
//
// Thread safety: SinkCounts is a plain value; AddCounts() may be called from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "connectors/sinks/kafka_sink_counts.h"
#include "connectors/sinks/webhook_counts.h"
#include "windows/jobs/result_sink.h"

namespace sash {

// Lines of terminal sinks.
struct TerminalCounts {
  std::uint64_t written = 0;
  std::uint64_t left_out = 0;  // the reader did not take them
};

struct SinkCounts {
  std::vector<KafkaSinkCounts> kafka;        // each with a unique `sink` name
  std::vector<WebhookCounts> webhooks{};     // each with a unique `sink` name
  std::optional<TerminalCounts> terminal{};  // of all terminal sinks; none: there is none
  std::uint64_t partial_left_out = 0;        // results that are not final, in any sink
};

// A sink that counts.
class CountedSink : public ResultSink {
 public:
  // Adds the counts of this sink to those of the sinks before it.
  virtual void AddCounts(SinkCounts& counts) const = 0;
};

}  // namespace sash
