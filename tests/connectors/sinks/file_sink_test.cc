#include "connectors/sinks/file_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "connectors/sinks/result_checksum.h"
#include "tests/connectors/sinks/file_sink_fixture.h"
#include "windows/jobs/previous_results.h"

namespace sash {
namespace {

using testing::At;
using testing::Contents;
using testing::FinishedRuns;
using ::testing::HasSubstr;
using testing::Lines;
using testing::Write;
using Json = nlohmann::ordered_json;

TEST_F(FileSinkTest, AppendsOneLineForEachRunOfItsJobs) {
  spec_.jobs = {"x", "y"};
  const auto sink = Open();
  sink->Deliver(RunAt("x", 300));
  sink->Deliver(RunAt("other", 300));
  sink->Deliver(RunAt("y", 300));
  sink->Deliver(RunAt("x", 310));
  EXPECT_EQ(Held(), (Strings{"x 05:00", "y 05:00", "x 05:10"}));
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_EQ(sink->written(), 3u);
}

TEST_F(FileSinkTest, ListsEveryVertexWhenAskedTo) {
  spec_.vertices = VerticesWritten::kAll;
  Open()->Deliver(RunAt("x", 300));
  EXPECT_EQ(Json::parse(Lines(spec_.path).at(0)).at("top_edges").size(), 2u);
}

TEST_F(FileSinkTest, EachLineEndsWithItsChecksumWhenAskedTo) {
  spec_.checksum = true;
  Give(*Open(), {300, 310, 320});
  const std::string whole = Contents(spec_.path);
  for (const std::string& line : Lines(spec_.path)) {
    EXPECT_EQ(CheckResult(line), ResultChecksum::kRight);
    EXPECT_EQ(Json::parse(line).at("crc32c").get<std::string>().size(), 8u);
    for (std::size_t i = 0; i < line.size(); ++i) {
      std::string damaged = line;
      damaged[i] = static_cast<char>(damaged[i] ^ 1);
      ASSERT_NE(CheckResult(damaged), ResultChecksum::kRight) << i;
    }
  }
  std::string damaged = whole;
  const std::size_t edges = damaged.find("\"edges\":2", damaged.find('\n'));
  damaged[edges + 8] = '3';
  Write(spec_.path, damaged);
  Give(*Open(), {300, 310, 320});
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:20", "x 05:10"}));
  EXPECT_THAT(log_.lines(), ::testing::Contains(HasSubstr("results.jsonl:2: is damaged")));
  // A file can have lines with and without checksums.
  spec_.checksum = false;
  Give(*Open(), {330});
  EXPECT_EQ(CheckResult(Lines(spec_.path).back()), ResultChecksum::kNone);
}

TEST_F(FileSinkTest, WritesDiffsInsteadAndReadsThemBack) {
  spec_.content = SinkContent::kDiffs;
  PreviousResults previous;
  const auto deliver = [&](FileSink& sink, const std::string& job, std::int64_t end) {
    std::vector<testing::NamedEdge> edges;
    for (int i = 0; i < 3000; ++i) edges.push_back({"a", "b" + std::to_string(i), {}});
    const auto advance = runs_.MakeAdvance(edges, At(end));
    CompletedRun run = runs_.Run(FinishedRuns::Job(job, DegreeParameters(), 5000), advance);
    run.before = previous.Before(run.result);
    sink.Deliver(run);
  };
  {
    const auto sink = Open();
    deliver(*sink, "x", 300);
    deliver(*sink, "x", 310);
    sink->Deliver(RunAt("shape", 310));  // has no diffs
  }
  previous = PreviousResults();
  const auto sink = Open();
  deliver(*sink, "x", 310);
  deliver(*sink, "x", 320);
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:20"}));
  const std::vector<std::string> lines = Lines(spec_.path);
  EXPECT_EQ(Json::parse(lines[0]).at("entered").size(), 3001u);
  EXPECT_EQ(Json::parse(lines[1]).at("entered").size(), 0u);
  // A result that is not written again is still the base of the next diff.
  EXPECT_EQ(Json::parse(lines[2]).at("since"), "1970-01-01T00:05:10.000Z");
}

TEST_F(FileSinkTest, TheFirstDiffIsFromWhatIsRecalled) {
  spec_.content = SinkContent::kDiffs;
  spec_.jobs = {"x"};
  const auto run = [&](std::int64_t end) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, At(end));
    return runs_.Run(FinishedRuns::Job("x", DegreeParameters(), 5), advance);
  };
  const auto sink = Open();
  const std::vector<SinkSpec> specs{TerminalSinkSpec(), spec_};
  EXPECT_TRUE(AnyWritesDiffs(specs, "x", DegreeParameters()));
  EXPECT_FALSE(AnyWritesDiffs(specs, "y", DegreeParameters()));
  EXPECT_FALSE(AnyWritesDiffs(specs, "x", ShapeParameters()));
  CompletedRun first = run(310);
  first.before = run(300).result;
  sink->Deliver(first);
  EXPECT_EQ(Held(), (Strings{"x 05:10"}));
  const Json diff = Json::parse(Lines(spec_.path).at(0));
  EXPECT_EQ(diff.at("since"), "1970-01-01T00:05:00.000Z");
  EXPECT_TRUE(diff.at("entered").empty());
}

TEST_F(FileSinkTest, DoesNotWriteAgainWhatTheFileHolds) {
  {
    const auto sink = Open();
    for (const std::int64_t end : {300, 320, 330}) sink->Deliver(RunAt("x", end));
    sink->Deliver(RunAt("y", 330));
  }
  const auto sink = Open();
  // 310 was skipped in the first run: the file has 330 but not 310.
  for (const std::int64_t end : {300, 310, 320, 330, 340}) sink->Deliver(RunAt("x", end));
  for (const std::int64_t end : {320, 330, 340}) sink->Deliver(RunAt("y", end));
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:20", "x 05:30", "y 05:30", "x 05:10", "x 05:40",
                             "y 05:20", "y 05:40"}));
  EXPECT_EQ(sink->repeated(), 4u);
}

TEST_F(FileSinkTest, KnowsWindowsByEventsByTheirLastEvent) {
  {
    const auto sink = Open();
    sink->Deliver(CountedRun("x", 100));
    sink->Deliver(CountedRun("x", 200));  // with the same window end
  }
  const auto sink = Open();
  sink->Deliver(CountedRun("x", 100));
  sink->Deliver(CountedRun("x", 200));
  sink->Deliver(CountedRun("x", 300));
  EXPECT_EQ(Lines(spec_.path).size(), 3u);
  EXPECT_EQ(sink->repeated(), 2u);
}

TEST_F(FileSinkTest, CutsATornLastLineAndWritesItsResultAgain) {
  Open()->Deliver(RunAt("x", 300));
  const std::string first = Contents(spec_.path);
  Open()->Deliver(RunAt("x", 310));
  const std::string both = Contents(spec_.path);
  for (const std::size_t size : {first.size() + 1, first.size() + 40, both.size() - 1}) {
    Write(spec_.path, both.substr(0, size));
    const auto sink = Open();
    EXPECT_EQ(Contents(spec_.path), first);
    sink->Deliver(RunAt("x", 300));
    sink->Deliver(RunAt("x", 310));
    EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10"}));
  }
}

TEST_F(FileSinkTest, RefusesFilesOfOthersAndLeavesThemAlone) {
  Open()->Deliver(RunAt("x", 300));
  const std::string ours = Contents(spec_.path);
  for (const std::string theirs :
       {"source,target\n", "{}\n", "[]\n", "7\n", "\n", "{\"schema\":1,\"job\":\"x\"}\n",
        "notes without an end",
        "{\"schema\":1,\"job\":\"x\",\"window\":\"w\",\"window_end\":3}\n"}) {
    Write(spec_.path, ours + theirs);
    EXPECT_NE(OpenError(), "") << theirs;
    EXPECT_EQ(Contents(spec_.path), ours + theirs);
  }
  Write(spec_.path, ours + "{\n");
  EXPECT_THAT(OpenError(), HasSubstr("results.jsonl:2: not a result"));
  Write(spec_.path, "{\"schema\":2,\"job\":\"x\"}\n");
  EXPECT_THAT(OpenError(), HasSubstr("results.jsonl:1: a result of schema 2"));
}

TEST_F(FileSinkTest, ReadsResultsWhoseMembersWereReordered) {
  Open()->Deliver(CountedRun("x", 100));
  Write(spec_.path, Json::parse(Contents(spec_.path)).dump() + "\n");  // sorted by name
  const auto sink = Open();
  sink->Deliver(CountedRun("x", 100));
  EXPECT_EQ(sink->repeated(), 1u);
}

TEST_F(FileSinkTest, ReadsBackLinesLongerThanItReadsAtOnce) {
  spec_.vertices = VerticesWritten::kAll;
  std::vector<testing::NamedEdge> edges;
  for (int i = 0; i < 60'000; ++i) edges.push_back({"a", "b" + std::to_string(i), {}});
  const auto advance = runs_.MakeAdvance(edges, At(300));
  const CompletedRun run = runs_.Run(FinishedRuns::Job("x", ShapeParameters()), advance);
  Open()->Deliver(run);
  Open()->Deliver(RunAt("x", 310));
  const auto size = Contents(spec_.path).size();
  ASSERT_GT(size, 2u << 20);
  const auto sink = Open();
  sink->Deliver(run);
  sink->Deliver(RunAt("x", 310));
  EXPECT_EQ(sink->repeated(), 2u);
  EXPECT_EQ(Contents(spec_.path).size(), size);
}

TEST_F(FileSinkTest, AReplayBeginsAnewButOverwritesNothingOfOthers) {
  Give(*Open(), {290, 300});
  Give(*Open(true), {300});
  EXPECT_EQ(Held(), (Strings{"x 05:00"}));
  for (const std::string theirs : {"source,target\n", "whatever was there", "{}\n"}) {
    Write(spec_.path, theirs);
    EXPECT_THAT(OpenError(true), HasSubstr("results.jsonl:1: not written by sash")) << theirs;
    EXPECT_EQ(Contents(spec_.path), theirs);
  }
}

}  // namespace
}  // namespace sash
