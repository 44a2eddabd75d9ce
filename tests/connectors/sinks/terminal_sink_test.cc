#include "connectors/sinks/terminal_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>
#include <string>

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
  tight.damping = 0;  // all scores are equal: 0.25
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

TEST(TerminalSinkTest, SaysOfEachKernelWhatMattersMost) {
  FinishedRuns runs;
  const auto before = runs.MakeAdvance({{"x", "y", {}}}, At(100));
  const auto advance =
      runs.MakeAdvance({{"b", "a", {}}, {"a", "c", {}}, {"c", "b", {}}, {"e", "d", {}}}, At(300));
  const auto empty = runs.MakeAdvance({}, At(300));
  const auto negative = runs.MakeAdvance({{"a", "b", Weight::Integer(-1)}}, At(300));
  const auto outcome = [&](JobParameters parameters, const AdvancePtr& on) {
    AdvanceReport report;
    report.advance = on;
    report.results = {
        WithSeconds(runs.Run(FinishedRuns::Job("job", std::move(parameters), 3), on, before), 1)};
    std::optional<std::chrono::sys_days> day;
    const std::string line = AdvanceLine(report, day);
    return line.substr(line.find("job 1 s: ") + 9);
  };
  const SsspParameters from_a{.roots = {"a"}};
  EXPECT_EQ(outcome(WccParameters(), advance), "2 components: a 3, d 2");
  EXPECT_EQ(outcome(WccParameters(), negative), "1 component: a 2");
  EXPECT_EQ(outcome(SccParameters(), advance), "3 components: a 3, d 1, e 1");
  EXPECT_EQ(outcome(CdlpParameters{1}, advance), "4 communities: a 2, b 1, d 1");
  EXPECT_EQ(outcome(from_a, advance), "3 reached: a 0, c 1, b 2");
  EXPECT_EQ(outcome(from_a, empty), "0 reached");
  EXPECT_EQ(outcome(from_a, negative), "1 negative edge");
  const auto far = runs.MakeAdvance(
      {{"a", "b", Weight::Real(std::numeric_limits<double>::infinity())}}, At(300));
  EXPECT_EQ(outcome(from_a, far),
            "1 reached: a 0; 1 vertex has a distance beyond the range of a double (1.8e308); it is "
            "not listed");
  EXPECT_EQ(
      outcome(ShapeParameters(), far),
      "1 pairs; 1 edge has a weight beyond the range of a double (1.8e308), as the sum of its "
      "copies; the total weight has no value");
  EXPECT_EQ(outcome(PageRankParameters{.damping = 0, .sources = {"d"}}, advance), "d 1, a 0, b 0");
  EXPECT_EQ(outcome(PageRankParameters{.sources = {"q"}}, advance),
            "the source is not in the window");
  EXPECT_EQ(outcome(HitsParameters(), advance), "a 0.25, b 0.25, c 0.25");
  EXPECT_EQ(outcome(HitsParameters{.weighted = true}, negative),
            "1 edge has a negative weight; hubs and authorities by weight need weights of at "
            "least 0");
  EXPECT_EQ(outcome(HitsParameters(), empty), "no vertices");
  EXPECT_EQ(outcome(TrianglesParameters(), advance), "triangles 1: a 1, b 1, c 1");
  EXPECT_EQ(outcome(KcoreParameters(), advance), "degeneracy 2: a 2, b 2, c 2");
  EXPECT_EQ(outcome(LccParameters(), advance), "a 0.5, b 0.5, c 0.5");
  EXPECT_EQ(outcome(ReciprocityParameters(), advance), "reciprocity 0: a 0, b 0, c 0");
  const auto loop = runs.MakeAdvance({{"a", "a", {}}}, At(300));
  EXPECT_EQ(outcome(ReciprocityParameters(), loop), "no vertex has a value");
  EXPECT_EQ(outcome(DegreeParameters(), advance), "a 2, b 2, c 2");
  const StrengthParameters net{StrengthDirection::kNet};
  EXPECT_EQ(outcome(StrengthParameters(), advance), "a 2, b 2, c 2");
  EXPECT_EQ(outcome(net, negative), "a 1, b -1");
  EXPECT_EQ(outcome(net, far),
            "2 vertices have a score beyond the range of a double (1.8e308); they are not listed");
  EXPECT_EQ(outcome(FanoutParameters(), advance), "a 1, b 1, c 1");
  EXPECT_EQ(outcome(FanoutParameters(), empty), "no vertices");
  EXPECT_EQ(outcome(NewEdgesParameters(), advance), "4 pairs: a→c, b→a, c→b");
  EXPECT_EQ(outcome(VanishedEdgesParameters(), advance), "1 pairs: x→y");
  const ExternalParameters rows{ExternalAnswers::kRows};
  EXPECT_EQ(outcome(rows, advance), "2 pairs: b→a 2.5, a→b -1");
  EXPECT_EQ(outcome(rows, empty), "0 pairs");
  EXPECT_EQ(outcome(CyclesParameters(), advance), "1 cycle: a→c→b→a");
  EXPECT_EQ(outcome(CyclesParameters{.max_length = 2}, advance), "0 cycles");
  EXPECT_EQ(outcome(PathsParameters{{"a"}, {"b", "a", "d"}}, advance), "2 reached: a, a→c→b");
  EXPECT_EQ(outcome(PathsParameters{{"a"}, {"d"}}, advance), "0 reached");
  EXPECT_EQ(outcome(EdgeFeaturesParameters(), advance), "4 entered: a→c, b→a, c→b");
  EXPECT_EQ(outcome(PathsParameters{{"a"}, {"b"}, PathMeasure::kWeight}, negative),
            "1 negative edge");
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
            "abc");                                    // changes the direction
  EXPECT_EQ(TerminalText("\xc2\xad", 24), "\\u00ad");  // invisible
  EXPECT_EQ(TerminalText("\xd8\x9c", 24), "\\u061c");  // changes the direction
  EXPECT_EQ(TerminalText("\xef\xbf\xb9", 24), "\\ufff9");
  EXPECT_EQ(TerminalText("\xf3\xa0\x81\x81", 24), "\\U000e0041");  // a tag, which is invisible
  EXPECT_EQ(TerminalText("\xff\xc3", 24), "\\xff\\xc3");           // not UTF-8
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

TerminalCounts CountsOf(const TerminalSink& sink) {
  SinkCounts counts;
  sink.AddCounts(counts);
  return counts.terminal.value_or(TerminalCounts());
}

TEST(TerminalSinkTest, AReaderThatTakesNothingHoldsNobody) {
  FinishedRuns runs;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  TerminalSink sink(ends[1]);
  AdvanceReport report;
  report.advance = runs.MakeAdvance({{"a", "b", {}}}, At(300));
  constexpr std::uint64_t kLines = 5000;  // more than a pipe's buffer
  for (std::uint64_t i = 0; i < kLines; ++i) sink.Complete(report);
  const std::uint64_t left_out = CountsOf(sink).left_out;
  EXPECT_GT(left_out, 0u);
  std::string read(1 << 20, '\0');
  read.resize(static_cast<std::size_t>(::read(ends[0], read.data(), read.size())));
  sink.Complete(report);  // finishes the line that was begun
  sink.Complete(report);
  ::close(ends[1]);
  EXPECT_EQ(CountsOf(sink).left_out, left_out);
  EXPECT_EQ(CountsOf(sink).written, kLines + 2 - left_out);
  std::string rest(1 << 20, '\0');
  rest.resize(static_cast<std::size_t>(::read(ends[0], rest.data(), rest.size())));
  ::close(ends[0]);
  std::istringstream lines(read + rest);
  std::uint64_t count = 0;
  std::uint64_t told = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    if (line.starts_with("(")) told += std::stoull(line.substr(1));
    EXPECT_THAT(line, ::testing::HasSubstr("1 edges, 2 vertices, 3.1 ms"));
  }
  EXPECT_EQ(told, left_out);
  EXPECT_EQ(count + left_out, kLines + 2);
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
