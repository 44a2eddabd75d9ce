#include "connectors/kafka/reachability.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

TEST(ReachabilityTest, PartitionIsReachableWhenItsBrokerIsUp) {
  const auto reaches = ReadReachability(R"({
    "brokers": {"a:1/1": {"nodeid": 1, "state": "UP"}, "b:1/2": {"nodeid": 2, "state": "CONNECT"},
                "a:1/bootstrap": {"nodeid": -1, "state": "UP"}},
    "topics": {"edges": {"partitions": {
      "-1": {"partition": -1, "broker": -1}, "10": {"partition": 10, "broker": 1},
      "2": {"partition": 2, "broker": 2}, "3": {"partition": 3, "broker": -1}}}}})");
  ASSERT_TRUE(reaches);
  ASSERT_EQ(reaches->size(), 3u);
  EXPECT_EQ((*reaches)[0].pair, (TopicPartition{"edges", 2}));
  EXPECT_FALSE((*reaches)[0].reachable);
  EXPECT_FALSE((*reaches)[1].reachable);
  EXPECT_EQ((*reaches)[2].pair, (TopicPartition{"edges", 10}));
  EXPECT_TRUE((*reaches)[2].reachable);
}

TEST(ReachabilityTest, StatisticsOfAnotherShapeSayNothing) {
  EXPECT_FALSE(ReadReachability("not json"));
  EXPECT_FALSE(ReadReachability(R"({"brokers": []})"));
}

}  // namespace
}  // namespace sash
