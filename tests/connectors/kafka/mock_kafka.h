// MockKafka: librdkafka's mock cluster with switches for tests, and a producer for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sash {

class MockKafka {
 public:
  explicit MockKafka(int brokers = 1);
  ~MockKafka();
  MockKafka(const MockKafka&) = delete;
  MockKafka& operator=(const MockKafka&) = delete;

  const std::string& brokers() const { return brokers_; }

  void CreateTopic(const std::string& topic, int partitions = 4);
  void SetDown();
  void SetUp();
  // From now on, no answer of any broker comes within a minute; connections stay open.
  void BeSilent();
  // Metadata requests of the topic fail with this rd_kafka_resp_err_t; 0 ends it.
  void SetTopicError(const std::string& topic, int error);
  void SetLeader(const std::string& topic, int partition, int broker);
  // The next requests of this kind fail with this rd_kafka_resp_err_t.
  void FailRequests(int api_key, int error, int times);

 private:
  struct Cluster;
  std::unique_ptr<Cluster> cluster_;
  std::string brokers_;
};

// Produces to explicit partitions and waits for delivery.
class TestProducer {
 public:
  explicit TestProducer(const std::string& brokers);
  ~TestProducer();
  TestProducer(const TestProducer&) = delete;
  TestProducer& operator=(const TestProducer&) = delete;

  void Send(const std::string& topic, int partition, std::optional<std::string_view> value,
            std::optional<std::string_view> key = {}, std::int64_t timestamp_ms = 1000);
  void Flush();  // waits until every message is in the log; fails the test otherwise

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace sash
