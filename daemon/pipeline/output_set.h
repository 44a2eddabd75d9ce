// OutputSet: where results and refused records leave the process: the sinks, the dead letters, and
// the broker inside the process that some of them write to.
//
// Thread safety: like SinkSet, DeadLetters and RefusalWatch; the counts may be asked for from any
// thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "connectors/kafka/embedded_broker.h"
#include "connectors/sinks/dead_letters.h"
#include "connectors/sinks/sink_set.h"
#include "connectors/sinks/sink_spec.h"
#include "daemon/config/config.h"
#include "daemon/pipeline/refusal_watch.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash {

class OutputSet {
 public:
  // Starts the broker, if the source has one, and opens the rest. All arguments outlive the set.
  static Result<std::unique_ptr<OutputSet>> Open(const Config& config, const VertexDictionary& keys,
                                                 OutputMode mode, EventLog& log);

  EmbeddedBroker* broker() const { return broker_.get(); }  // null without one
  DeadLetters& dead_letters() const { return *dead_letters_; }
  RefusalWatch& refusals() { return *refusals_; }  // in front of the dead letters
  const RefusalWatch& refusals() const { return *refusals_; }
  SinkSet& sinks() const { return *sinks_; }

  std::array<std::uint64_t, kRefusalReasons> RefusedByReason() const;
  // For a finite source that has ended after `records`: if more of them than allowed were refused,
  // how many, why, and where they are.
  std::optional<std::string> WhyTooManyRefused(std::uint64_t records) const;
  // Counts of the sinks and of the topic of dead letters.
  SinkCounts CountSinks() const;

 private:
  explicit OutputSet(const SourceConfig& source) : source_(source) {}

  void ResolveEmbedded(KafkaDestination& to) const;

  const SourceConfig& source_;
  std::unique_ptr<EmbeddedBroker> broker_;
  std::unique_ptr<DeadLetters> dead_letters_;
  std::optional<RefusalWatch> refusals_;
  std::unique_ptr<SinkSet> sinks_;
};

}  // namespace sash
