// Broker probe: whether the configured brokers respond and authentication succeeds.
//
// Thread safety: belongs to one thread, except RemedyOf(), which is pure.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "connectors/kafka/kafka_spec.h"
#include "daemon/probe/finding.h"

namespace sash {

// How long to wait for a broker that does not respond; all are probed at the same time.
inline constexpr std::chrono::seconds kBrokerPatience{5};

// What to do about an error of librdkafka, from its name ("_TRANSPORT") and text. `options`: the
// key of the section that holds librdkafka's options.
std::string RemedyOf(std::string_view identity, std::string_view text, const std::string& options);

// Probes each address of spec.brokers separately; true when any responds. `where`: the key of the
// section that names them ("source.kafka").
bool ProbeBrokers(const std::string& where, const KafkaSpec& spec, Findings& findings);

}  // namespace sash
