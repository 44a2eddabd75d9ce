// ConsumerConfig: the options of librdkafka with which a consumer of a KafkaSpec is created.
//
// Thread safety: belongs to one thread.
#pragma once

#include <optional>
#include <string>

#include "connectors/kafka/kafka_spec.h"
#include "windows/base/result.h"

struct rd_kafka_s;
struct rd_kafka_conf_s;

namespace sash {

class ConsumerConfig {
 public:
  // The options of ApplyKafkaOptions(), and the addresses of the brokers.
  explicit ConsumerConfig(const KafkaSpec& spec);
  ~ConsumerConfig();
  ConsumerConfig(const ConsumerConfig&) = delete;
  ConsumerConfig& operator=(const ConsumerConfig&) = delete;

  // Create() returns the first error.
  void Set(const char* key, const std::string& value);
  // The options of librdkafka, to set callbacks in. Null after Create().
  rd_kafka_conf_s* native() { return conf_; }

  // Must be called once. The caller destroys the consumer.
  Result<rd_kafka_s*> Create();

 private:
  rd_kafka_conf_s* conf_;
  std::optional<Error> error_;
};

}  // namespace sash
