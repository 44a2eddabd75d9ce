#include "tests/connectors/kafka/mock_kafka.h"

#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <vector>

namespace sash {
namespace {

void Silence(rd_kafka_conf_t* conf) {
  rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t*, int, const char*, const char*) {});
}

}  // namespace

struct MockKafka::Cluster {
  rd_kafka_t* owner = nullptr;
  rd_kafka_mock_cluster_t* mock = nullptr;
};

MockKafka::MockKafka(int brokers) : cluster_(std::make_unique<Cluster>()) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  Silence(conf);
  std::array<char, 512> text{};
  cluster_->owner = rd_kafka_new(RD_KAFKA_PRODUCER, conf, text.data(), text.size());
  cluster_->mock = rd_kafka_mock_cluster_new(cluster_->owner, brokers);
  brokers_ = rd_kafka_mock_cluster_bootstraps(cluster_->mock);
}

MockKafka::~MockKafka() {
  rd_kafka_mock_cluster_destroy(cluster_->mock);
  rd_kafka_destroy(cluster_->owner);
}

void MockKafka::CreateTopic(const std::string& topic, int partitions) {
  ASSERT_EQ(rd_kafka_mock_topic_create(cluster_->mock, topic.c_str(), partitions, 1), 0);
}

void MockKafka::SetDown() { ASSERT_EQ(rd_kafka_mock_broker_set_down(cluster_->mock, -1), 0); }
void MockKafka::SetUp() { ASSERT_EQ(rd_kafka_mock_broker_set_up(cluster_->mock, -1), 0); }

void MockKafka::BeSilent() {
  ASSERT_EQ(rd_kafka_mock_broker_set_rtt(cluster_->mock, -1, 60'000), 0);
}

void MockKafka::SetTopicError(const std::string& topic, int error) {
  rd_kafka_mock_topic_set_error(cluster_->mock, topic.c_str(),
                                static_cast<rd_kafka_resp_err_t>(error));
}

void MockKafka::SetLeader(const std::string& topic, int partition, int broker) {
  ASSERT_EQ(rd_kafka_mock_partition_set_leader(cluster_->mock, topic.c_str(), partition, broker),
            0);
}

void MockKafka::FailRequests(int api_key, int error, int times) {
  const std::vector<rd_kafka_resp_err_t> errors(static_cast<std::size_t>(times),
                                                static_cast<rd_kafka_resp_err_t>(error));
  rd_kafka_mock_push_request_errors_array(cluster_->mock, static_cast<std::int16_t>(api_key),
                                          errors.size(), errors.data());
}

struct TestProducer::Handle {
  rd_kafka_t* producer = nullptr;
};

TestProducer::TestProducer(const std::string& brokers) : handle_(std::make_unique<Handle>()) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  Silence(conf);
  std::array<char, 512> text{};
  rd_kafka_conf_set(conf, "bootstrap.servers", brokers.c_str(), text.data(), text.size());
  rd_kafka_conf_set(conf, "linger.ms", "1", text.data(), text.size());
  handle_->producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, text.data(), text.size());
}

TestProducer::~TestProducer() { rd_kafka_destroy(handle_->producer); }

void TestProducer::Send(const std::string& topic, int partition,
                        std::optional<std::string_view> value, std::optional<std::string_view> key,
                        std::int64_t timestamp_ms) {
  // An empty value is not null, so it needs an address.
  void* payload = value ? const_cast<char*>(value->empty() ? "" : value->data()) : nullptr;
  const void* name = key ? key->data() : nullptr;
  const std::size_t bytes = value ? value->size() : 0;
  const std::size_t key_bytes = key ? key->size() : 0;
  const rd_kafka_resp_err_t error = rd_kafka_producev(
      handle_->producer, RD_KAFKA_V_TOPIC(topic.c_str()), RD_KAFKA_V_PARTITION(partition),
      RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_VALUE(payload, bytes),
      RD_KAFKA_V_KEY(name, key_bytes), RD_KAFKA_V_TIMESTAMP(timestamp_ms), RD_KAFKA_V_END);
  ASSERT_EQ(error, RD_KAFKA_RESP_ERR_NO_ERROR) << rd_kafka_err2str(error);
}

void TestProducer::Flush() {
  ASSERT_EQ(rd_kafka_flush(handle_->producer, 20'000), RD_KAFKA_RESP_ERR_NO_ERROR);
}

}  // namespace sash
