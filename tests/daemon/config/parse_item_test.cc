// Single jobs and windows as JSON, as the API takes them.
#include "daemon/config/parse_item.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> TroubleTexts(const std::vector<ConfigError>& errors) {
  std::vector<std::string> texts;
  for (const ConfigError& error : errors) texts.push_back(error.key + ": " + error.message);
  return texts;
}

ParsedItem<JobSpec> Job(std::string_view json, std::optional<std::string> name = std::nullopt) {
  return ParseJob(json, KeyKind::kString, {"w", "v"}, name);
}

TEST(ParseItemTest, AJobHasTheKeysAndDefaultsOfTheConfiguration) {
  const ParsedItem<JobSpec> parsed =
      Job(R"({"name": "reach", "kernel": "bfs", "window": "w", "every": 3, "deadline": "2s",
              "parameters": {"roots": ["a", "\u00e9"], "parents": true},
              "overrun": {"queue": 2}})");
  ASSERT_TRUE(parsed.ok()) << ::testing::PrintToString(TroubleTexts(parsed.errors));
  EXPECT_EQ(parsed.spec.name, "reach");
  EXPECT_EQ(parsed.spec.every, 3u);
  EXPECT_EQ(parsed.spec.overrun.queue, 2u);
  EXPECT_EQ(parsed.spec.top, JobSpec().top);
  const auto& bfs = std::get<BfsParameters>(parsed.spec.parameters);
  EXPECT_EQ(bfs.roots, (std::vector<VertexKey>{"a", "é"}));
  EXPECT_TRUE(bfs.parents);
}

TEST(ParseItemTest, EveryWrongKeyIsNamedAsInTheConfiguration) {
  const ParsedItem<JobSpec> parsed =
      Job(R"({"name": "j", "kernel": "pagerank", "window": "x", "tops": 3,
              "parameters": {"damping": 2}})");
  EXPECT_FALSE(parsed.broken.has_value());
  EXPECT_THAT(
      TroubleTexts(parsed.errors),
      ::testing::UnorderedElementsAre(HasSubstr("window: there is no window `x`"),
                                      HasSubstr("tops: "), HasSubstr("parameters.damping: `2`")));
}

TEST(ParseItemTest, AnAlertIsComparedWithTheJobsAndSinksThatThereAre) {
  Config config;
  JobSpec& job = config.jobs.emplace_back();
  job.name = "j";
  job.window = "w";
  job.parameters = DegreeParameters();
  const ParsedItem<AlertSpec> good =
      ParseAlert(R"({"job": "j", "where": "score > 2", "for": 3, "to": ["log"]})", config, "a");
  ASSERT_TRUE(good.ok()) << ::testing::PrintToString(TroubleTexts(good.errors));
  EXPECT_EQ(good.spec.name, "a");
  EXPECT_EQ(good.spec.results, 3u);
  const ParsedItem<AlertSpec> wrong = ParseAlert(
      R"({"name": "b", "job": "k", "to": ["pager"], "labels": {"job": "x"}})", config, "a");
  EXPECT_THAT(
      TroubleTexts(wrong.errors),
      ::testing::UnorderedElementsAre(HasSubstr("name: must be `a`"), HasSubstr("job: "),
                                      HasSubstr("to[0]: "), HasSubstr("labels.job: ")));
  EXPECT_THAT(TroubleTexts(
                  ParseAlert(R"({"name": "a", "job": "j", "on": "edge"})", config).errors),
              ElementsAre(HasSubstr("on: ")));
}

TEST(ParseItemTest, AKeyGivenTwiceInOneObjectIsNoJob) {
  for (const auto& [text, key] :
       {std::pair(R"({"name": "j", "kernel": "wcc", "window": "w", "name": "k"})", "`name`"),
        std::pair(R"({"name": "j", "kernel": "pagerank", "window": "w",
                      "parameters": {"damping": 0.5, "tolerance": 0, "damping": 0.6}})",
                  "`damping`")}) {
    const ParsedItem<JobSpec> parsed = Job(text);
    ASSERT_TRUE(parsed.broken.has_value()) << text;
    EXPECT_THAT(*parsed.broken, ::testing::AllOf(HasSubstr(key), HasSubstr("twice")));
  }
}

TEST(ParseItemTest, ReferencesAreTextAndNothingIsReadFromFiles) {
  EXPECT_THAT(
      TroubleTexts(Job(R"({"name": "${env:HOME}", "kernel": "wcc", "window": "w"})").errors),
      ElementsAre(HasSubstr("${env:HOME}")));
}

TEST(ParseItemTest, WhatIsNoJsonObjectIsBroken) {
  for (const char* text : {"", "name: j", "[]", "3", "{", "{}x", "\xff"}) {
    EXPECT_TRUE(Job(text).broken.has_value()) << text;
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += R"({"a":)";
  EXPECT_THAT(Job(deep).broken.value_or(""), HasSubstr("deeper than 32 levels"));
}

TEST(ParseItemTest, ANameThatThePathGivesNeedNotBeRepeated) {
  EXPECT_EQ(Job(R"({"kernel": "wcc", "window": "w"})", "j").spec.name, "j");
  EXPECT_TRUE(Job(R"({"name": "j", "kernel": "wcc", "window": "w"})", "j").ok());
  EXPECT_THAT(TroubleTexts(Job(R"({"name": "k", "kernel": "wcc", "window": "w"})", "j").errors),
              ElementsAre(HasSubstr("name: must be `j`")));
  EXPECT_FALSE(Job(R"({"kernel": "wcc", "window": "w"})", "no name").ok());
}

TEST(ParseItemTest, AWindowIsReadWithItsAxis) {
  const auto parsed = ParseWindow(
      R"({"name": "n", "by": "events", "length": 1000, "slide": 100, "duplicates": "weigh"})", true,
      SourceConfig());
  ASSERT_TRUE(parsed.ok()) << ::testing::PrintToString(TroubleTexts(parsed.errors));
  EXPECT_EQ(parsed.spec.length, 1000);
  EXPECT_EQ(parsed.spec.duplicates, DuplicatesPolicy::kWeigh);
  EXPECT_TRUE(parsed.spec.removals);
  EXPECT_THAT(TroubleTexts(ParseWindow(R"({"name": "n", "length": "5s", "slide": "2s"})", false,
                                       SourceConfig())
                               .errors),
              ElementsAre(HasSubstr("length: 5s is not a multiple of slide (2s)")));
  const auto moved = ParseWindow(
      R"({"name": "n", "length": "4s", "slide": "2s", "offset": "500ms"})", false, SourceConfig());
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(moved.spec.offset, 500'000'000);
}

TEST(ParseItemTest, TheFilterOfAWindowMustReadTheRecordsOfTheSource) {
  SourceConfig source;
  source.format.mapping = CsvMapping();
  const auto with = [&](const std::string& filter) {
    return TroubleTexts(
        ParseWindow(R"({"name": "n", "length": "4s", "slide": "2s", )" + filter + "}", false,
                    source)
            .errors);
  };
  EXPECT_THAT(with(R"("where": "$1 == 'a'")"), ElementsAre());
  EXPECT_THAT(with(R"("where": "/a == 'a'")"), ElementsAre(HasSubstr("where: ")));
  EXPECT_THAT(with(R"("types": ["paid"])"),
              ElementsAre(HasSubstr("types: has `paid`, but no mapping gives edges a type")));
}

}  // namespace
}  // namespace sash
