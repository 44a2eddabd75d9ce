#include <fmt/format.h>
#include <gmock/gmock.h>

#include "daemon/config/error_list.h"
#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ManyErrorsTest, AllAreReportedByLine) {
  const ParsedConfig parsed = Parsed(R"(shutdown_deadline: 0s
source:
  kafka: {topics: []}
  format: {json: {source: x}}
windows:
  - {name: w, length: 5, slide: 10}
jobs:
  - {name: w!, kernel: wc, window: v}
colour: red
)",
                                     "many.yaml");
  std::vector<std::string> places;
  for (const ConfigError& error : parsed.errors) {
    places.push_back(std::to_string(error.line) + " " + error.key);
  }
  EXPECT_THAT(places, ElementsAre("1 shutdown_deadline", "3 source.kafka.topics",
                                  "4 source.format.json.source", "4 source.format.json.target",
                                  "6 windows[0].length", "6 windows[0].slide", "8 jobs[0].name",
                                  "8 jobs[0].kernel", "8 jobs[0].window", "9 colour"));
}

TEST(ManyErrorsTest, ErrorReadsFileLineKeyMessage) {
  EXPECT_EQ((ConfigError{"c.yaml", 3, "windows[0].slide", "is wrong"}).ToString(),
            "c.yaml:3: windows[0].slide: is wrong");
  EXPECT_EQ((ConfigError{"c.yaml", 1, "", "cannot be read"}).ToString(),
            "c.yaml:1: cannot be read");
}

TEST(ManyErrorsTest, MissingTopLevelKeysAreOnLineOne) {
  const ParsedConfig parsed = Parsed("\n\nlog: {level: info}\n", "c.yaml");
  ASSERT_EQ(parsed.errors.size(), 2u) << AllErrors(parsed);
  EXPECT_EQ(parsed.errors[0].ToString().find("c.yaml:1: source: is required"), 0u);
  EXPECT_EQ(parsed.errors[1].ToString().find("c.yaml:1: windows: is required"), 0u);
}

TEST(ManyErrorsTest, DocumentThatIsNoMappingIsOneError) {
  for (const char* text : {"", "# only words\n", "~", "[a, b]", "words", "--- \n"}) {
    const ParsedConfig parsed = Parsed(text, "c.yaml");
    ASSERT_EQ(parsed.errors.size(), 1u) << text;
    EXPECT_EQ(parsed.errors[0].key, "(yaml)") << text;
    EXPECT_THAT(parsed.errors[0].message, HasSubstr("source and windows"));
  }
}

TEST(ManyErrorsTest, AliasesThatExplodeAreRefused) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    std::string before = "*a";
    before.append(std::to_string(i - 1));
    const std::string name = std::to_string(i);
    text.append("a").append(name).append(": &a").append(name).append(" [").append(before);
    for (int k = 1; k < 10; ++k) text.append(", ").append(before);
    text.append("]\n");
  }
  const ParsedConfig parsed = Parsed(text, "c.yaml");
  ASSERT_EQ(parsed.errors.size(), 1u);
  EXPECT_THAT(parsed.errors[0].message, HasSubstr("too many values"));
}

TEST(ManyErrorsTest, AliasInsideItsOwnValueIsRefused) {
  const ParsedConfig parsed = Parsed("source: &s {kafka: *s}\n", "c.yaml");
  ASSERT_EQ(parsed.errors.size(), 1u);
  EXPECT_THAT(parsed.errors[0].message, HasSubstr("the value that contains it"));
}

TEST(ManyErrorsTest, DeepNestingIsRefused) {
  const ParsedConfig parsed = Parsed("a: " + std::string(100'000, '['), "c.yaml");
  ASSERT_EQ(parsed.errors.size(), 1u);
  EXPECT_EQ(parsed.errors[0].key, "(yaml)");
}

TEST(ManyErrorsTest, FileThatCannotBeReadIsOneError) {
  for (const char* path : {"/nowhere/sash.yaml", "/"}) {
    const ParsedConfig parsed = LoadConfig(path);
    ASSERT_EQ(parsed.errors.size(), 1u);
    EXPECT_THAT(parsed.errors[0].ToString(), HasSubstr(std::string(path) + ":1: cannot be read"));
  }
}

// The errors of `parsed` that are shown to a person.
std::vector<ConfigError> ShownErrors(ParsedConfig parsed) {
  KeepReadable(parsed.errors, parsed.left_out);
  return std::move(parsed.errors);
}

TEST(ManyErrorsTest, OfManyUnknownKeysAFewAreNamedAndTheRestIsCounted) {
  std::string text(kGood);
  for (int i = 0; i < 40'000; ++i) text += fmt::format("k{}: {}\n", i, i);
  const std::vector<ConfigError> shown =
      ShownErrors(Parsed(Replaced(text, "length: 5m", "length: 5"), "c.yaml"));
  std::size_t bytes = 0;
  for (const ConfigError& error : shown) bytes += error.ToString().size();
  EXPECT_LT(bytes, 10'000u);
  EXPECT_EQ(shown.front().key, "windows[0].length") << "the last errors must not hide it";
  EXPECT_EQ(shown[1].key, "k0");
  EXPECT_THAT(shown.back().message, HasSubstr("there are 39990 more unknown keys"));
}

TEST(ManyErrorsTest, OfManyErrorsTheFirstAreShownAndAllAreCounted) {
  std::string windows;
  for (int i = 0; i < 3'000; ++i) {
    windows += fmt::format("  - {{name: w{}, length: 5, slide: 1s}}\n", i);
  }
  const std::vector<ConfigError> shown =
      ShownErrors(Parsed(Replaced(kGood, "windows:\n", "windows:\n" + windows), "c.yaml"));
  ASSERT_EQ(shown.size(), 51u);
  EXPECT_EQ(shown.front().key, "windows[0].length");
  EXPECT_EQ(shown[49].key, "windows[49].length");
  EXPECT_EQ(shown.back().ToString(),
            "c.yaml:60: there are 2950 more errors, which are not shown; fix these first");
}

TEST(ManyErrorsTest, ALongValueIsCutInTheMiddleBetweenCharacters) {
  std::string value;
  for (int i = 0; i < 100'000; ++i) value += "é";
  const std::vector<ConfigError> shown =
      ShownErrors(Parsed(Replaced(kGood, "length: 5m", "length: " + value), "c.yaml"));
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_LT(shown[0].message.size(), 1200u);
  EXPECT_THAT(shown[0].message, HasSubstr("bytes left out"));
  EXPECT_THAT(shown[0].message, ::testing::StartsWith("`éé"));
  EXPECT_THAT(shown[0].message, ::testing::EndsWith("such as 5m"));
}

TEST(ManyErrorsTest, OfManyNamesAFewAreListed) {
  std::string jobs;
  for (int i = 0; i < 1'000; ++i) {
    jobs += fmt::format("  - {{name: job-{}, kernel: wcc, window: w}}\n", i);
  }
  const std::vector<ConfigError> shown = ShownErrors(Parsed(
      Replaced(Replaced(kGood, "jobs:\n", "jobs:\n" + jobs), "jobs: [j]", "jobs: [x]"), "c.yaml"));
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_LT(shown[0].message.size(), 500u);
  EXPECT_THAT(shown[0].message, HasSubstr("job-19 and 981 more"));
}

TEST(ManyErrorsTest, ReplayRefusesKafkaTimeCheckpointsAndWritingOverItsInput) {
  const ParsedConfig parsed = Parsed(R"(source:
  replay: {path: edges.csv}
  format: {csv: {source: 1, target: 2}}
  time: {from: kafka}
  dead_letters: {path: ./edges.csv}
windows: [{name: w, length: 1m, slide: 1m}]
sinks:
  - file: {path: x/../edges.csv}
recovery: checkpoint
)",
                                     "c.yaml");
  ASSERT_EQ(parsed.errors.size(), 4u) << AllErrors(parsed);
  EXPECT_THAT(parsed.errors[3].ToString(),
              HasSubstr(":9: recovery: a replay always starts from the beginning"));
  EXPECT_THAT(parsed.errors[0].ToString(), HasSubstr(":4: source.time.from: is `kafka`"));
  EXPECT_THAT(parsed.errors[1].ToString(), HasSubstr(":5: source.dead_letters.path: "));
  EXPECT_THAT(parsed.errors[2].ToString(), HasSubstr("file of source.replay.path already"));
}

}  // namespace
}  // namespace sash
