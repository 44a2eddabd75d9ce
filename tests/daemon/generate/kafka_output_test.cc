// Uses librdkafka's in-process cluster, which creates topics when asked for their metadata.
#include "daemon/generate/kafka_output.h"

#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "daemon/generate/generate_run.h"
#include "daemon/generate/record_writer.h"

namespace sash {
namespace {

struct Received {
  std::string text;
  std::string key;
  std::int64_t timestamp;
};

class MockCluster {
 public:
  explicit MockCluster(int partitions) {
    host_ = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), nullptr, 0);
    cluster_ = rd_kafka_mock_cluster_new(host_, 1);
    rd_kafka_mock_topic_create(cluster_, "edges", partitions, 1);
  }
  ~MockCluster() {
    rd_kafka_mock_cluster_destroy(cluster_);
    rd_kafka_destroy(host_);
  }
  MockCluster(const MockCluster&) = delete;
  MockCluster& operator=(const MockCluster&) = delete;

  std::string brokers() const { return rd_kafka_mock_cluster_bootstraps(cluster_); }
  rd_kafka_mock_cluster_t* get() { return cluster_; }

  // Everything in the topic, per partition in the order of offsets.
  std::vector<std::vector<Received>> ReadAll(int partitions) const {
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    const std::map<std::string, std::string> options = {{"bootstrap.servers", brokers()},
                                                        {"group.id", "test"},
                                                        {"enable.partition.eof", "true"},
                                                        {"auto.offset.reset", "earliest"}};
    for (const auto& [key, value] : options) {
      rd_kafka_conf_set(conf, key.c_str(), value.c_str(), nullptr, 0);
    }
    rd_kafka_t* consumer = rd_kafka_new(RD_KAFKA_CONSUMER, conf, nullptr, 0);
    rd_kafka_poll_set_consumer(consumer);
    rd_kafka_topic_partition_list_t* all = rd_kafka_topic_partition_list_new(partitions);
    for (int i = 0; i < partitions; ++i) {
      rd_kafka_topic_partition_list_add(all, "edges", i)->offset = RD_KAFKA_OFFSET_BEGINNING;
    }
    rd_kafka_assign(consumer, all);
    rd_kafka_topic_partition_list_destroy(all);
    std::vector<std::vector<Received>> received(static_cast<std::size_t>(partitions));
    for (int ends = 0; ends < partitions;) {
      rd_kafka_message_t* message = rd_kafka_consumer_poll(consumer, 10'000);
      if (message == nullptr) break;
      if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
        ++ends;
      } else if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
        received[static_cast<std::size_t>(message->partition)].push_back(
            {std::string(static_cast<char*>(message->payload), message->len),
             std::string(static_cast<char*>(message->key), message->key_len),
             rd_kafka_message_timestamp(message, nullptr)});
      }
      rd_kafka_message_destroy(message);
    }
    rd_kafka_consumer_close(consumer);
    rd_kafka_destroy(consumer);
    return received;
  }

 private:
  rd_kafka_t* host_;
  rd_kafka_mock_cluster_t* cluster_;
};

GenerateOptions OptionsFor(const MockCluster& cluster, std::uint64_t edges) {
  GenerateOptions options;
  options.edges = edges;
  options.stream.disorder = std::chrono::seconds(1);
  options.kafka.emplace();
  options.kafka->brokers = cluster.brokers();
  options.kafka->topic = "edges";
  options.kafka->connect_timeout = std::chrono::seconds(20);
  return options;
}

TEST(KafkaOutputTest, RecordIGoesToPartitionIModPInOrderWithItsTime) {
  MockCluster cluster(4);
  const GenerateOptions options = OptionsFor(cluster, 20'000);
  const StopFlag stop{false};
  const Status done = Generate(options, SystemClock(), stop);
  ASSERT_TRUE(done.ok()) << done.error().message;
  const auto received = cluster.ReadAll(4);
  EdgeStream stream(options.stream);
  RecordWriter writer(options.records, options.stream);
  for (const auto& partition : received) ASSERT_EQ(partition.size(), 5000u);
  for (std::size_t i = 0; i < 20'000; ++i) {
    const GeneratedEdge edge = stream.Next();
    const Received& record = received[i % 4][i / 4];
    ASSERT_EQ(record.text, writer.Write(edge)) << i;
    ASSERT_EQ(record.timestamp, edge.time_ms);
    ASSERT_EQ(record.key, "");
  }
}

TEST(KafkaOutputTest, ByKeyEverySourceStaysInOnePartition) {
  MockCluster cluster(4);
  GenerateOptions options = OptionsFor(cluster, 5000);
  options.kafka->partition_by = PartitionBy::kKey;
  const StopFlag stop{false};
  ASSERT_TRUE(Generate(options, SystemClock(), stop).ok());
  std::map<std::string, std::size_t> home;
  std::size_t count = 0;
  const auto received = cluster.ReadAll(4);
  for (std::size_t partition = 0; partition < 4; ++partition) {
    EXPECT_GT(received[partition].size(), 200u);
    for (const Received& record : received[partition]) {
      ++count;
      EXPECT_EQ(home.emplace(record.key, partition).first->second, partition);
      EXPECT_TRUE(record.text.starts_with(R"({"from":")" + record.key + '"'));
    }
  }
  EXPECT_EQ(count, 5000u);
}

TEST(KafkaOutputTest, AFullQueueWaitsAndDropsNothing) {
  MockCluster cluster(1);
  GenerateOptions options = OptionsFor(cluster, 5000);
  options.kafka->options = {{"queue.buffering.max.messages", "50"}, {"linger.ms", "1"}};
  const StopFlag stop{false};
  ASSERT_TRUE(Generate(options, SystemClock(), stop).ok());
  EXPECT_EQ(cluster.ReadAll(1)[0].size(), 5000u);
}

TEST(KafkaOutputTest, AnUndeliverableRecordIsAnError) {
  MockCluster cluster(1);
  std::array<rd_kafka_resp_err_t, 3> errors{};
  errors.fill(RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
  rd_kafka_mock_push_request_errors_array(cluster.get(), 0 /* Produce */, errors.size(),
                                          errors.data());
  const StopFlag stop{false};
  const Status done = Generate(OptionsFor(cluster, 100), SystemClock(), stop);
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message.find("were not delivered"), std::string::npos)
      << done.error().message;
}

// The broker refuses the first batch, and takes the next ones, which were on their way.
TEST(KafkaOutputTest, ARecordThatTheTopicLacksIsAnErrorAlthoughLaterOnesAreThere) {
  MockCluster cluster(1);
  GenerateOptions options = OptionsFor(cluster, 100);
  options.kafka->options = {{"batch.num.messages", "1"}, {"linger.ms", "0"}};
  std::array<rd_kafka_resp_err_t, 1> errors{RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION};
  rd_kafka_mock_push_request_errors_array(cluster.get(), 0 /* Produce */, errors.size(),
                                          errors.data());
  const StopFlag stop{false};
  const Status done = Generate(options, SystemClock(), stop);
  EXPECT_EQ(done.ok(), cluster.ReadAll(1)[0].size() == 100u);
  if (!done.ok()) {
    EXPECT_NE(done.error().message.find("no broker has reported the offset"), std::string::npos)
        << done.error().message;
  }
}

TEST(KafkaOutputTest, MorePartitionsThanTheTopicHasAreRefused) {
  MockCluster cluster(2);
  GenerateOptions options = OptionsFor(cluster, 100);
  options.kafka->partitions = 3;
  options.kafka->create_topic = true;  // it exists already
  const StopFlag stop{false};
  const Status done = Generate(options, SystemClock(), stop);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().message, "kafka: open topic edges: it has 2 partitions, 3 were asked for");
}

TEST(KafkaOutputTest, CreateTopicWaitsUntilTheTopicIsThere) {
  MockCluster cluster(1);
  GenerateOptions options = OptionsFor(cluster, 100);
  options.kafka->topic = "fresh";
  options.kafka->partitions = 3;
  options.kafka->create_topic = true;
  const StopFlag stop{false};
  const Status done = Generate(options, SystemClock(), stop);
  EXPECT_TRUE(done.ok()) << done.error().message;
}

TEST(KafkaOutputTest, OptionsThatAreOursOrUnknownAreRefused) {
  const StopFlag stop{false};
  for (const char* key : {"bootstrap.servers", "enable.idempotence", "no.such.option"}) {
    KafkaOutputOptions options;
    options.options = {{key, "x"}};
    const auto output = OpenKafkaOutput(options, stop, [](std::string_view) {});
    ASSERT_FALSE(output.ok());
    EXPECT_EQ(output.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(output.error().message.find(key), std::string::npos);
  }
}

TEST(KafkaOutputTest, AStopWhileWaitingForTheBrokerIsNoFailure) {
  GenerateOptions options;
  options.kafka.emplace();
  options.kafka->brokers = "127.0.0.1:1";
  const StopFlag stop{true};
  EXPECT_TRUE(Generate(options, SystemClock(), stop).ok());
}

}  // namespace
}  // namespace sash
