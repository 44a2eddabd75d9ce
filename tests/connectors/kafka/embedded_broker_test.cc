#include "connectors/kafka/embedded_broker.h"

#include <gtest/gtest.h>

#include "tests/connectors/kafka/mock_kafka.h"
#include "tests/connectors/kafka/source_harness.h"

namespace sash {
namespace {

TEST(EmbeddedBrokerTest, OtherClientsReachItOnLoopback) {
  const auto broker = EmbeddedBroker::Start({"edges"});
  ASSERT_TRUE(broker.ok()) << broker.error().message;
  const std::string& address = broker.value()->bootstrap_servers();
  EXPECT_TRUE(address.starts_with("127.0.0.1:")) << address;

  TestProducer producer(address);
  for (int partition = 0; partition < EmbeddedBroker::kPartitions; ++partition) {
    producer.Send("edges", partition, "a b 1");
  }
  producer.Flush();
  SourceHarness harness(address);
  harness.Start();
  EXPECT_TRUE(harness.PopEvents(EmbeddedBroker::kPartitions)) << harness.log.Text();
  ASSERT_EQ(harness.starts.size(), 1u);
  EXPECT_EQ(harness.starts[0].partitions, (std::vector<PartitionIndex>{0, 1, 2, 3}));
}

TEST(EmbeddedBrokerTest, TwoBrokersLiveSideBySide) {
  const auto first = EmbeddedBroker::Start({"edges"});
  const auto second = EmbeddedBroker::Start({"edges", "edges"});
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_NE(first.value()->bootstrap_servers(), second.value()->bootstrap_servers());
}

}  // namespace
}  // namespace sash
