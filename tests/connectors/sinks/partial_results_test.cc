// Results that are not final: which sinks take them, under which identity, and that none of them
// counts as a final one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/held_cuts.h"
#include "connectors/sinks/result_key.h"
#include "connectors/sinks/sink_set.h"
#include "tests/connectors/sinks/file_sink_fixture.h"
#include "tests/support/nested_lists.h"

namespace sash {
namespace {

using testing::Lines;
using Json = nlohmann::ordered_json;

class PartialResultsTest : public FileSinkTest {
 protected:
  PartialResultsTest() { spec_.partial = true; }

  // The result of live job `job`, of the window that would end at `end`, at this offset.
  CompletedRun PartialAt(const std::string& job, std::int64_t end, std::int64_t offset) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, testing::At(end));
    advance->provenance.cut = {{{"pay", 0}, offset}, {{"pay", 10}, 3}, {{"pay", 2}, 4}};
    return runs_.Run(testing::FinishedRuns::Job(job, ShapeParameters()), advance);
  }
};

TEST_F(PartialResultsTest, TheIdentityEndsWithTheCut) {
  const CompletedRun run = PartialAt("x", 300, 17);
  const std::string key = ResultKey(*run.result);
  EXPECT_EQ(key, R"({"job":"x","window":"last-5m","window_end":"1970-01-01T00:05:00.000Z",)"
                 R"("cut":{"pay":{"0":17,"2":4,"10":3}}})");
  EXPECT_EQ(IdentityOfKey(key), IdentityOf(*run.result));
  EXPECT_NE(IdentityOf(*run.result), IdentityOf(*RunAt("x", 300).result));
  EXPECT_NE(IdentityOf(*run.result), IdentityOf(*PartialAt("x", 300, 18).result));
}

TEST_F(PartialResultsTest, ByEventsTheIdentityHasTheNumberAndTheCut) {
  const CompletedRun run = CountedRun("x", 7);
  auto result = std::make_shared<RunResult>(*run.result);
  result->provenance.cut = {{{"pay", 0}, 17}};
  const std::string key = ResultKey(*result);
  EXPECT_EQ(key, R"({"job":"x","window":"last-5m","accepted":7,"cut":{"pay":{"0":17}}})");
  EXPECT_EQ(IdentityOfKey(key), IdentityOf(*result));
  EXPECT_NE(IdentityOf(*result), IdentityOf(*run.result));
}

TEST_F(PartialResultsTest, ACutThatIsNestedWithoutEndIsNone) {
  EXPECT_FALSE(IdentityOfKey(R"({"job":"x","window":"w","accepted":7,"cut":)" +
                             testing::NestedLists() + "}"));
}

TEST_F(PartialResultsTest, OnlyASinkThatSaysSoTakesThem) {
  const auto sink = Open();
  EXPECT_TRUE(sink->DeliverPartial(PartialAt("x", 300, 17)));
  ASSERT_EQ(Lines(spec_.path).size(), 1U);
  const Json line = Json::parse(Lines(spec_.path)[0]);
  EXPECT_EQ(line.at("final"), false);
  EXPECT_EQ(line.at("cut"), Json::parse(R"({"pay":{"0":17,"2":4,"10":3}})"));
  spec_.partial = false;
  spec_.path = folder_.File("final.jsonl");
  const auto other = Open();
  EXPECT_TRUE(other->DeliverPartial(PartialAt("x", 300, 17)));
  EXPECT_TRUE(Lines(spec_.path).empty());
}

TEST_F(PartialResultsTest, ASinkTakesOnlyTheJobsThatItNames) {
  spec_.jobs = {"x"};
  const auto sink = Open();
  EXPECT_TRUE(sink->DeliverPartial(PartialAt("other", 300, 17)));
  EXPECT_TRUE(Lines(spec_.path).empty());
}

TEST_F(PartialResultsTest, AFinalResultIsWrittenBesideThemAlsoAfterARestart) {
  {
    const auto sink = Open();
    for (const std::int64_t offset : {17, 18}) sink->DeliverPartial(PartialAt("x", 300, offset));
    EXPECT_TRUE(sink->Flush().ok());
  }
  const auto sink = Open();
  sink->DeliverPartial(PartialAt("x", 300, 18));  // the same cut again
  sink->DeliverPartial(PartialAt("x", 300, 19));
  sink->Deliver(RunAt("x", 300));
  EXPECT_EQ(sink->repeated(), 1U);
  std::vector<std::pair<bool, std::int64_t>> written;
  for (const std::string& text : Lines(spec_.path)) {
    const Json line = Json::parse(text);
    const bool is_final = line.at("final");
    written.emplace_back(is_final, is_final ? 0 : line.at("cut").at("pay").at("0").get<int>());
  }
  EXPECT_EQ(written, (std::vector<std::pair<bool, std::int64_t>>{
                         {false, 17}, {false, 18}, {false, 19}, {true, 0}}));
}

TEST_F(PartialResultsTest, TheFinalResultOfAFileIsNotWrittenAgainBecauseOfThem) {
  {
    const auto sink = Open();
    sink->Deliver(RunAt("x", 300));
    sink->DeliverPartial(PartialAt("x", 310, 17));
    EXPECT_TRUE(sink->Flush().ok());
  }
  const auto sink = Open();
  sink->Deliver(RunAt("x", 300));
  sink->Deliver(RunAt("x", 310));
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:10"}));
}

// The line is longer than what is read of a line to know its identity.
TEST_F(PartialResultsTest, ACutOfManyPartitionsIsStillNoFinalResult) {
  {
    const auto sink = Open();
    CompletedRun run = PartialAt("x", 300, 17);
    auto result = std::make_shared<RunResult>(*run.result);
    for (std::int32_t p = 0; p < 20'000; ++p)
      result->provenance.cut->emplace(TopicPartition{"many", p}, p);
    run.result = std::move(result);
    sink->DeliverPartial(run);
    EXPECT_TRUE(sink->Flush().ok());
  }
  const auto sink = Open();
  sink->Deliver(RunAt("x", 300));
  EXPECT_EQ(Lines(spec_.path).size(), 2U);
}

TEST_F(PartialResultsTest, ADeletedFileGetsThoseThatNoCommitCoversAgain) {
  const auto sink = Open();
  sink->DeliverPartial(PartialAt("x", 300, 17));
  EXPECT_TRUE(sink->Flush().ok());
  std::filesystem::remove(spec_.path);
  sink->Deliver(RunAt("x", 300));
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:00"}));
}

TEST_F(PartialResultsTest, AFileThatWasMovedAwayKeepsThem) {
  const auto sink = Open();
  sink->DeliverPartial(PartialAt("x", 300, 17));
  EXPECT_TRUE(sink->Flush().ok());
  std::filesystem::rename(spec_.path, folder_.File("older.jsonl"));
  sink->DeliverPartial(PartialAt("x", 300, 17));
  sink->DeliverPartial(PartialAt("x", 300, 18));
  sink->Deliver(RunAt("x", 300));
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_EQ(Held().size(), 2U);
  EXPECT_EQ(HeldBy(folder_.File("older.jsonl")).size(), 1U);
}

TEST_F(PartialResultsTest, TheyAreLeftOutAndCountedWhileMuchWaits) {
  SinkSet sinks;
  spec_.path = "/dev/full";
  backlog_ = 4096;
  sinks.Add(Open());
  int taken = 0;
  for (std::int64_t offset = 0; offset < 100; ++offset) {
    taken += sinks.DeliverPartial(PartialAt("x", 300, offset)) ? 1 : 0;
  }
  EXPECT_GT(taken, 0);
  EXPECT_LT(taken, 100);
  EXPECT_EQ(sinks.Counts().partial_left_out, static_cast<std::uint64_t>(100 - taken));
}

TEST_F(PartialResultsTest, TheyAreMadeDurableThoughNoAdvanceCompletes) {
  backlog_ = 4096;
  const auto sink = Open();
  for (std::int64_t offset = 0; offset < 100; ++offset) {
    EXPECT_TRUE(sink->DeliverPartial(PartialAt("x", 300, offset)));
  }
  EXPECT_EQ(Lines(spec_.path).size(), 100U);
  EXPECT_EQ(sink->dropped(), 0U);
}

TEST(HeldCutsTest, KnowsTheNewest) {
  HeldCuts held;
  for (std::size_t i = 0; i < 2 * HeldCuts::kMost; ++i) held.Add(1, std::to_string(i));
  EXPECT_TRUE(held.Holds(1, std::to_string(2 * HeldCuts::kMost - 1)));
  EXPECT_TRUE(held.Holds(1, std::to_string(HeldCuts::kMost)));
  EXPECT_FALSE(held.Holds(1, std::to_string(HeldCuts::kMost - 1)));
  EXPECT_FALSE(held.Holds(2, std::to_string(HeldCuts::kMost)));
}

}  // namespace
}  // namespace sash
