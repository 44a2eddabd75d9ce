#include "connectors/sinks/terminal_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/connectors/sinks/finished_runs.h"

namespace sash {
namespace {

using testing::At;
using testing::FinishedRuns;
using ::testing::HasSubstr;
using testing::kNewYear2026;

std::shared_ptr<RunResult> WithSeconds(const CompletedRun& run, double seconds) {
  auto result = std::make_shared<RunResult>(*run.result);
  result->seconds = seconds;
  return result;
}

TEST(TerminalSinkTest, SaysOnOneLineWhatAnAdvanceBrought) {
  FinishedRuns runs;
  const auto advance = runs.MakeAdvance({{"b", "a", {}}, {"c", "a", {}}, {"d", "a", {}}},
                                        At(kNewYear2026 + 12 * 3600 + 5));
  BfsParameters bfs;
  bfs.roots = {"b"};
  PageRankParameters tight;
  tight.damping = 0;  // all alike: 0.25
  AdvanceReport report;
  report.advance = advance;
  report.results = {
      WithSeconds(runs.Run(FinishedRuns::Job("influencers", tight), advance), 0.012),
      WithSeconds(runs.Run(FinishedRuns::Job("reach", bfs), advance), 0.00125),
      WithSeconds(runs.Run(FinishedRuns::Job("shape", ShapeParameters()), advance), 2)};
  report.skipped = {"slow", "slower"};
  report.cancelled = {"stuck"};
  std::optional<std::chrono::sys_days> day;
  EXPECT_EQ(
      AdvanceLine(report, day),
      "last-5m 2026-01-01 11:55:05–12:00:05 · 3 edges, 4 vertices, 3.1 ms · influencers 12 ms: "
      "a 0.25, b 0.25, c 0.25, d 0.25 · reach 1.25 ms: 2 reached, 2 levels · shape 2 s: "
      "3 pairs, weight 3 · skipped: slow, slower · cancelled: stuck");
}

TEST(TerminalSinkTest, SaysTheDateWhenItChanges) {
  FinishedRuns runs;
  std::optional<std::chrono::sys_days> day;
  const auto line = [&](std::int64_t end) {
    AdvanceReport report;
    report.advance = runs.MakeAdvance({}, At(end));
    return AdvanceLine(report, day);
  };
  EXPECT_THAT(line(kNewYear2026 - 10), HasSubstr("last-5m 2025-12-31 23:54:50–23:59:50"));
  EXPECT_THAT(line(kNewYear2026 - 1), HasSubstr("last-5m 23:54:59–23:59:59 "));
  EXPECT_THAT(line(kNewYear2026 + 10), HasSubstr("last-5m 23:55:10–2026-01-01 00:00:10 "));
  EXPECT_THAT(line(kNewYear2026 + 400), HasSubstr("last-5m 00:01:40–00:06:40 "));
}

TEST(TerminalSinkTest, MarksWhatIsUnusual) {
  FinishedRuns runs;
  const auto advance = runs.MakeAdvance({}, At(300));
  advance->provenance.accepted = 5000;
  advance->provenance.gap = true;
  advance->provenance.late = 3;
  advance->provenance.refused = 2;
  AdvanceReport report;
  report.advance = advance;
  std::optional<std::chrono::sys_days> day;
  const std::string line = AdvanceLine(report, day);
  EXPECT_THAT(line, HasSubstr("last-5m to event 5000 "));
  EXPECT_THAT(line, HasSubstr(", empty, gap, 3 late, 2 refused"));
}

TEST(TerminalSinkTest, KeysCannotActOnTheTerminal) {
  EXPECT_EQ(TerminalText("plain grün", 24), "plain grün");
  EXPECT_EQ(TerminalText("a\x1b[2J\nb", 24), "a\\x1b[2J\\nb");
  EXPECT_EQ(TerminalText("\xc2\x9b"
                         "31m",
                         24),
            "\\u009b31m");  // C1 control
  EXPECT_EQ(TerminalText("\xe2\x80\xae"
                         "abc",
                         24),
            "\\u202e"
            "abc");                                       // turns direction
  EXPECT_EQ(TerminalText("\xff\xc3", 24), "\\xff\\xc3");  // not UTF-8
  EXPECT_EQ(TerminalText("a\\nb", 24), "a\\\\nb");
}

TEST(TerminalSinkTest, ShortensLongKeys) {
  EXPECT_EQ(TerminalText("abcde", 5), "abcde");
  EXPECT_EQ(TerminalText("abcdef", 5), "abcd…");
  EXPECT_EQ(TerminalText("ééééééé", 5), "éééé…");
}

TEST(TerminalSinkTest, WritesWholeLinesUntilNobodyReads) {
  FinishedRuns runs;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  TerminalSink sink(ends[1]);
  ::close(ends[1]);  // the sink has its own copy
  AdvanceReport report;
  report.advance = runs.MakeAdvance({{"a", "b", {}}}, At(300));
  sink.Complete(report);
  std::string read(1000, '\0');
  read.resize(static_cast<std::size_t>(::read(ends[0], read.data(), read.size())));
  EXPECT_THAT(read, ::testing::StartsWith("last-5m 1970-01-01 00:00:00–00:05:00"));
  EXPECT_EQ(read.back(), '\n');
  ::close(ends[0]);
  sink.Complete(report);  // nobody reads: no error, no signal
  EXPECT_TRUE(sink.Flush().ok());
}

TEST(TerminalSinkTest, AClosedDescriptorIsNoError) {
  FinishedRuns runs;
  TerminalSink sink(-1);
  AdvanceReport report;
  report.advance = runs.MakeAdvance({}, At(300));
  sink.Complete(report);
  EXPECT_TRUE(sink.Flush().ok());
}

}  // namespace
}  // namespace sash
