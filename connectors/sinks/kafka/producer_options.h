// Producer options: the librdkafka options of a Kafka sink that a user passes through, and those
// that belong to Sash.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/kafka/kafka_options.h"
#include "connectors/kafka/kafka_spec.h"
#include "connectors/sinks/sink_spec.h"

struct rd_kafka_conf_s;

namespace sash {

// Why the user cannot set an option, and what to do instead; none: they can.
std::optional<std::string_view> WhyOwnedByProducer(std::string_view option);

// Whether a sink that writes to the brokers of the source needs this option of the source's too:
// how to reach them, and as whom.
bool IsConnectionOption(std::string_view option);

// Of `options`, those.
std::map<std::string, std::string> ConnectionOptions(
    const std::map<std::string, std::string>& options);

// How what is sent to `to` can be read, or asked for.
KafkaSpec ReaderOf(const KafkaDestination& to);

// Every wrong option; opens a producer, which contacts nobody, to find inconsistent ones. With a
// transactional id: of a producer that sends in transactions.
std::vector<KafkaOptionError> FindWrongProducerOptions(
    const std::map<std::string, std::string>& options, const std::string& transactional_id = {});

// Sets Sash's defaults (an idempotent producer), what it owns, and `options` on `conf`, without
// the brokers; the errors of single options.
std::vector<KafkaOptionError> ApplyProducerOptions(
    const std::map<std::string, std::string>& options, const std::string& transactional_id,
    rd_kafka_conf_s* conf);

}  // namespace sash
