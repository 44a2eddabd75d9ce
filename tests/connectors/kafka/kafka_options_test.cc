#include "connectors/kafka/kafka_options.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

KafkaSpec With(std::map<std::string, std::string> options) {
  KafkaSpec spec;
  spec.topics = {"edges"};
  spec.options = std::move(options);
  return spec;
}

TEST(KafkaOptionsTest, AcceptsWhatLibrdkafkaKnows) {
  const Status status = CheckKafkaOptions(
      With({{"fetch.wait.max.ms", "50"}, {"isolation.level", "read_uncommitted"}}));
  EXPECT_TRUE(status.ok()) << status.error().message;
}

TEST(KafkaOptionsTest, NamesEveryWrongOptionWithLibrdkafkasText) {
  const auto errors =
      FindWrongKafkaOptions(With({{"fetch.wait.max.ms", "often"}, {"no.such.option", "1"}}));
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].key, "fetch.wait.max.ms");
  EXPECT_NE(errors[0].what.find("often"), std::string::npos) << errors[0].what;
  EXPECT_EQ(errors[1].key, "no.such.option");
  EXPECT_NE(errors[1].what.find("No such configuration property"), std::string::npos)
      << errors[1].what;
}

TEST(KafkaOptionsTest, RefusesWhatSashOwnsWithTheRemedy) {
  for (const char* key : {"bootstrap.servers", "group.id", "enable.auto.commit",
                          "auto.offset.reset", "enable.partition.eof"}) {
    const auto errors = FindWrongKafkaOptions(With({{key, "x"}}));
    ASSERT_EQ(errors.size(), 1u) << key;
    EXPECT_NE(errors[0].what.find("belongs to Sash"), std::string::npos) << errors[0].what;
  }
}

TEST(KafkaOptionsTest, NeverShowsASecret) {
  const auto errors = FindWrongKafkaOptions(With({{"security.protocol", "ssl"},
                                                  {"ssl.key.pem", "hunter2 is not a key"},
                                                  {"ssl.key.password", "hunter2"}}));
  ASSERT_FALSE(errors.empty());
  for (const KafkaOptionError& error : errors) {
    EXPECT_EQ(error.what.find("hunter2"), std::string::npos) << error.what;
  }
}

TEST(KafkaOptionsTest, FindsOptionsThatContradictEachOther) {
  const Status status = CheckKafkaOptions(
      With({{"security.protocol", "ssl"}, {"ssl.ca.location", "/no/such/file.pem"}}));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(status.error().message.find("ssl.ca.location"), std::string::npos)
      << status.error().message;
}

TEST(KafkaOptionsTest, KnowsWhichValuesAreSecret) {
  for (const char* key : {"sasl.password", "ssl.key.password", "ssl.key.pem",
                          "sasl.oauthbearer.client.secret", "sasl.oauthbearer.config"}) {
    EXPECT_TRUE(IsSecretKafkaOption(key)) << key;
  }
  EXPECT_FALSE(IsSecretKafkaOption("sasl.username"));
  EXPECT_FALSE(IsSecretKafkaOption("fetch.wait.max.ms"));
}

}  // namespace
}  // namespace sash
