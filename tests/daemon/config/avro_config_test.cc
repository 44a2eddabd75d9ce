// source.format.avro and source.format.registry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

std::string Whole(const std::string& source, const std::string& format) {
  return "source:\n  " + source + "\n  format: {" + format +
         "}\nwindows: [{name: w, length: 5m, slide: 10s}]\n";
}

const std::string kTopics = "kafka: {topics: [a]}";
const std::string kAvro = "avro: {source: /a, target: /b, time: /t}";
const std::string kRegistry = "registry: {url: \"http://r:8081/\"}";

TEST(ValidConfigTest, RecordsMayBeInAvro) {
  const Config config = ParseGood(
      Whole(kTopics,
            "avro: {source: {from: [/a, /b], join: \":\"}, target: $key, direction: both, time: "
            "{from: /t, unit: s}}, " +
                kRegistry + ", where: /a != 'x'"));
  const auto& mapping = std::get<JsonMapping>(config.source.format.mapping);
  ASSERT_TRUE(mapping.avro);
  EXPECT_EQ(mapping.avro->text, "");
  EXPECT_TRUE(mapping.both_directions);
  EXPECT_EQ(mapping.source_parts.rest.more, std::vector<std::string>{"/b"});
  EXPECT_EQ(config.source.format.time_unit, TimeUnit::kSeconds);
  EXPECT_EQ(config.source.format.registry->url, "http://r:8081") << "without the slash";
  EXPECT_TRUE(SameConfig(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
}

TEST(ValidConfigTest, ASchemaMayBeInAFile) {
  const Config config =
      ParseGood(Whole(kTopics, "avro: {source: /a, target: /b, schema: a/b.avsc}"));
  const auto& mapping = std::get<JsonMapping>(config.source.format.mapping);
  EXPECT_EQ(mapping.avro, (AvroSpec{.path = "a/b.avsc", .text = ""}));
  EXPECT_TRUE(SameConfig(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
}

TEST(ValidConfigTest, APasswordOfARegistryIsPrintedAsItsReference) {
  const std::string registry =
      "registry: {url: \"https://r\", user: u, password: \"${env:SASH_TEST_PASSWORD}\", ca: "
      "ca.pem, "
      "certificate: c.pem, key: k.pem}";
  ASSERT_EQ(::setenv("SASH_TEST_PASSWORD", "it is secret", 1), 0);
  const Config config = ParseGood(Whole(kTopics, "json: {source: /a, target: /b}, " + registry));
  EXPECT_EQ(config.source.format.registry->password.text, "it is secret");
  EXPECT_EQ(config.source.format.registry->ca, "ca.pem");
  const std::string printed = PrintConfig(config);
  EXPECT_THAT(printed, ::testing::Not(HasSubstr("it is secret")));
  EXPECT_THAT(printed, HasSubstr("${env:SASH_TEST_PASSWORD}"));
  EXPECT_TRUE(SameConfig(ParseGood(printed), config)) << printed;
}

TEST(AvroConfigErrorsTest, OnlyRecordsOfKafkaHaveSchemas) {
  const auto error = [](const std::string& source, const std::string& format) {
    return AllErrors(Parsed(Whole(source, format), "f.yaml"));
  };
  EXPECT_EQ(error(kTopics, kAvro + ", " + kRegistry), "");
  EXPECT_THAT(error("replay: {path: e}", kAvro + ", " + kRegistry),
              HasSubstr("f.yaml:3: source.format.avro: is only for source.kafka"));
  EXPECT_THAT(error("replay: {path: e}", "json: {source: /a, target: /b}, " + kRegistry),
              HasSubstr("source.format.registry: is only for source.kafka"));
  EXPECT_THAT(error(kTopics, "csv: {source: 1, target: 2}, " + kRegistry),
              HasSubstr("source.format.registry: is only for avro and json"));
  EXPECT_THAT(error(kTopics, "avro: {source: /a, target: /b, unwrap: connect}, " + kRegistry),
              HasSubstr("source.format.avro.unwrap"));
  EXPECT_THAT(error(kTopics, kAvro + ", json: {source: /a, target: /b}, " + kRegistry),
              HasSubstr("source.format"));
  EXPECT_THAT(error(kTopics, kAvro + ", edges: [{source: /a, target: /b}], " + kRegistry),
              HasSubstr("source.format.edges: works with json; a record in avro gives one edge"));
  EXPECT_THAT(error(kTopics, "avro: {source: /a, target: /b, each: /c}, " + kRegistry),
              HasSubstr("source.format.avro.each"));
  EXPECT_THAT(error(kTopics, "avro: {target: /b}, " + kRegistry),
              HasSubstr("source.format.avro.source: is required"));
  EXPECT_THAT(error(kTopics, "avro: {source: /a, target: /b, schema: \"\"}"),
              HasSubstr("source.format.avro.schema: is empty"));
}

TEST(AvroConfigErrorsTest, ARegistryHasAnAddress) {
  const auto error = [](const std::string& registry) {
    return AllErrors(Parsed(Whole(kTopics, kAvro + ", registry: {" + registry + "}"), "f.yaml"));
  };
  EXPECT_EQ(error("url: \"https://r.example/apis/v7\""), "");
  EXPECT_THAT(error("user: u, password: p"), HasSubstr("source.format.registry.url: is required"));
  EXPECT_THAT(error("url: \"r:8081\""), HasSubstr("must begin with http:// or https://"));
  EXPECT_THAT(error("url: \"http://u:p@r\""), HasSubstr("must not hold a user or a password"));
  EXPECT_THAT(error("url: \"http://r?x=1\""), HasSubstr("without query and fragment"));
  EXPECT_THAT(error("url: \"http://r\", user: u, password: <redacted>"),
              HasSubstr("was redacted when this was printed"));
  EXPECT_THAT(error("url: \"http://r\", token: x"), HasSubstr("source.format.registry.token"));
}

}  // namespace
}  // namespace sash
