// Kafka options: the librdkafka options that users set, and those that Sash sets itself.
//
// Thread safety: any thread may call the functions; a `conf` belongs to its caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/kafka/kafka_spec.h"
#include "windows/base/result.h"

struct rd_kafka_conf_s;

namespace sash {

// Room for the text of an error of librdkafka.
inline constexpr std::size_t kKafkaErrorBytes = 512;

struct KafkaOptionError {
  std::string key;   // of spec.options; empty when a combination is wrong
  std::string what;  // librdkafka's text, or why Sash sets it itself; never holds a secret
};

// The version of the loaded librdkafka.
std::string KafkaLibraryVersion();

// Why users cannot set an option of the source, and what to do instead; nothing if they can.
std::optional<std::string_view> WhyOwnedBySource(std::string_view option);

// Why users cannot set an option of any consumer or producer; nothing if they can.
std::optional<std::string_view> WhyWired(std::string_view option);

// Every wrong option. Opens a consumer without brokers to find inconsistent options and files that
// cannot be read.
std::vector<KafkaOptionError> FindWrongKafkaOptions(const KafkaSpec& spec);

// All wrong options as one error, one option a line.
Status CheckKafkaOptions(const KafkaSpec& spec);

// Options whose values are never shown.
bool IsSecretKafkaOption(std::string_view key);

// Sets an option of Sash to a value that librdkafka is known to accept.
void MustSetOption(rd_kafka_conf_s* conf, const char* key, const char* value);

// Sets the user's options on `conf`, except those for which `why_owned` returns a reason. Returns
// the errors of single options.
using WhyOwned = std::optional<std::string_view> (*)(std::string_view key);
std::vector<KafkaOptionError> SetUserOptions(const std::map<std::string, std::string>& options,
                                             WhyOwned why_owned, rd_kafka_conf_s* conf);

// Opens a client of `conf` without brokers, to find inconsistent options and files that cannot be
// read; returns its error. Takes `conf`. With `errors` of single options, it opens none and returns
// these.
enum class KafkaClient : std::uint8_t { kConsumer, kProducer };
std::vector<KafkaOptionError> TryOptions(rd_kafka_conf_s* conf, KafkaClient client,
                                         std::vector<KafkaOptionError> errors);

// Sets spec.options and Sash's own options on `conf`, but not the brokers. Returns the errors of
// single options.
std::vector<KafkaOptionError> ApplyKafkaOptions(const KafkaSpec& spec, rd_kafka_conf_s* conf);

}  // namespace sash
