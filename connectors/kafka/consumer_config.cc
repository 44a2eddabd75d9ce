#include "connectors/kafka/consumer_config.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <array>
#include <vector>

#include "connectors/kafka/kafka_options.h"
#include "windows/base/check.h"

namespace sash {

ConsumerConfig::ConsumerConfig(const KafkaSpec& spec) : conf_(rd_kafka_conf_new()) {
  const std::vector<KafkaOptionError> errors = ApplyKafkaOptions(spec, conf_);
  if (!errors.empty()) {
    error_ = {ErrorCode::kInvalidArgument,
              fmt::format("source.kafka.options.{}: {}", errors[0].key, errors[0].what)};
  }
  std::array<char, kKafkaErrorBytes> text{};
  const rd_kafka_conf_res_t outcome =
      rd_kafka_conf_set(conf_, "bootstrap.servers", spec.brokers.c_str(), text.data(), text.size());
  if (outcome != RD_KAFKA_CONF_OK && !error_) {
    error_ = {ErrorCode::kInvalidArgument, fmt::format("source.kafka.brokers: {}", text.data())};
  }
}

ConsumerConfig::~ConsumerConfig() {
  if (conf_ != nullptr) rd_kafka_conf_destroy(conf_);
}

void ConsumerConfig::Set(const char* key, const std::string& value) {
  std::array<char, kKafkaErrorBytes> text{};
  const rd_kafka_conf_res_t outcome =
      rd_kafka_conf_set(conf_, key, value.c_str(), text.data(), text.size());
  if (outcome != RD_KAFKA_CONF_OK && !error_) {
    error_ = {ErrorCode::kInvalidArgument, fmt::format("source.kafka.options: {}", text.data())};
  }
}

Result<rd_kafka_s*> ConsumerConfig::Create() {
  SASH_CHECK(conf_ != nullptr);
  if (error_) return *error_;
  std::array<char, kKafkaErrorBytes> text{};
  rd_kafka_t* const consumer = rd_kafka_new(RD_KAFKA_CONSUMER, conf_, text.data(), text.size());
  if (consumer == nullptr) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("source.kafka.options: {}", text.data())};
  }
  conf_ = nullptr;  // the consumer owns it
  return consumer;
}

}  // namespace sash
