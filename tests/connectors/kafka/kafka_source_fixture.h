// KafkaSourceTest: a mock cluster with the topic "edges" of four partitions, and a producer for it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/connectors/kafka/mock_kafka.h"

namespace sash {

class KafkaSourceTest : public ::testing::Test {
 public:
  static constexpr int kPartitions = 4;

 protected:
  KafkaSourceTest() { kafka_.CreateTopic("edges", kPartitions); }

  void Produce(int partition, int count, int first = 0) {
    for (int i = first; i < first + count; ++i) {
      producer_.Send("edges", partition,
                     "v" + std::to_string(i) + " w " + std::to_string(1000 + i));
    }
    producer_.Flush();
  }
  // Sends eight message sets of a megabyte; the mock cluster keeps five megabytes of them.
  void Overfill(int partition) {
    for (int i = 0; i < 8; ++i) {
      producer_.Send("edges", partition, "a b 1 " + std::string(990'000, 'x'));
      producer_.Flush();
    }
  }

  MockKafka kafka_;
  TestProducer producer_{kafka_.brokers()};
};

inline std::vector<std::int64_t> Range(std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t offset = begin; offset < end; ++offset) offsets.push_back(offset);
  return offsets;
}

}  // namespace sash
