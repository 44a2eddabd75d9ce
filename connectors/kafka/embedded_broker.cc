#include "connectors/kafka/embedded_broker.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <utility>

namespace sash {

struct EmbeddedBroker::Cluster {
  rd_kafka_t* owner = nullptr;  // the mock cluster needs a handle; this one does nothing else
  rd_kafka_mock_cluster_t* mock = nullptr;

  ~Cluster() {
    if (mock != nullptr) rd_kafka_mock_cluster_destroy(mock);
    if (owner != nullptr) rd_kafka_destroy(owner);
  }
};

Result<std::unique_ptr<EmbeddedBroker>> EmbeddedBroker::Start(
    const std::vector<std::string>& topics) {
  auto cluster = std::make_unique<Cluster>();
  std::array<char, 512> text{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t*, int, const char*, const char*) {});
  cluster->owner = rd_kafka_new(RD_KAFKA_PRODUCER, conf, text.data(), text.size());
  if (cluster->owner == nullptr) {
    rd_kafka_conf_destroy(conf);
    return Error{ErrorCode::kUnavailable,
                 fmt::format("start the embedded broker: {}", text.data())};
  }
  cluster->mock = rd_kafka_mock_cluster_new(cluster->owner, 1);
  if (cluster->mock == nullptr) {
    return Error{ErrorCode::kUnavailable, "start the embedded broker: no port to listen on"};
  }
  for (const std::string& topic : topics) {
    const rd_kafka_resp_err_t error =
        rd_kafka_mock_topic_create(cluster->mock, topic.c_str(), kPartitions, 1);
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR && error != RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("start the embedded broker: create topic {}: {}", topic,
                               rd_kafka_err2str(error))};
    }
  }
  return std::unique_ptr<EmbeddedBroker>(new EmbeddedBroker(std::move(cluster)));
}

EmbeddedBroker::EmbeddedBroker(std::unique_ptr<Cluster> cluster)
    : cluster_(std::move(cluster)),
      bootstrap_servers_(rd_kafka_mock_cluster_bootstraps(cluster_->mock)) {}

EmbeddedBroker::~EmbeddedBroker() = default;

}  // namespace sash
