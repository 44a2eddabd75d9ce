#include "connectors/sinks/kafka/producer_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using ::testing::HasSubstr;

TEST(ProducerOptionsTest, AcceptsWhatLibrdkafkaKnowsOtherDefaultsIncluded) {
  EXPECT_TRUE(FindWrongProducerOptions({{"compression.type", "lz4"},
                                        {"linger.ms", "100"},
                                        {"enable.idempotence", "false"},
                                        {"acks", "1"}})
                  .empty());
}

TEST(ProducerOptionsTest, NamesEveryWrongOption) {
  const auto errors = FindWrongProducerOptions({{"linger.ms", "long"}, {"no.such.option", "1"}});
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].key, "linger.ms");
  EXPECT_EQ(errors[1].key, "no.such.option");
}

TEST(ProducerOptionsTest, RefusesWhatSashOwnsWithTheRemedy) {
  for (const char* key : {"bootstrap.servers", "message.timeout.ms", "delivery.timeout.ms",
                          "transactional.id", "partitioner", "dr_msg_cb"}) {
    const auto errors = FindWrongProducerOptions({{key, "1"}});
    ASSERT_EQ(errors.size(), 1u) << key;
    EXPECT_THAT(errors[0].what, HasSubstr("belongs to Sash: ")) << key;
  }
}

TEST(ProducerOptionsTest, FindsOptionsThatContradictEachOther) {
  // An idempotent producer requires acknowledgements from all replicas.
  const auto errors = FindWrongProducerOptions({{"acks", "1"}});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].key, "");
  EXPECT_THAT(errors[0].what, HasSubstr("acks"));
}

TEST(ProducerOptionsTest, NeverShowsASecret) {
  const auto errors = FindWrongProducerOptions(
      {{"security.protocol", "ssl"}, {"ssl.key.pem", "hunter2 is not a key"}});
  ASSERT_FALSE(errors.empty());
  for (const KafkaOptionError& error : errors) {
    EXPECT_THAT(error.what, ::testing::Not(HasSubstr("hunter2")));
  }
}

TEST(ProducerOptionsTest, KnowsWhatItTakesToReachABroker) {
  for (const char* option : {"security.protocol", "sasl.password", "ssl.ca.location",
                             "enable.ssl.certificate.verification"}) {
    EXPECT_TRUE(IsConnectionOption(option)) << option;
  }
  EXPECT_FALSE(IsConnectionOption("fetch.wait.max.ms"));
}

}  // namespace
}  // namespace sash
