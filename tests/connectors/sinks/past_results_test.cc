// Results on earlier windows that a user had delivered: which sinks take them, under which
// identity, and that none of them counts as a result of the series.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/result_key.h"
#include "connectors/sinks/sink_set.h"
#include "tests/connectors/sinks/file_sink_fixture.h"
#include "tests/connectors/sinks/full_disk.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using testing::FullDisk;
using ::testing::HasSubstr;
using testing::Lines;
using Json = nlohmann::ordered_json;
using State = PastDelivery::State;

class PastResultsTest : public FileSinkTest {
 protected:
  static CompletedRun AsPast(CompletedRun run) {
    auto result = std::make_shared<RunResult>(*run.result);
    result->triggered = true;
    result->past = true;
    run.result = std::move(result);
    auto advance = std::make_shared<Advance>(*run.advance);
    advance->number = 0;  // history does not know it
    run.advance = std::move(advance);
    return run;
  }
  CompletedRun PastAt(std::int64_t end) { return AsPast(RunAt("x", end)); }
  CompletedRun DegreesAt(std::int64_t end) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, testing::At(end));
    return AsPast(runs_.Run(testing::FinishedRuns::Job("x", DegreeParameters()), advance));
  }

  static PastDelivery Give(ResultSink& sink, const CompletedRun& run) {
    std::vector<PastDelivery> deliveries;
    sink.DeliverPast(run, deliveries);
    EXPECT_EQ(deliveries.size(), 1U);
    return deliveries.empty() ? PastDelivery() : deliveries.front();
  }
  static State StateOf(ResultSink& sink, const CompletedRun& run) { return Give(sink, run).state; }

  // "end" of each line, with "past" if it says so.
  std::vector<std::string> Written() const {
    std::vector<std::string> written;
    for (const std::string& line : Lines(spec_.path)) {
      const Json json = Json::parse(line);
      written.push_back(json.at("window_end").get<std::string>().substr(14, 5) +
                        (json.value("past", false) ? " past" : ""));
    }
    return written;
  }
};

TEST_F(PastResultsTest, TheIdentityEndsWithPast) {
  const CompletedRun run = PastAt(300);
  const std::string key = ResultKey(*run.result);
  EXPECT_EQ(key, R"({"job":"x","window":"last-5m","window_end":"1970-01-01T00:05:00.000Z",)"
                 R"("past":true})");
  EXPECT_EQ(IdentityOfKey(key), IdentityOf(*run.result));
  EXPECT_NE(IdentityOf(*run.result), IdentityOf(*RunAt("x", 300).result));
  const CompletedRun counted = AsPast(CountedRun("x", 7));
  EXPECT_EQ(ResultKey(*counted.result),
            R"({"job":"x","window":"last-5m","accepted":7,"past":true})");
  EXPECT_EQ(IdentityOfKey(ResultKey(*counted.result)), IdentityOf(*counted.result));
}

TEST_F(PastResultsTest, AFileHasItBesideTheResultOfTheSeriesOnce) {
  const auto sink = Open();
  FileSinkTest::Give(*sink, {290, 300});
  EXPECT_EQ(StateOf(*sink, PastAt(290)), State::kWritten);
  EXPECT_EQ(StateOf(*sink, PastAt(290)), State::kAlreadyThere);
  EXPECT_EQ(StateOf(*sink, PastAt(280)), State::kWritten);
  FileSinkTest::Give(*sink, {310});
  EXPECT_THAT(Written(), ElementsAre("04:50", "05:00", "04:50 past", "04:40 past", "05:10"));
}

TEST_F(PastResultsTest, AfterARestartTheFileKnowsThemAndTheSeriesGoesOn) {
  {
    const auto sink = Open();
    FileSinkTest::Give(*sink, {290});
    EXPECT_EQ(StateOf(*sink, PastAt(300)), State::kWritten);  // the series has none for this end
    EXPECT_EQ(StateOf(*sink, PastAt(310)), State::kWritten);
  }
  const auto sink = Open();
  FileSinkTest::Give(*sink, {290, 300});
  EXPECT_EQ(StateOf(*sink, PastAt(310)), State::kAlreadyThere);
  FileSinkTest::Give(*sink, {310});
  EXPECT_THAT(Written(), ElementsAre("04:50", "05:00 past", "05:10 past", "05:00", "05:10"));
}

TEST_F(PastResultsTest, WithByEventsTheFileKnowsThemToo) {
  { EXPECT_EQ(StateOf(*Open(), AsPast(CountedRun("x", 7))), State::kWritten); }
  const auto sink = Open();
  EXPECT_EQ(StateOf(*sink, AsPast(CountedRun("x", 7))), State::kAlreadyThere);
  sink->Deliver(CountedRun("x", 7));
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_EQ(Lines(spec_.path).size(), 2U);
}

TEST_F(PastResultsTest, EachRowSaysSo) {
  spec_.content = SinkContent::kRows;
  { EXPECT_EQ(StateOf(*Open(), DegreesAt(300)), State::kWritten); }
  ASSERT_EQ(Lines(spec_.path).size(), 2U);
  EXPECT_THAT(Lines(spec_.path)[1], HasSubstr(R"("past":true,"row":2,"rows":2,)"));
  EXPECT_EQ(StateOf(*Open(), DegreesAt(300)), State::kAlreadyThere);
}

TEST_F(PastResultsTest, ADiffAndARowOfCsvCannotSaySo) {
  spec_.content = SinkContent::kDiffs;
  const PastDelivery diff = Give(*Open(), DegreesAt(300));
  EXPECT_EQ(diff.state, State::kLeftOut);
  EXPECT_EQ(diff.sink, "file:" + spec_.path);
  EXPECT_THAT(diff.why, HasSubstr("diffs"));
  spec_.content = SinkContent::kRows;
  spec_.format = RowFormat::kCsv;
  spec_.path = folder_.File("rows.csv");
  EXPECT_THAT(Give(*Open(), DegreesAt(300)).why, HasSubstr("no column for `past`"));
  EXPECT_TRUE(Lines(spec_.path).empty());
}

TEST_F(PastResultsTest, ASinkOfOtherJobsOrOfAlertsSaysNothing) {
  SinkSet sinks;
  spec_.jobs = {"other"};
  sinks.Add(Open());
  spec_.jobs = {};
  spec_.content = SinkContent::kAlerts;
  spec_.path = folder_.File("alerts.jsonl");
  sinks.Add(Open());
  std::vector<PastDelivery> deliveries;
  sinks.DeliverPast(PastAt(300), deliveries);
  EXPECT_TRUE(deliveries.empty());
}

TEST_F(PastResultsTest, AFailingSinkIsNamedAndHoldsNoOtherBack) {
  SinkSet sinks;
  sinks.Add(Open());
  spec_.path = folder_.File("other.jsonl");
  sinks.Add(Open());
  std::filesystem::remove(spec_.path);
  std::filesystem::create_directory(spec_.path);
  std::vector<PastDelivery> deliveries;
  sinks.DeliverPast(PastAt(300), deliveries);
  ASSERT_EQ(deliveries.size(), 2U);
  EXPECT_EQ(deliveries[0].state, State::kWritten);
  EXPECT_EQ(deliveries[1].state, State::kFailed);
  EXPECT_EQ(deliveries[1].sink, "file:" + spec_.path);
  EXPECT_THAT(deliveries[1].why, HasSubstr("it waits in memory"));
  // It was taken, so it reaches the file when that is possible.
  std::filesystem::remove(spec_.path);
  deliveries.clear();
  sinks.DeliverPast(PastAt(300), deliveries);
  ASSERT_EQ(deliveries.size(), 2U);
  for (const PastDelivery& each : deliveries)
    EXPECT_EQ(each.state, State::kAlreadyThere) << each.why;
  EXPECT_EQ(Written(), Strings{"05:00 past"});
}

// If it took room that the series needs, a result of the series would be dropped, and commits would
// stop until a restart.
TEST_F(PastResultsTest, WhileMuchWaitsItIsRefusedAndNothingIsDropped) {
  backlog_ = 4096;
  const auto sink = Open();
  const FullDisk full(0);
  int taken = 0;
  for (std::int64_t end = 300; end < 500; end += 10) {
    taken += Give(*sink, PastAt(end)).why.ends_with("it waits in memory") ? 1 : 0;
  }
  EXPECT_GT(taken, 0);
  EXPECT_LT(taken, 20);
  EXPECT_EQ(sink->dropped(), 0U);
  EXPECT_THAT(Give(*sink, PastAt(500)).why, HasSubstr("too many lines wait"));
}

}  // namespace
}  // namespace sash
