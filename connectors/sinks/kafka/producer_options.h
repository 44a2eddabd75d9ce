// Producer options: the librdkafka options of a Kafka sink. The user sets some of them; Sash sets
// the others.
//
// Thread safety: any thread may call the functions; a `conf` belongs to its caller.
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

// Why the user cannot set an option, and what to do instead; no value if the user can set it.
std::optional<std::string_view> WhyOwnedByProducer(std::string_view option);

// Whether this is a connection or authentication option. A sink that writes to the brokers of the
// source needs these options of the source too.
bool IsConnectionOption(std::string_view option);

// The connection options among `options`.
std::map<std::string, std::string> ConnectionOptions(
    const std::map<std::string, std::string>& options);

// A consumer configuration for reading and querying the topic of `to`.
KafkaSpec ReaderOf(const KafkaDestination& to);

// Returns every wrong option. To find inconsistent options it opens a producer, which does not
// contact a broker. With a transactional id it checks a producer that uses transactions.
std::vector<KafkaOptionError> FindWrongProducerOptions(
    const std::map<std::string, std::string>& options, const std::string& transactional_id = {});

// Sets on `conf`: Sash's defaults (an idempotent producer), the options that Sash owns, and
// `options`; not the brokers. Returns the errors of single options.
std::vector<KafkaOptionError> ApplyProducerOptions(
    const std::map<std::string, std::string>& options, const std::string& transactional_id,
    rd_kafka_conf_s* conf);

}  // namespace sash
