// Kafka options: the librdkafka options a user passes through, and those that belong to Sash.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/kafka/kafka_spec.h"
#include "windows/base/result.h"

struct rd_kafka_conf_s;

namespace sash {

// Room for what librdkafka says of an error.
inline constexpr std::size_t kKafkaErrorBytes = 512;

struct KafkaOptionError {
  std::string key;   // of spec.options; empty when it is the combination that is wrong
  std::string what;  // librdkafka's text, or why the key is ours; never holds a secret
};

// Of librdkafka, as it was loaded.
std::string KafkaLibraryVersion();

// Why the user cannot set an option of the source, and what to do instead; none: they can.
std::optional<std::string_view> WhyOwnedBySource(std::string_view option);

// The same of what nobody can set, of consumers and producers.
std::optional<std::string_view> WhyWired(std::string_view option);

// Every wrong option; opens a consumer, which contacts nobody, to find inconsistent ones and files
// that cannot be read.
std::vector<KafkaOptionError> FindWrongKafkaOptions(const KafkaSpec& spec);

// The same as one error, one option a line.
Status CheckKafkaOptions(const KafkaSpec& spec);

// Options whose values are never shown.
bool IsSecretKafkaOption(std::string_view key);

// Sets an option that is ours, to a value that librdkafka is known to take.
void MustSetOption(rd_kafka_conf_s* conf, const char* key, const char* value);

// Sets options of the user's on `conf`, but those that `why_owned` has a reason against; the errors
// of single options.
using WhyOwned = std::optional<std::string_view> (*)(std::string_view key);
std::vector<KafkaOptionError> SetUserOptions(const std::map<std::string, std::string>& options,
                                             WhyOwned why_owned, rd_kafka_conf_s* conf);

// Sets spec.options and what Sash owns on `conf`, without the brokers; the errors of single
// options.
std::vector<KafkaOptionError> ApplyKafkaOptions(const KafkaSpec& spec, rd_kafka_conf_s* conf);

}  // namespace sash
