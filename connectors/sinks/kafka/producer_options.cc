#include "connectors/sinks/kafka/producer_options.h"

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

using Reason = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kTries = "a result is sent again until it is delivered; remove it";

constexpr std::array<Reason, 9> kOwned = {{
    {"bootstrap.servers", "set `brokers` of the sink instead"},
    {"metadata.broker.list", "set `brokers` of the sink instead"},
    {"message.timeout.ms", kTries},
    {"delivery.timeout.ms", kTries},
    {"enable.gapless.guarantee", "a refused message must not stop the other ones; remove it"},
    {"transactional.id",
     "set `transactional: true` of the sink instead, and `transactional_id` for a name of your "
     "own"},
    {"partitioner", "the messages of a job go to one partition, in order; remove it"},
    {"partitioner_cb", "the messages of a job go to one partition, in order; remove it"},
    {"delivery.report.only.error", "deliveries are counted; remove it"},
}};

// Defaults that a user can change.
constexpr std::array<std::pair<const char*, const char*>, 3> kDefaults = {{
    {"client.id", "sash"},
    {"enable.idempotence", "true"},
    {"reconnect.backoff.max.ms", "2000"},
}};

// 0: no timeout. A message stays in the outbox until it is delivered.
constexpr std::pair<const char*, const char*> kPatience = {"message.timeout.ms", "0"};
// With transactions, librdkafka uses the transaction's timeout instead, and requires acks=all.
constexpr std::pair<const char*, const char*> kAllReplicas = {"acks", "all"};

}  // namespace

std::optional<std::string_view> WhyOwnedByProducer(std::string_view option) {
  const auto* const found = std::ranges::find(kOwned, option, &Reason::first);
  return found != kOwned.end() ? found->second : WhyWired(option);
}

bool IsConnectionOption(std::string_view option) {
  return option.starts_with("security.") || option.starts_with("sasl.") ||
         option.starts_with("ssl.") || option.starts_with("enable.ssl.") ||
         option.starts_with("enable.sasl.");
}

std::map<std::string, std::string> ConnectionOptions(
    const std::map<std::string, std::string>& options) {
  std::map<std::string, std::string> connection;
  for (const auto& [option, value] : options) {
    if (IsConnectionOption(option)) connection.emplace(option, value);
  }
  return connection;
}

KafkaSpec ReaderOf(const KafkaDestination& to) {
  KafkaSpec spec;
  spec.brokers = to.brokers;
  spec.topics = {to.topic};
  spec.options = ConnectionOptions(to.options);
  return spec;
}

std::vector<KafkaOptionError> ApplyProducerOptions(
    const std::map<std::string, std::string>& options, const std::string& transactional_id,
    rd_kafka_conf_s* conf) {
  for (const auto& [key, value] : kDefaults) MustSetOption(conf, key, value);
  const auto& [key, value] = transactional_id.empty() ? kPatience : kAllReplicas;
  MustSetOption(conf, key, value);
  if (!transactional_id.empty()) MustSetOption(conf, "transactional.id", transactional_id.c_str());
  return SetUserOptions(options, WhyOwnedByProducer, conf);
}

std::vector<KafkaOptionError> FindWrongProducerOptions(
    const std::map<std::string, std::string>& options, const std::string& transactional_id) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  return TryOptions(conf, KafkaClient::kProducer,
                    ApplyProducerOptions(options, transactional_id, conf));
}

}  // namespace sash
