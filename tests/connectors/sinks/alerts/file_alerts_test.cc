// Alerts in a file: what a line says, and that none comes twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "connectors/sinks/alerts/alert_fields.h"
#include "connectors/sinks/alerts/alert_watch.h"
#include "connectors/sinks/result_key.h"
#include "tests/connectors/sinks/file_sink_fixture.h"

namespace sash {
namespace {

using testing::At;
using testing::FinishedRuns;
using testing::Lines;
using Json = nlohmann::ordered_json;

class FileAlertsTest : public FileSinkTest {
 protected:
  FileAlertsTest() { spec_.content = SinkContent::kAlerts; }

  AlertWatch Watch() const {
    const JobSpec job = FinishedRuns::Job("degrees", DegreeParameters());
    const auto fields = AlertFields(alert_.on, job, KeyKind::kString);
    auto watch = AlertWatch::Make(alert_, fields.value());
    EXPECT_TRUE(watch.ok()) << watch.error().message;
    return std::move(watch).value();
  }
  CompletedRun Run(const std::vector<testing::NamedEdge>& edges, std::int64_t end) {
    const auto advance = runs_.MakeAdvance(edges, At(end));
    advance->number = static_cast<std::uint64_t>(end);
    return runs_.Run(FinishedRuns::Job("degrees", DegreeParameters()), advance);
  }
  // Follows the run and tells `sink`.
  static void Tell(AlertWatch& watch, const CompletedRun& run, FileSink& sink) {
    AlertFacts facts(run);
    for (const AlertMessage& alert : watch.Follow(facts)) sink.Notify(run.advance->number, alert);
    EXPECT_TRUE(sink.Flush().ok());
  }

  AlertSpec alert_{.name = "busy", .job = "degrees", .where = "score >= 2"};
};

TEST_F(FileAlertsTest, ALineIsTheWholeAlert) {
  alert_.text = "{vertex} has {score} edges";
  alert_.results = 2;
  AlertWatch watch = Watch();
  const auto sink = Open();
  Tell(watch, Run({{"a", "b", {}}, {"a", "c", {}}}, 300), *sink);
  EXPECT_EQ(watch.Status().state, AlertState::kPending);
  EXPECT_EQ(watch.Status().summary, "The condition holds for 1 subject, for up to 1 of 2 results.");
  Tell(watch, Run({{"a", "b", {}}, {"c", "a", {}}, {"d", "e", {}}}, 310), *sink);
  EXPECT_EQ(watch.Status().state, AlertState::kFiring);
  ASSERT_EQ(Lines(spec_.path).size(), 1u);
  const Json line = Json::parse(Lines(spec_.path)[0]);
  EXPECT_EQ(line, Json::parse(R"({
    "schema": 1, "job": "degrees", "alert": "busy", "kernel": "degree", "window": "last-5m",
    "snapshot": 17, "window_start": "1970-01-01T00:00:10.000Z",
    "window_end": "1970-01-01T00:05:10.000Z", "subject": "a", "empty": false, "final": true,
    "gap": false, "edges": 3, "vertices": 5, "on": "row", "for": 2,
    "since": "1970-01-01T00:05:00.000Z", "text": "a has 2 edges",
    "row": {"vertex": "a", "rank": 1, "score": 2}})"));
}

TEST_F(FileAlertsTest, WhatTheFileHoldsIsNotWrittenAgain) {
  const auto first = Run({{"a", "b", {}}, {"a", "c", {}}, {"b", "c", {}}}, 300);
  const auto second = Run({{"a", "b", {}}, {"a", "c", {}}}, 310);
  {
    AlertWatch watch = Watch();
    const auto sink = Open();
    Tell(watch, first, *sink);
  }
  ASSERT_EQ(Lines(spec_.path).size(), 3u) << "of a, b and c";
  AlertWatch watch = Watch();  // after a crash, without the state
  const auto sink = Open();
  Tell(watch, first, *sink);
  EXPECT_EQ(sink->repeated(), 3u);
  Tell(watch, second, *sink);
  EXPECT_EQ(Held(), (Strings{"degrees 05:00", "degrees 05:00", "degrees 05:00", "degrees 05:10"}));
}

TEST_F(FileAlertsTest, ATestIsMarkedAndHoldsNothingBack) {
  const auto run = Run({{"a", "b", {}}, {"a", "c", {}}}, 300);
  for (int life = 0; life < 2; ++life) {
    AlertWatch watch = Watch();
    AlertFacts facts(run);
    const auto sink = Open();
    for (int i = 0; i < 2; ++i) sink->Notify(300, watch.Test(facts));
    EXPECT_EQ(watch.Status().fired, 0u);
    EXPECT_TRUE(sink->Flush().ok());
  }
  ASSERT_EQ(Lines(spec_.path).size(), 4u);
  EXPECT_EQ(Json::parse(Lines(spec_.path)[0]).at("test"), true);
  EXPECT_EQ(Json::parse(Lines(spec_.path)[0]).at("row").at("vertex"), "a");
  AlertWatch watch = Watch();
  const auto sink = Open();
  Tell(watch, run, *sink);
  EXPECT_EQ(Lines(spec_.path).size(), 5u) << "the real one is told too";
}

TEST_F(FileAlertsTest, NamesSubjectsInItsKey) {
  AlertWatch watch = Watch();
  const auto run = Run({{"a\"x", "b", {}}, {"a\"x", "c", {}}}, 300);
  AlertFacts facts(run);
  const AlertMessage alert = watch.Follow(facts).at(0);
  EXPECT_EQ(ResultKey(alert.identity),
            R"({"job":"degrees","window":"last-5m","alert":"busy","subject":"a\"x",)"
            R"("window_end":"1970-01-01T00:05:00.000Z"})");
  EXPECT_EQ(IdentityOfKey(ResultKey(alert.identity)), alert.identity);
}

TEST_F(FileAlertsTest, TheStateOfAnotherDefinitionKeepsThePositionAlone) {
  AlertWatch watch = Watch();
  const auto run = Run({{"a", "b", {}}, {"a", "c", {}}}, 300);
  AlertFacts facts(run);
  EXPECT_EQ(watch.Follow(facts).size(), 1u);
  JsonText state;
  watch.Write(state);
  AlertWatch same = Watch();
  EXPECT_TRUE(same.Read(state.text()));
  EXPECT_TRUE(same.Follow(facts).empty());
  alert_.where = "score >= 1";
  AlertWatch other = Watch();
  EXPECT_FALSE(other.Read(state.text()));
  EXPECT_TRUE(other.Follow(facts).empty()) << "the result was seen before the change";
}

TEST_F(FileAlertsTest, APausedAlertFollowsAndTellsNobody) {
  alert_.results = 2;
  AlertWatch watch = Watch();
  const auto sink = Open();
  watch.Pause(true);
  Tell(watch, Run({{"a", "b", {}}, {"a", "c", {}}}, 300), *sink);
  Tell(watch, Run({{"a", "b", {}}, {"a", "c", {}}}, 310), *sink);
  EXPECT_EQ(watch.Status().state, AlertState::kPaused);
  EXPECT_TRUE(Lines(spec_.path).empty());
  watch.Pause(false);
  Tell(watch, Run({{"a", "b", {}}, {"a", "c", {}}}, 320), *sink);
  EXPECT_EQ(Lines(spec_.path).size(), 1u);
}

}  // namespace
}  // namespace sash
