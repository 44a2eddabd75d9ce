// Kafka probe: the brokers and topics of source, sinks and dead letters.
//
// Thread safety: belongs to one thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/kafka/kafka_spec.h"
#include "connectors/sinks/sink_spec.h"
#include "daemon/config/config.h"
#include "daemon/probe/finding.h"
#include "daemon/probe/topic_probe.h"

namespace sash {

struct SourceRate {
  double events_per_second = 0;
  std::string when;  // "of the last minute"
};

class KafkaProbe {
 public:
  KafkaProbe(EventTime now, Findings& findings) : now_(now), findings_(findings) {}

  // The recent rate of the records; empty when it is unknown.
  std::optional<SourceRate> Source(const SourceConfig& source, const KafkaSpec& kafka);
  // `where`: the key of the section that names the topic.
  void Destination(const std::string& where, const KafkaDestination& to);

 private:
  // Whether one of the brokers responds; equal addresses and options are probed once.
  bool Reach(const std::string& where, const KafkaSpec& spec);

  const EventTime now_;
  Findings& findings_;
  std::map<std::pair<std::string, std::map<std::string, std::string>>, bool> reached_;
};

}  // namespace sash
