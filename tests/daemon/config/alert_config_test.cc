// alerts, and sinks that take them: what is read, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <variant>

#include "daemon/config/idle_keys.h"
#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kPager = "  - file: {path: alerts.jsonl, content: alerts, name: pager}\n";

// The job `j` is a traversal, whose rows have vertex, rank and depth.
std::string WithAlerts(std::string_view alerts, std::string_view sink = kPager) {
  return Replaced(kGood, "http:", std::string(sink) + "alerts: " + std::string(alerts) + "\nhttp:");
}

std::string AlertErrors(std::string_view alerts, std::string_view sink = kPager) {
  return AllErrors(Parsed(WithAlerts(alerts, sink), "test.yaml"));
}

TEST(AlertConfigTest, ANameAndAJobAreEnough) {
  const Config config = ParseGood(WithAlerts("[{name: a, job: j}]"));
  ASSERT_EQ(config.alerts.size(), 1u);
  EXPECT_EQ(config.alerts[0], (AlertSpec{.name = "a", .job = "j"}));
  EXPECT_EQ(std::get<FileSinkSpec>(config.sinks[1]).content, SinkContent::kAlerts);
  EXPECT_TRUE(ParseGood(kGood).alerts.empty());
}

TEST(AlertConfigTest, EveryKeyIsReadAndPrinted) {
  const Config config = ParseGood(
      WithAlerts("[{name: a, job: j, on: entered, where: depth <= 2, for: 3, at_most: 5m, "
                 "text: \"{vertex} in {window}\", to: [pager, log]}]"));
  const AlertSpec wanted{.name = "a",
                         .job = "j",
                         .on = AlertOn::kEntered,
                         .where = "depth <= 2",
                         .results = 3,
                         .at_most = std::chrono::minutes(5),
                         .text = "{vertex} in {window}",
                         .to = {"pager", "log"}};
  EXPECT_EQ(config.alerts.at(0), wanted);
  EXPECT_EQ(ParseGood(PrintConfig(config)).alerts.at(0), wanted);
}

TEST(AlertConfigTest, NamesExist) {
  EXPECT_THAT(AlertErrors("[{name: a, job: k}]"),
              HasSubstr("alerts[0].job: there is no job `k`; jobs: j"));
  EXPECT_THAT(AlertErrors("[{name: a, job: j}, {name: a, job: j}]"),
              HasSubstr("alerts[1].name: `a` is taken by an earlier item of this list"));
  EXPECT_THAT(AlertErrors("[{name: a, job: j, to: [pagr]}]"),
              HasSubstr("alerts[0].to[0]: no sink with `content: alerts` has the name `pagr`; did "
                        "you mean `pager`?; there are: log, pager"));
  EXPECT_THAT(AlertErrors("[{name: a, job: j, to: [log, log]}]"),
              HasSubstr("alerts[0].to[1]: `log` is listed twice"));
  EXPECT_THAT(AlertErrors("[{name: a, job: j, to: []}]"), HasSubstr("alerts[0].to: is empty"));
  EXPECT_THAT(AlertErrors("[{job: j}]"), HasSubstr("alerts[0].name: is required"));
  EXPECT_THAT(AlertErrors("[{name: a}]"), HasSubstr("alerts[0].job: is required"));
}

TEST(AlertConfigTest, ConditionsAndTextsFitTheJob) {
  const auto error = [](const std::string& keys) {
    return AlertErrors("[{name: a, job: j, " + keys + "}]");
  };
  EXPECT_THAT(error("on: edge"),
              HasSubstr("alerts[0].on: is `edge`, but the results of job `j` (kernel bfs) have no "
                        "such rows; give row, entered, left, changed or result"));
  EXPECT_THAT(error("where: score > 1.0"),
              HasSubstr("alerts[0].where: there is no member `score`; there are vertex, rank, "
                        "depth"));
  EXPECT_THAT(error("where: 'depth >'"), HasSubstr("alerts[0].where: line 1, column 8: "));
  EXPECT_THAT(error("on: left, where: depth > 1"), HasSubstr("there are vertex, rank_before"));
  EXPECT_THAT(error("on: result, where: reached > 1"), IsEmpty());
  EXPECT_THAT(error("text: '{score}'"), HasSubstr("alerts[0].text: there is no field `score`"));
  EXPECT_THAT(error("text: '{'"),
              HasSubstr("alerts[0].text: the brace at character 1 has no partner"));
  EXPECT_THAT(error("for: 0"), HasSubstr("alerts[0].for: "));
}

TEST(AlertConfigTest, ASinkOfAlertsTakesNoResults) {
  const auto error = [](const std::string& sink) {
    return AlertErrors("[]", "  - " + sink + "\n");
  };
  EXPECT_THAT(error("file: {path: a, content: alerts, jobs: [j]}"),
              HasSubstr("sinks[1].file.jobs: chooses results, which `content: alerts` leaves out"));
  EXPECT_THAT(error("file: {path: a, content: alerts, vertices: all}"),
              HasSubstr("sinks[1].file.vertices: chooses results"));
  EXPECT_THAT(error("file: {path: a, content: alerts, name: log}"),
              HasSubstr("sinks[1].file.name: `log` is the log of the process"));
  EXPECT_THAT(error("kafka: {brokers: \"h:1\", topic: a, content: alerts, transactional: true}"),
              HasSubstr("sinks[1].kafka.transactional: is `true`, but transactions hold whole "
                        "results of an advance, and no alerts; leave it out"));
  EXPECT_THAT(AlertErrors("[]", std::string(kPager) + "  - file: {path: b, name: pager}\n"),
              HasSubstr("sinks[2].file.name: `pager` is taken by an earlier item"));
}

TEST(AlertConfigTest, ASinkThatNoAlertTellsIsIdle) {
  const auto idle = [](std::string_view alerts) {
    std::vector<std::string> keys;
    for (const IdleKey& each : FindIdleKeys(ParseGood(WithAlerts(alerts)))) {
      keys.push_back(each.ToString());
    }
    return keys;
  };
  EXPECT_THAT(idle("[{name: a, job: j}]"), IsEmpty());
  EXPECT_THAT(idle("[{name: a, job: j, to: [log, pager]}]"), IsEmpty());
  EXPECT_THAT(idle("[{name: a, job: j, to: [log]}]"),
              ElementsAre("sinks[1].file.content: is `alerts`, but no alert tells this sink "
                          "anything; give `alerts`, with the name of the sink in `to`, or leave "
                          "the sink out"));
}

}  // namespace
}  // namespace sash
