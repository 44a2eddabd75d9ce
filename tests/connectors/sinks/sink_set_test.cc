#include "connectors/sinks/sink_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>

#include "connectors/sinks/file_sink.h"
#include "connectors/sinks/terminal_sink.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using testing::At;
using testing::FinishedRuns;
using ::testing::HasSubstr;
using testing::Lines;
using testing::ScratchFolder;

TEST(SinkSetTest, GivesEverySinkItsResultsThoughOneFails) {
  const ScratchFolder folder;
  KeptLog log;
  FinishedRuns runs;
  const std::vector<SinkSpec> specs = {FileSinkSpec{"/dev/full", {}, VerticesWritten::kTop},
                                       FileSinkSpec{folder.File("a"), {"x"}, VerticesWritten::kTop},
                                       FileSinkSpec{folder.File("b"), {}, VerticesWritten::kTop}};
  Result<std::unique_ptr<SinkSet>> sinks = OpenSinks(specs, runs.keys(), OutputMode::kLive, log);
  ASSERT_TRUE(sinks.ok());
  const auto advance = runs.MakeAdvance({{"a", "b", {}}}, At(300));
  for (const char* job : {"x", "y"}) {
    sinks.value()->Deliver(runs.Run(FinishedRuns::Job(job, ShapeParameters()), advance));
  }
  const Status flushed = sinks.value()->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_THAT(flushed.error().message, HasSubstr("/dev/full"));
  EXPECT_EQ(Lines(folder.File("a")).size(), 1u);
  EXPECT_EQ(Lines(folder.File("b")).size(), 2u);
}

TEST(SinkSetTest, TerminalSinksAreCountedTogetherAndOnlyIfThereAreAny) {
  SinkSet sinks;
  EXPECT_FALSE(sinks.Counts().terminal.has_value());
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  for (int i = 0; i < 2; ++i) sinks.Add(std::make_unique<TerminalSink>(ends[1]));
  FinishedRuns runs;
  AdvanceReport report;
  report.advance = runs.MakeAdvance({{"a", "b", {}}}, At(300));
  sinks.Complete(report);
  EXPECT_EQ(sinks.Counts().terminal->written, 2u);
  ::close(ends[0]);  // no reader any more
  sinks.Complete(report);
  EXPECT_EQ(sinks.Counts().terminal->written, 2u);
  EXPECT_EQ(sinks.Counts().terminal->left_out, 2u);
  ::close(ends[1]);
}

TEST(SinkSetTest, SaysWhichSinkCouldNotBeOpened) {
  const ScratchFolder folder;
  KeptLog log;
  const FinishedRuns runs;
  const std::vector<SinkSpec> specs = {
      TerminalSinkSpec{}, FileSinkSpec{folder.File("no/x"), {}, VerticesWritten::kTop}};
  const Result<std::unique_ptr<SinkSet>> sinks =
      OpenSinks(specs, runs.keys(), OutputMode::kLive, log);
  ASSERT_FALSE(sinks.ok());
  EXPECT_THAT(sinks.error().message, HasSubstr("sinks[1]: file sink: open "));
}

}  // namespace
}  // namespace sash
