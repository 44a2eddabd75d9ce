#include "connectors/sinks/file_sink.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "connectors/sinks/chosen_results.h"
#include "connectors/sinks/result_checksum.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/connectors/sinks/full_disk.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"
#include "windows/jobs/previous_results.h"

namespace sash {
namespace {

using testing::At;
using testing::Contents;
using testing::FinishedRuns;
using testing::FullDisk;
using ::testing::HasSubstr;
using testing::Lines;
using testing::ScratchFolder;
using testing::Write;
using Json = nlohmann::ordered_json;

class FileSinkTest : public ::testing::Test {
 protected:
  std::unique_ptr<FileSink> Open(bool replay = false) {
    Result<std::unique_ptr<FileSink>> sink =
        FileSink::Open(spec_, runs_.keys(), replay, log_, backlog_);
    EXPECT_TRUE(sink.ok()) << sink.error().ToString();
    return std::move(sink).value();
  }
  std::string OpenError(bool replay = false) {
    const Result<std::unique_ptr<FileSink>> sink =
        FileSink::Open(spec_, runs_.keys(), replay, log_);
    return sink.ok() ? "" : sink.error().message;
  }

  // The result of `job` on a window of two edges that ends `end` seconds after the epoch.
  CompletedRun RunAt(const std::string& job, std::int64_t end) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}, {"b", "c", {}}}, At(end));
    advance->number = static_cast<std::uint64_t>(end);
    return runs_.Run(FinishedRuns::Job(job, ShapeParameters()), advance);
  }
  CompletedRun CountedRun(const std::string& job, std::uint64_t accepted) {
    const auto advance = runs_.MakeAdvance({{"a", "b", {}}}, At(300));
    advance->provenance.accepted = accepted;
    return runs_.Run(FinishedRuns::Job(job, ShapeParameters()), advance);
  }

  // "job end" of each line, in seconds.
  std::vector<std::string> Held() const { return HeldBy(spec_.path); }
  static std::vector<std::string> HeldBy(const std::string& path) {
    std::vector<std::string> held;
    for (const std::string& line : Lines(path)) {
      const Json json = Json::parse(line);
      held.push_back(json.at("job").get<std::string>() + " " +
                     json.at("window_end").get<std::string>().substr(14, 5));
    }
    return held;
  }

  using Strings = std::vector<std::string>;

  // Delivers results of `x` that end at these seconds, and makes them durable.
  void Give(FileSink& sink, const std::vector<std::int64_t>& ends) {
    for (const std::int64_t end : ends) sink.Deliver(RunAt("x", end));
    const Status flushed = sink.Flush();
    EXPECT_TRUE(flushed.ok()) << flushed.error().message;
  }

  ScratchFolder folder_;
  KeptLog log_;
  FinishedRuns runs_;
  FileSinkSpec spec_{folder_.File("results.jsonl"), {}, VerticesWritten::kTop};
  std::size_t backlog_ = FileSink::kBacklogBytes;
};

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

TEST_F(FileSinkTest, WhatWasDeletedAndNoCommitCoversIsWrittenAgain) {
  const auto sink = Open();
  Give(*sink, {300, 310, 320});
  sink->Acknowledged(310);
  std::filesystem::remove(spec_.path);
  Give(*sink, {330});
  EXPECT_EQ(Held(), (Strings{"x 05:20", "x 05:30"}));
  EXPECT_THAT(log_.lines(), ::testing::Contains(HasSubstr("was deleted by another process")));
  sink->Deliver(RunAt("x", 340));  // in the file, not durable
  std::filesystem::remove(spec_.path);
  Give(*sink, {});
  EXPECT_EQ(Held(), (Strings{"x 05:20", "x 05:30", "x 05:40"}));
}

TEST_F(FileSinkTest, AfterADeletionAndAKillNothingThatWasDeletedCountsAsHeld) {
  Give(*Open(), {300, 310});
  std::filesystem::remove(spec_.path);
  Give(*Open(), {300, 310, 320});
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:20"}));
}

TEST_F(FileSinkTest, WhatWasMovedAwayIsNotWrittenAgain) {
  const std::string old = folder_.File("results.jsonl.1");
  {
    const auto sink = Open();
    Give(*sink, {300, 310});
    sink->Acknowledged(300);
    std::filesystem::rename(spec_.path, old);
    sink->Deliver(RunAt("x", 320));  // goes to the old file, and is then cut off there
    EXPECT_EQ(HeldBy(old).size(), 3u);
    Give(*sink, {330});
    EXPECT_EQ(HeldBy(old), (Strings{"x 05:00", "x 05:10"}));
    EXPECT_EQ(Held(), (Strings{"x 05:20", "x 05:30"}));
  }
  std::filesystem::remove(old);  // compressed
  const auto sink = Open();
  Give(*sink, {310, 320, 330, 340});
  EXPECT_EQ(Held(), (Strings{"x 05:20", "x 05:30", "x 05:40"}));
  EXPECT_EQ(sink->repeated(), 3u);
  sink->Acknowledged(340);
  EXPECT_EQ(Lines(folder_.File(".results.jsonl.held")).size(), 1u) << "the trail lists no results";
}

TEST_F(FileSinkTest, WhatWasMovedAwayBeforeAKillIsFoundAndReadThere) {
  std::filesystem::create_directory(folder_.File("old"));
  for (const std::string to : {"results.jsonl.1", "old/results"}) {
    std::filesystem::remove(spec_.path);
    const std::string old = folder_.File(to);
    {
      const auto sink = Open();
      Give(*sink, {300});
      std::filesystem::rename(spec_.path, old);
      sink->Deliver(RunAt("x", 310));
    }
    const std::string both = Contents(old);
    std::ofstream(old, std::ios::app) << R"({"schema":1,"job":"x)";
    {
      const auto sink = Open();
      Give(*sink, {300, 310, 320});
      EXPECT_EQ(Held(), (Strings{"x 05:20"})) << to;
      EXPECT_EQ(Contents(old), both) << "the torn line is cut";
    }
    std::filesystem::remove(old);
    const auto sink = Open();  // the trail still knows its results
    Give(*sink, {300, 310, 320, 330});
    EXPECT_EQ(Held(), (Strings{"x 05:20", "x 05:30"})) << to;
    std::filesystem::remove(folder_.File(".results.jsonl.held"));
  }
}

TEST_F(FileSinkTest, WhatIsMovedAwayBeforeTheStreamHasPassedItIsNotWrittenAgain) {
  Give(*Open(), {300, 310, 320});  // and is killed before a commit
  {
    const auto sink = Open();
    std::filesystem::rename(spec_.path, folder_.File("results.jsonl.1"));
    sink->Look();
    EXPECT_EQ(Held(), Strings());
    Give(*sink, {300, 310});
    EXPECT_EQ(Held(), Strings());
    EXPECT_EQ(sink->repeated(), 2u);
  }
  std::filesystem::remove(folder_.File("results.jsonl.1"));  // compressed
  const auto sink = Open();
  Give(*sink, {310, 320, 330});
  EXPECT_EQ(Held(), (Strings{"x 05:30"}));
}

TEST_F(FileSinkTest, WhatIsCutByAnotherIsWrittenAgain) {
  const auto sink = Open();
  Give(*sink, {300, 310});
  std::filesystem::resize_file(spec_.path, 0);
  Give(*sink, {320});
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:20"}));
  sink->Acknowledged(320);
  std::filesystem::resize_file(spec_.path, 10);
  for (std::int64_t end = 330; end < 400; end += 10) sink->Deliver(RunAt("x", end));
  Give(*sink, {});
  EXPECT_EQ(Held().size(), 7u);
}

TEST_F(FileSinkTest, AFileOfOthersInItsPlaceIsLeftAloneAndSaid) {
  const auto sink = Open();
  Give(*sink, {300});
  Write(folder_.File("new"), "notes\n");
  std::filesystem::rename(folder_.File("new"), spec_.path);
  sink->Deliver(RunAt("x", 310));
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("results.jsonl:1: not a result"));
  EXPECT_EQ(Contents(spec_.path), "notes\n");
  std::filesystem::remove(spec_.path);
  Give(*sink, {});
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10"}));
}

TEST_F(FileSinkTest, WhatTheNewFileHoldsIsNotWrittenToItAgain) {
  const auto sink = Open();
  Give(*sink, {300, 310});
  Write(folder_.File("new"), Lines(spec_.path).at(0) + "\n");
  std::filesystem::rename(folder_.File("new"), spec_.path);
  Give(*sink, {320});
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:20"}));
}

TEST_F(FileSinkTest, LooksAfterItsFileWhileNothingIsDelivered) {
  const auto sink = Open();
  Give(*sink, {300});
  std::filesystem::remove(spec_.path);
  sink->Look();
  EXPECT_EQ(Held(), (Strings{"x 05:00"}));
  std::filesystem::rename(spec_.path, folder_.File("old"));
  sink->Look();
  EXPECT_EQ(Contents(spec_.path), "");
}

TEST_F(FileSinkTest, WhatCannotBeWrittenAgainIsNeverCalledDurable) {
  const auto sink = Open();
  const auto kMany = static_cast<std::int64_t>(UnacknowledgedResults::Limits().results + 10);
  const CompletedRun run = RunAt("x", 300);
  for (std::int64_t i = 0; i < kMany; ++i) {
    auto result = std::make_shared<RunResult>(*run.result);
    result->provenance.window_end = At(300 + i);
    sink->Deliver({result, nullptr, run.advance});
    if (i % 10'000 == 0) {
      ASSERT_TRUE(sink->Flush().ok());
    }
  }
  ASSERT_TRUE(sink->Flush().ok());
  std::filesystem::remove(spec_.path);
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("a restart writes them"));
}

TEST_F(FileSinkTest, InAReplayNothingDurableIsKeptAndAFileThatIsLostIsNotCalledWhole) {
  const auto sink = Open(true);
  Give(*sink, {300, 310});
  std::filesystem::rename(spec_.path, folder_.File("old"));
  Give(*sink, {320});
  EXPECT_EQ(Held(), (Strings{"x 05:20"})) << "the moved file has the others";
  std::filesystem::remove(spec_.path);
  sink->Deliver(RunAt("x", 330));
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("a restart writes them"));
  EXPECT_EQ(Held(), (Strings{"x 05:30"}));
}

TEST_F(FileSinkTest, WhatIsBesideItAndIsNotItsOwnIsLeftAlone) {
  Write(folder_.File(".results.jsonl.held"), "notes\n");
  EXPECT_THAT(OpenError(), HasSubstr(".results.jsonl.held: not written by sash; move it away"));
  EXPECT_EQ(Contents(folder_.File(".results.jsonl.held")), "notes\n");
}

TEST_F(FileSinkTest, WritesWhatAFullDiskHeldBackOnceThereIsRoom) {
  const auto sink = Open();
  sink->Deliver(RunAt("x", 300));
  ASSERT_TRUE(sink->Flush().ok());
  {
    const FullDisk full(Contents(spec_.path).size() + 20);
    sink->Deliver(RunAt("x", 310));
    sink->Deliver(RunAt("x", 320));
    EXPECT_FALSE(sink->Flush().ok());
    EXPECT_EQ(Held(), (Strings{"x 05:00"}));  // no torn line
  }
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_EQ(Held(), (Strings{"x 05:00", "x 05:10", "x 05:20"}));
  EXPECT_EQ(sink->dropped(), 0u);
}

TEST_F(FileSinkTest, NamesTheFullDevice) {
  spec_.path = "/dev/full";
  const auto sink = Open();
  sink->Deliver(RunAt("x", 300));
  const Status flushed = sink->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("/dev/full: No space left on device"));
}

TEST_F(FileSinkTest, WhatWasDroppedIsNeverCalledDurable) {
  backlog_ = 1000;  // two lines
  {
    const auto sink = Open();
    {
      const FullDisk full(0);
      for (std::int64_t end = 300; end < 350; end += 10) sink->Deliver(RunAt("x", end));
    }
    EXPECT_GT(sink->dropped(), 0u);
    const Status flushed = sink->Flush();
    ASSERT_FALSE(flushed.ok());
    EXPECT_THAT(flushed.error().message, HasSubstr("a restart writes them"));
    EXPECT_EQ(Held().back(), "x 05:40");
    EXPECT_EQ(Held().size() + sink->dropped(), 5u);
  }
  const auto sink = Open();  // a restart reads the stream again
  for (std::int64_t end = 300; end < 350; end += 10) sink->Deliver(RunAt("x", end));
  EXPECT_TRUE(sink->Flush().ok());
  EXPECT_EQ(Held().size(), 5u);
}

TEST_F(FileSinkTest, KeepsLittleInMemoryHoweverRarelyItIsFlushed) {
  backlog_ = 1000;
  const auto sink = Open();
  for (std::int64_t end = 300; end < 800; end += 10) sink->Deliver(RunAt("x", end));
  EXPECT_EQ(sink->dropped(), 0u);
  EXPECT_EQ(Held().size(), 50u);
}

TEST_F(FileSinkTest, WritesToANamedPipeWithoutReadingIt) {
  spec_.path = folder_.File("pipe");
  ASSERT_EQ(::mkfifo(spec_.path.c_str(), 0600), 0);
  const int reader = ::open(spec_.path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  const auto sink = Open(true);
  sink->Deliver(RunAt("x", 300));
  EXPECT_TRUE(sink->Flush().ok());
  std::vector<char> chunk(1 << 16);
  const ssize_t count = ::read(reader, chunk.data(), chunk.size());
  ASSERT_GT(count, 0);
  EXPECT_EQ(Json::parse(std::string_view(chunk.data(), static_cast<std::size_t>(count))).at("job"),
            "x");
  ::close(reader);
  sink->Deliver(RunAt("x", 310));
  EXPECT_FALSE(sink->Flush().ok());
}

TEST_F(FileSinkTest, LeavesAFileBehindADescriptorAsItIs) {
  Write(spec_.path, "log line\n");
  const std::string file = spec_.path;
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND);
  spec_.path = "/dev/fd/" + std::to_string(descriptor);
  const auto sink = Open(true);
  sink->Deliver(RunAt("x", 300));
  EXPECT_TRUE(sink->Flush().ok());
  ::close(descriptor);
  EXPECT_EQ(Lines(file).size(), 2u);
  EXPECT_EQ(Lines(file).at(0), "log line");
}

}  // namespace
}  // namespace sash
