// What a daemon exports of its jobs: their runs, times and the numbers of their results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "tests/daemon/metrics/measured_daemon.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using DaemonMetricsTest = MeasuredDaemon;

TEST_F(DaemonMetricsTest, TheTimeThatAJobWaitsForTheRunsOfOthersIsShown) {
  const std::string series =
      "sash_job_waiting_seconds{job=\"shape\",kernel=\"window\",window=\"now\"}";
  std::string during;  // a run of another job
  daemon_.on_run = [&](const RunResult& result) {
    if (result.job != "ranks") return;
    constexpr int kMostLooks = 10'000;  // the first finds more than 0 unless the clock is coarse
    for (int i = 0; i < kMostLooks && (during = Value(series)) == "0"; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  daemon_.Add(std::string("a"), std::string("b"), 1);
  daemon_.EndSource();
  EXPECT_GT(std::stod(during), 0);
  EXPECT_EQ(Value(series), "0");
}

TEST_F(DaemonMetricsTest, HasTheNumbersOfEachJobsNewestDueResult) {
  const auto value = [this](const std::string& job, const std::string& figure) {
    return Value("sash_result_value{job=\"" + job + "\",figure=\"" + figure + "\"}");
  };
  EXPECT_EQ(value("reach", "reached"), "absent") << "there is no result yet";
  EXPECT_EQ(Value("sash_result_error{job=\"reach\"}"), "absent");
  for (int i = 0; i < 3; ++i) daemon_.Add(std::string("a"), "v" + std::to_string(i), i * 10 + 1);
  daemon_.EndSource();
  EXPECT_EQ(value("reach", "reached"), "2");
  EXPECT_EQ(value("shape", "pairs"), "1");
  EXPECT_EQ(value("split", "reached"), "absent") << "several traversals have no common figure";
  EXPECT_EQ(value("split", "edges"), "1");
  EXPECT_EQ(Value("sash_result_error{job=\"reach\"}"), "0");
  EXPECT_EQ(Value("sash_result_end_timestamp_seconds{job=\"reach\"}"), "1767225630");

  RunResult other = *daemon_.history.Latest("shape")->result;
  std::get<ShapeOutput>(other.output).pairs = 7;
  other.triggered = true;
  metrics_.RunObserved(other);
  EXPECT_EQ(value("shape", "pairs"), "1") << "a triggered result is not due";
  other.triggered = false;
  metrics_.RunObserved(other);
  EXPECT_EQ(value("shape", "pairs"), "7");
  std::get<ShapeOutput>(other.output).overflowed_edges = 1;
  metrics_.RunObserved(other);
  EXPECT_EQ(value("shape", "pairs"), "absent");
  EXPECT_EQ(Value("sash_result_error{job=\"shape\"}"), "1");
  EXPECT_EQ(Value("sash_result_end_timestamp_seconds{job=\"shape\"}"), "1767225630");
}

TEST_F(DaemonMetricsTest, TheNumbersOfARemovedJobAreGone) {
  daemon_.Add(std::string("a"), std::string("b"), 1);
  daemon_.EndSource();
  const std::string pairs = "sash_result_value{job=\"shape\",figure=\"pairs\"}";
  EXPECT_EQ(Value(pairs), "1");
  const JobSpec shape = *daemon_.scheduler.Find("shape");
  ASSERT_TRUE(daemon_.scheduler.RemoveJob("shape"));
  metrics_.JobLeft("shape");
  EXPECT_THAT(metrics_.MetricsText(), Not(HasSubstr("job=\"shape\"")));
  ASSERT_TRUE(daemon_.scheduler.AddJob(shape));
  EXPECT_EQ(Value(pairs), "absent") << "the new job of this name has no result";
}

TEST_F(DaemonMetricsTest, TheTimeOfAdvancesAndRunsIsThatOfTheirPhases) {
  const auto seconds = [&](const std::string& metric, const std::string& labels,
                           const std::vector<std::string>& phases) {
    double sum = 0;
    for (const std::string& phase : phases) {
      const double one = std::stod(Value(metric + "{" + labels + ",phase=\"" + phase + "\"}"));
      EXPECT_GE(one, 0) << phase;
      sum += one;
    }
    return sum;
  };
  const auto advances = [&](const std::vector<std::string>& phases) {
    return seconds("sash_window_advance_phase_seconds_total", "window=\"now\"", phases);
  };
  const std::string ranks = "job=\"ranks\",kernel=\"pagerank\",window=\"now\"";
  const auto runs = [&](const std::vector<std::string>& phases) {
    return seconds("sash_job_phase_seconds_total", ranks, phases);
  };
  EXPECT_EQ(advances({"waiting", "freezing", "other"}), 0)
      << "series exist before the first advance";
  EXPECT_EQ(runs({"waiting", "computing", "delivering"}), 0);
  for (int i = 0; i < 3; ++i) daemon_.Add(std::string("a"), "v" + std::to_string(i), i * 10 + 1);
  daemon_.EndSource();
  EXPECT_NEAR(
      advances({"freezing", "sorting", "entering", "ageing", "publishing", "releasing", "other"}),
      std::stod(Value("sash_window_advance_seconds_sum{window=\"now\"}")), 1e-8);
  EXPECT_GT(advances({"publishing"}), 0);
  EXPECT_NEAR(runs({"preparing", "computing", "finishing"}),
              std::stod(Value("sash_job_seconds_sum{" + ranks + "}")), 1e-8);
  EXPECT_GT(runs({"computing"}), 0);
}

}  // namespace
}  // namespace sash
