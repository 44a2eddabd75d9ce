// Jobs with `visibility: live`: what they can have, and what is said of the rest.
#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <variant>

#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

std::string WithJob(const std::string& job, const std::string& window = "live: true",
                    const std::string& more = "") {
  return "source: {kafka: {brokers: \"b:1\", topics: [t]},\n"
         "         format: {json: {source: /a, target: /b}}}\n"
         "windows: [{name: w, length: 10s, slide: 5s, " +
         window +
         "}]\n"
         "jobs: [{name: j, window: w, " +
         job + "}]\n" + more;
}

std::string FaultOf(const std::string& yaml) { return AllErrors(Parsed(yaml, "f.yaml")); }

TEST(LiveJobConfigTest, ItRunsEverySecondUnlessItSaysAnotherTime) {
  const std::string usual = WithJob("kernel: degree, visibility: live");
  const std::string quick = WithJob("kernel: degree, visibility: live, every: 250ms");
  EXPECT_EQ(ParseGood(usual).jobs[0].live_every, std::chrono::seconds(1));
  EXPECT_EQ(ParseGood(quick).jobs[0].live_every, std::chrono::milliseconds(250));
  EXPECT_FALSE(IsLive(ParseGood(WithJob("kernel: degree, visibility: published")).jobs[0]));
  for (const std::string& yaml : {usual, quick}) {
    const Config config = ParseGood(yaml);
    EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
  }
  EXPECT_FALSE(Same(ParseGood(usual), ParseGood(quick)));
}

TEST(LiveJobConfigTest, ItsWindowIsLiveAndMayBeByEvents) {
  const std::string job = "kernel: degree, visibility: live";
  EXPECT_THAT(FaultOf(WithJob(job, "live: false")), HasSubstr("give the window `live: true`"));
  std::string events = WithJob(job, "by: events, live: true");
  events.replace(events.find("10s"), 3, "100");
  events.replace(events.find("5s"), 2, "50");
  EXPECT_TRUE(IsLive(ParseGood(events).jobs[0]));
}

TEST(LiveJobConfigTest, WhatIsForAdvancesIsRefused) {
  const std::string job = "kernel: degree, visibility: live, ";
  EXPECT_THAT(FaultOf(WithJob(job + "every: 3")), HasSubstr("give a time such as 1s"));
  EXPECT_THAT(FaultOf(WithJob(job + "every: 1ms")), HasSubstr("give at least 10ms"));
  EXPECT_THAT(FaultOf(WithJob(job + "overrun: {queue: 2}")), HasSubstr("a live job never runs"));
  EXPECT_THAT(FaultOf(WithJob(job + "baseline: {results: 3}")),
              HasSubstr("cannot be combined with `visibility: live`"));
  EXPECT_THAT(FaultOf(WithJob("kernel: new_edges, visibility: live")),
              HasSubstr("kernel new_edges compares published windows"));
  EXPECT_THAT(FaultOf(WithJob("kernel: external, visibility: live, deadline: 5s")),
              HasSubstr("workers of external jobs read frozen snapshots"));
}

TEST(LiveJobConfigTest, SinksTakeItsResultsIfTheySaySo) {
  const std::string job = "kernel: degree, visibility: live";
  const auto sink = [&](const std::string& file) {
    return WithJob(job, "live: true", "sinks: [{file: {path: out, " + file + "}}]\n");
  };
  const Config config = ParseGood(sink("jobs: [j], partial: true"));
  EXPECT_TRUE(std::get<FileSinkSpec>(config.sinks[0]).partial);
  EXPECT_TRUE(Same(ParseGood(PrintConfig(config)), config)) << PrintConfig(config);
  EXPECT_FALSE(Same(ParseGood(sink("partial: false")), ParseGood(sink("partial: true"))));
  EXPECT_THAT(FaultOf(sink("content: diffs, partial: true")), HasSubstr("have no diffs"));
  EXPECT_THAT(FaultOf(sink("content: alerts, partial: true")), HasSubstr("have no diffs"));
  const std::string hook = WithJob(
      job, "live: true", "sinks: [{webhook: {name: h, url: \"https://h/\", partial: true}}]\n");
  EXPECT_TRUE(std::get<WebhookSinkSpec>(ParseGood(hook).sinks[0]).partial);
  EXPECT_THAT(FaultOf(WithJob(job, "live: true",
                              "sinks: [{kafka: {topic: r, transactional: true, partial: true, "
                              "transactional_id: i}}]\n")),
              HasSubstr("belongs to none"));
}

TEST(LiveJobConfigTest, NoAlertAndNoOtherSinkTakesItsResults) {
  const std::string job = "kernel: degree, visibility: live";
  EXPECT_THAT(FaultOf(WithJob(job, "live: true", "sinks: [{file: {path: out, jobs: [j]}}]\n")),
              HasSubstr("are live, so not final"));
  EXPECT_THAT(FaultOf(WithJob(job, "live: true",
                              "alerts: [{name: a, job: j, on: row, where: 'rank <= 2', "
                              "to: [log]}]\n")),
              HasSubstr("alerts tell of final results"));
}

}  // namespace
}  // namespace sash
