#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

TEST(ValidConfigTest, AWindowOfTypesAsksTheRecordsOfTheirMappings) {
  const std::string text = R"(
source:
  kafka: {topics: [a]}
  mappings:
    - {json: {source: /s, target: /t, type: paid}}
    - {csv: {source: 1, target: 2, type: login}}
windows: [{name: w, length: 2s, slide: 1s, types: [paid], where: /x == 1}]
)";
  EXPECT_EQ(ParseGood(text).windows[0].where, "/x == 1");
  EXPECT_FALSE(ParseConfig(Replaced(text, "types: [paid], ", ""), "f").errors.empty());
  const auto errors = ParseConfig(Replaced(text, "[paid]", "[paid, owed]"), "f").errors;
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].message, "has `owed`, but the types that mappings give are login, paid");
  const auto twice = ParseConfig(Replaced(text, "[paid]", "[paid, paid]"), "f").errors;
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_EQ(twice[0].message, "type `paid` is listed twice; keep one");
}

TEST(ValidConfigTest, EachMappingKnowsTheFiltersOfWindows) {
  const Config config = ParseGood(R"(
source:
  kafka: {topics: [a]}
  mappings:
    - {json: {source: /s, target: /t}}
    - {json: {source: /s, target: /u}, where: /x == 2}
windows: [{name: w, length: 2s, slide: 1s, where: /x == 1}]
)");
  for (const FormatSpec& mapping : config.source.format.mappings) {
    EXPECT_EQ(mapping.window_filters, FilterTexts{"/x == 1"});
  }
}

TEST(ValidConfigTest, MappingsTakeTopicsByAPattern) {
  const std::string text = R"(
source:
  kafka: {topics: {pattern: "^t-"}}
  mappings:
    - {topics: {pattern: "^t-pay"}, json: {source: /s, target: /t}}
    - {topics: [t-a], json: {source: /s, target: /u}}
windows: [{name: w, length: 2s, slide: 1s}]
)";
  const Config config = ParseGood(text);
  const std::vector<FormatSpec>& mappings = config.source.format.mappings;
  ASSERT_EQ(mappings.size(), 2u);
  EXPECT_EQ(mappings[0].topic_pattern, "^t-pay");
  EXPECT_TRUE(mappings[0].topics.empty());
  EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
  for (const std::string to : {"{pattern: \"^t-p\"}", "[t-pay]"}) {
    EXPECT_FALSE(Same(ParseGood(Replaced(text, "{pattern: \"^t-pay\"}", to)), config)) << to;
  }
}

TEST(ValidConfigTest, MappingsReadAvro) {
  const std::string text = R"(
source:
  kafka: {topics: [a, b, c]}
  mappings:
    - {topics: [a], avro: {source: /s, target: /t, schema: a.avsc}}
    - {topics: [b], avro: {source: /s, target: /t}, registry: {url: "http://r"}}
    - {topics: [c], json: {source: /s, target: /t}, registry: {url: "http://r"}}
windows: [{name: w, length: 2s, slide: 1s}]
)";
  const Config config = ParseGood(text);
  const std::vector<FormatSpec>& mappings = config.source.format.mappings;
  ASSERT_EQ(mappings.size(), 3u);
  EXPECT_EQ(std::get<JsonMapping>(mappings[0].mapping).avro->path, "a.avsc");
  EXPECT_EQ(mappings[1].registry->url, "http://r");
  EXPECT_EQ(config.source.format.registry, mappings[2].registry) << "the source has one";
  EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
  EXPECT_FALSE(Same(ParseGood(Replaced(text, "a.avsc", "b.avsc")), config));
}

TEST(ValidConfigTest, MappingsSayWhatTheyReadAndHowTheirTimesAreWritten) {
  const std::string text = R"(
source:
  kafka: {topics: [a, b]}
  mappings:
    - {json: {source: /s, target: /t, time: /at}, where: "/x == 1"}
    - name: rows
      topics: [b]
      csv: {source: 1, target: 2, time: 3, operation: 4}
      time: {format: "%d.%m.%Y", zone: UTC}
      nulls: ["-"]
  time: {unit: s}
windows: [{name: w, length: 2s, slide: 1s}]
)";
  const Config config = ParseGood(text);
  ASSERT_EQ(config.source.format.mappings.size(), 2u);
  const FormatSpec& first = config.source.format.mappings[0];
  EXPECT_EQ(first.name, "0");
  EXPECT_TRUE(first.topics.empty());
  EXPECT_EQ(first.where, "/x == 1");
  EXPECT_EQ(first.time_unit, TimeUnit::kSeconds);
  const FormatSpec& rows = config.source.format.mappings[1];
  EXPECT_EQ(rows.topics, std::vector<std::string>{"b"});
  EXPECT_EQ(rows.time_unit, TimeUnit::kFormat);
  EXPECT_EQ(rows.time_origin, TimeOrigin::kField);
  EXPECT_TRUE(config.windows[0].removals) << "an operation may remove edges";
  EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config));
  for (const char* changed : {"/x == 2", "/x == 1\", nulls: [\"-\"], name: \"p"}) {
    EXPECT_FALSE(Same(ParseGood(Replaced(text, "/x == 1", changed)), config)) << changed;
  }
}

}  // namespace
}  // namespace sash
