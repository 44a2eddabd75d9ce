#include "daemon/forecast/memory_forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/forecast/capacity_report.h"
#include "daemon/forecast/measured_bytes.h"
#include "daemon/memory/memory_budget.h"
#include "tests/daemon/forecast/forecast_config.h"
#include "tests/daemon/probe/found.h"
#include "windows/jobs/run_result.h"

namespace sash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::ForecastWindowSpec;
using ::testing::HasSubstr;
using testing::kSecond;
using testing::ShapeOf;
using ::testing::StartsWith;

constexpr std::uint64_t kGibibyte = 1ull << 30;

Config LiveByTime(std::optional<std::int64_t> length = 60 * kSecond) {
  Config config = testing::LiveConfig();
  config.windows = {ForecastWindowSpec("w", length, kSecond)};
  return config;
}

TEST(MemoryForecastTest, BytesAreThoseOfEdgesVerticesAndKeys) {
  const Config config = LiveByTime();
  const MeasuredBytes kept = KeptBytes(config.windows[0].store());
  const ForecastBytes bytes = ForecastWindow(config, config.windows[0], 8000);
  EXPECT_DOUBLE_EQ(bytes.held,
                   8000 * kept.edge + 1000 * (kept.vertex + KeyBytes(KeyKind::kString)));
  EXPECT_DOUBLE_EQ(bytes.moment, 0);
}

TEST(MemoryForecastTest, WeightsRunsAndRebuildingCostMore) {
  Config config = LiveByTime();
  const auto bytes = [&] { return ForecastWindow(config, config.windows[0], 1e6); };
  const ForecastBytes plain = bytes();
  config.jobs = {ShapeOf("other")};
  config.jobs[0].parameters = PageRankParameters{};
  EXPECT_DOUBLE_EQ(bytes().moment, 0) << "a job on another window";
  config.jobs[0].window = "w";
  EXPECT_GT(bytes().moment, 1e6);
  EXPECT_DOUBLE_EQ(bytes().held, plain.held);
  config.jobs.clear();
  config.windows[0].implementation = StoreKind::kRebuild;
  EXPECT_GT(bytes().moment, 1e6);
  config.windows[0].implementation = StoreKind::kMultiversioned;
  std::get<JsonMapping>(config.source.format.mapping).weight = "/w";
  EXPECT_GT(bytes().held, plain.held + 20e6);
}

TEST(MemoryForecastTest, VectorsOfEarlierResultsCount) {
  Config config = LiveByTime();
  config.jobs = {ShapeOf("w")};
  config.jobs[0].parameters = DegreeParameters();
  const auto held = [&] { return ForecastWindow(config, config.windows[0], 8e6).held; };
  const double without = held();
  config.jobs[0].keep_vectors = 5;
  EXPECT_DOUBLE_EQ(held(), without + 5 * 12e6);
}

TEST(MemoryForecastTest, AsManyRunsCountAsThereAreRunners) {
  Config config = LiveByTime();
  const auto job = [](const std::string& window, JobParameters parameters) {
    JobSpec spec = ShapeOf(window);
    spec.parameters = std::move(parameters);
    return spec;
  };
  const auto moment = [&] { return ForecastWindow(config, config.windows[0], 1e6).moment; };
  config.jobs = {job("w", SccParameters())};
  const double scc = moment();
  config.jobs = {job("w", HitsParameters())};
  const double hits = moment();
  config.jobs.push_back(job("w", SccParameters()));
  EXPECT_DOUBLE_EQ(moment(), std::max(scc, hits)) << "one after the other";
  config.runners = 2;
  EXPECT_DOUBLE_EQ(moment(), scc + hits);
  config.runners = 3;
  EXPECT_DOUBLE_EQ(moment(), scc + hits);

  config.windows.push_back(ForecastWindowSpec("other", 60 * kSecond, kSecond));
  config.jobs[1].window = "other";
  const auto load = [&](std::size_t runners) {
    config.runners = runners;
    testing::Found told;
    TellLoad(config, 1e6, "of the last minute", std::nullopt, told.findings);
    return told.lines.back();
  };
  EXPECT_NE(load(1), load(2)) << "runs of different windows are under way at once, too";
  EXPECT_EQ(load(2), load(3));
  config.source.connector = ReplaySpec();
  EXPECT_EQ(load(2), load(1)) << "a replay has one runner";
}

TEST(MemoryForecastTest, TheEdgesThatALimitHoldsTakeWhatIsFreeOfIt) {
  const Config config = LiveByTime();
  const double edges = EdgesWithin(config, config.windows[0], kGibibyte);
  EXPECT_NEAR(ForecastWindow(config, config.windows[0], edges).total(),
              static_cast<double>(MemoryBudget(kGibibyte).slow_bytes()), 1000);
}

TEST(MemoryForecastTest, ARateFillsWindowsByTheirLength) {
  EXPECT_EQ(EdgesAtRate(LiveByTime(60 * kSecond).windows[0], 100), 6000);
  EXPECT_EQ(EdgesAtRate(LiveByTime(std::nullopt).windows[0], 100), std::nullopt);
  WindowSpec by_events = ForecastWindowSpec("e", 5000, 100);
  by_events.by = WindowAxis::kEvents;
  EXPECT_EQ(EdgesAtRate(by_events, 7), 5000);
}

TEST(MemoryForecastTest, WindowsThatShareAStoreArePaidForOnce) {
  Config config = LiveByTime();
  config.windows.push_back(ForecastWindowSpec("long", 600 * kSecond, kSecond));
  testing::Found found;
  TellCapacity(config, 8 * kGibibyte, found.findings);
  EXPECT_THAT(found.lines,
              ElementsAre("ok       windows[0] w: shares its edges with long, so it takes little "
                          "more memory",
                          AllOf(StartsWith("ok       windows[1] long: a million edges take about "),
                                HasSubstr("; of the limit 8GiB it may hold about "))));
  config.windows[0].implementation = StoreKind::kRebuild;
  testing::Found apart;
  TellCapacity(config, std::nullopt, apart.findings);
  ASSERT_EQ(apart.lines.size(), 2U);
  EXPECT_THAT(apart.lines[0], HasSubstr("windows[0] w: a million edges take about "));
  EXPECT_EQ(apart.lines[0].find("limit"), std::string::npos);
}

TEST(MemoryForecastTest, SpillingIsSaidToBeSlowOnGraphsWithHubs) {
  Config config = LiveByTime();
  config.memory.spill = "/var/tmp";
  testing::Found found;
  TellCapacity(config, std::nullopt, found.findings);
  ASSERT_EQ(found.lines.size(), 2U);
  EXPECT_THAT(found.lines[1], AllOf(StartsWith("warning  memory.spill: "), HasSubstr("83 times"),
                                    HasSubstr("9 minutes in one third")));
}

TEST(MemoryForecastTest, ARateThatDoesNotFitIsAWarning) {
  const Config config = LiveByTime();
  const auto told = [&](std::optional<std::uint64_t> limit) {
    testing::Found found;
    TellLoad(config, 100'000, "of the last minute", limit, found.findings);
    return found.lines;
  };
  const auto window = StartsWith(
      "ok       windows[0] w: at 100 thousand events/s (of the last minute) it holds about 6.0 "
      "million edges: about ");
  EXPECT_THAT(told(std::nullopt), ElementsAre(window, HasSubstr("there is no limit")));
  EXPECT_THAT(told(kGibibyte), ElementsAre(window, AllOf(StartsWith("ok       memory.limit: "),
                                                         HasSubstr(" of 1.00 GiB"))));
  EXPECT_THAT(told(kGibibyte / 8), ElementsAre(window, AllOf(StartsWith("warning  memory.limit: "),
                                                             HasSubstr("make windows shorter"))));
}

TEST(MemoryForecastTest, KeptResultsCount) {
  Config config = LiveByTime();
  config.source.format.keys = KeyKind::kInteger;
  config.jobs = {ShapeOf("w")};
  JobSpec& job = config.jobs[0];
  job.parameters = PageRankParameters{};
  job.top = 100'000;
  job.keep_results = 60;
  const double kept = KeptResultBytes(job, KeyKind::kInteger, 1e9);
  EXPECT_NEAR(kept, 60 * 100'000 * static_cast<double>(sizeof(RankedVertex)), 1e5);
  EXPECT_NEAR(KeptResultBytes(job, KeyKind::kInteger, 1000), kept / 100, 1e5)
      << "a window of fewer vertices lists fewer";
  EXPECT_GT(KeptResultBytes(job, KeyKind::kString, 1e9), 1.5 * kept);

  testing::Found found;
  TellCapacity(config, kGibibyte / 2, found.findings);
  ASSERT_EQ(found.lines.size(), 3U);
  EXPECT_THAT(found.lines[1], AllOf(StartsWith("ok       jobs[0] shape-w: the 60 results "),
                                    HasSubstr("of up to 100000 rows each (top), take up to 320")));
  EXPECT_THAT(found.lines[2], AllOf(StartsWith("warning  memory.limit: results that are kept"),
                                    HasSubstr("lower jobs[].keep_results or jobs[].top")));
  const auto within = [&] { return EdgesWithin(config, config.windows[0], kGibibyte); };
  const double with_results = within();
  job.keep_results = 1;
  EXPECT_GT(within(), 1.3 * with_results);

  const auto load = [&] {
    testing::Found told;
    TellLoad(config, 100'000, "of the last minute", kGibibyte / 2, told.findings);
    return told.lines.back();
  };
  EXPECT_THAT(load(), StartsWith("ok "));
  job.keep_results = 60;
  EXPECT_THAT(load(), StartsWith("warning  memory.limit: all windows and kept results together"));
  EXPECT_THAT(KeptResultBytes(ShapeOf("w"), KeyKind::kString, 1e9), ::testing::Lt(1e6));
}

TEST(MemoryForecastTest, ALandmarkWindowIsSaidToGrow) {
  testing::Found found;
  TellLoad(LiveByTime(std::nullopt), 10, "of the last minute", std::nullopt, found.findings);
  EXPECT_THAT(found.lines[0], HasSubstr("an hour, without end"));
}

}  // namespace
}  // namespace sash
