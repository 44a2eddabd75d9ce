// Broker probe: whether the brokers that the configuration names answer, and take us for who we
// are.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "connectors/kafka/kafka_spec.h"
#include "daemon/probe/finding.h"

namespace sash {

// How long a broker that does not answer is waited for; all are asked at the same time.
inline constexpr std::chrono::seconds kBrokerPatience{5};

// What to do about an error, by what librdkafka says of it: its name ("_TRANSPORT"), its text.
// `options`: where the configuration has those of librdkafka.
std::string RemedyOf(std::string_view identity, std::string_view text, const std::string& options);

// Asks each address of spec.brokers alone; true when any answers. `where`: the key of the section
// that names them ("source.kafka").
bool ProbeBrokers(const std::string& where, const KafkaSpec& spec, Findings& findings);

}  // namespace sash
