// What a daemon exports of its process, source, windows and sinks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "daemon/metrics/metric_catalogue.h"
#include "tests/daemon/metrics/measured_daemon.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using DaemonMetricsTest = MeasuredDaemon;

TEST_F(DaemonMetricsTest, EveryMetricOfTheCatalogueHasHelpAndType) {
  const std::string text = metrics_.MetricsText();
  std::set<std::string_view> names;
  for (const MetricDescription& metric : MetricCatalogue()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_FALSE(metric.help.empty()) << metric.name;
    EXPECT_THAT(text, HasSubstr("# HELP " + std::string(metric.name) + " " +
                                std::string(metric.help) + "\n"));
    EXPECT_THAT(text, HasSubstr("# TYPE " + std::string(metric.name) + " "));
  }
}

TEST_F(DaemonMetricsTest, SaysWhatRuns) {
  EXPECT_THAT(
      metrics_.MetricsText(),
      HasSubstr("sash_build_info{version=\"1.2.3\",compiler=\"GCC 12\",librdkafka=\"2.0.2\","
                "microhttpd=\"0.9.75\",jemalloc=\"\"} 1\n"));
}

TEST_F(DaemonMetricsTest, TheReadmeListsWhatIsExported) {
  std::string table;
  for (const MetricDescription& metric : MetricCatalogue()) {
    constexpr std::array<const char*, 3> kKinds = {"counter", "gauge", "histogram"};
    std::string labels;
    for (const std::string_view label : metric.labels) {
      labels += (labels.empty() ? "" : ", ") + std::string(label);
    }
    table += "| `" + std::string(metric.name) + "` | " +
             kKinds[static_cast<std::size_t>(metric.kind)] + " | " + labels + " | " +
             std::string(metric.help) + " |\n";
  }
  std::ifstream file(SASH_METRICS_README);
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(readme, HasSubstr(table))
      << "the table of " << SASH_METRICS_README << " must hold exactly these rows";
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = readme.find("\n| `", at)) != std::string::npos; ++at) ++rows;
  EXPECT_EQ(rows, MetricCatalogue().size());
}

TEST_F(DaemonMetricsTest, TranslatesTheSource) {
  EXPECT_EQ(Value("sash_source_records_total"), "12");
  EXPECT_EQ(Value("sash_source_bytes_total"), "340");
  EXPECT_EQ(Value("sash_source_filtered_total"), "2");
  EXPECT_EQ(Value("sash_source_unmapped_total"), "3");
  EXPECT_EQ(Value("sash_source_mapped_total{mapping=\"paid\",outcome=\"accepted\"}"), "7");
  EXPECT_EQ(Value("sash_source_mapped_total{mapping=\"paid\",outcome=\"filtered\"}"), "8");
  EXPECT_EQ(Value("sash_source_mapped_total{mapping=\"paid\",outcome=\"refused\"}"), "9");
  EXPECT_EQ(Value("sash_source_ready"), "1");
  EXPECT_EQ(Value("sash_source_lag_records{topic=\"t\",partition=\"0\"}"), "3");
  EXPECT_EQ(Value("sash_source_lag_records{topic=\"t\",partition=\"1\"}"), "absent");
  EXPECT_EQ(Value("sash_source_paused{topic=\"t\",partition=\"0\"}"), "1");
  EXPECT_EQ(Value("sash_source_refused_total{reason=\"late\"}"), "4");
  EXPECT_EQ(Value("sash_dead_letters_rotated_total"), "5");
  EXPECT_EQ(Value("sash_dead_letters_lost_total"), "6");
  for (std::size_t i = 0; i < kRefusalReasons; ++i) {
    const std::string reason(Name(static_cast<RefusalReason>(i)));
    if (reason == "late") continue;
    EXPECT_EQ(Value("sash_source_refused_total{reason=\"" + reason + "\"}"), "0");
  }
  daemon_.source_status.not_ready = {"no broker"};
  EXPECT_EQ(Value("sash_source_ready"), "0");
}

TEST_F(DaemonMetricsTest, WindowsAndJobsAreThereBeforeTheFirstAdvance) {
  EXPECT_EQ(Value("sash_window_edges{window=\"now\"}"), "0");
  EXPECT_EQ(Value("sash_window_advance_seconds_count{window=\"sums\"}"), "0");
  EXPECT_EQ(Value("sash_window_end_timestamp_seconds{window=\"now\"}"), "absent");
  EXPECT_EQ(Value("sash_engine_watermark_lag_seconds"), "absent");
  EXPECT_EQ(Value("sash_job_runs_total{job=\"ranks\",kernel=\"pagerank\",window=\"now\"}"), "0");
}

TEST_F(DaemonMetricsTest, FollowsTheEngine) {
  for (int i = 0; i < 3; ++i) daemon_.Add(std::string("a"), "v" + std::to_string(i), i * 10 + 1);
  daemon_.EndSource();
  EXPECT_EQ(Value("sash_engine_events_accepted_total{operation=\"add\"}"), "3");
  EXPECT_EQ(Value("sash_dictionary_live_vertices"), "2");
  EXPECT_EQ(Value("sash_dictionary_types"), "0");
  EXPECT_EQ(Value("sash_window_advances_total{window=\"now\"}"), "3");
  EXPECT_EQ(Value("sash_window_advance_seconds_count{window=\"now\"}"), "3");
  EXPECT_EQ(Value("sash_window_advance_seconds_bucket{window=\"now\",le=\"+Inf\"}"), "3");
  EXPECT_EQ(Value("sash_window_edges{window=\"now\"}"), "1");
  EXPECT_EQ(Value("sash_window_vertices{window=\"now\"}"), "2");
  EXPECT_EQ(Value("sash_window_end_timestamp_seconds{window=\"now\"}"), "1767225630");
  EXPECT_THAT(Value("sash_engine_watermark_timestamp_seconds"), Not("absent"));
  const std::string ranks = "{job=\"ranks\",kernel=\"pagerank\",window=\"now\"}";
  EXPECT_EQ(Value("sash_job_runs_total" + ranks), "3");
  EXPECT_EQ(Value("sash_job_seconds_count" + ranks), "3");
  EXPECT_EQ(Value("sash_job_running" + ranks), "0");
  EXPECT_EQ(Value("sash_sink_failures_total{sink=\"file:\\\"r\\\".jsonl\"}"), "1");
  const auto kafka = [this](const std::string& metric) {
    return Value("sash_sink_" + metric + "{sink=\"kafka:r\"}");
  };
  EXPECT_EQ(kafka("delivered_total"), "9");
  EXPECT_EQ(kafka("retries_total"), "2");
  EXPECT_EQ(kafka("refused_total"), "3");
  EXPECT_EQ(kafka("dropped_total"), "4");
  EXPECT_EQ(kafka("waiting_results"), "7");
  EXPECT_EQ(kafka("outbox_bytes"), "4000");
  EXPECT_EQ(kafka("outbox_limit_bytes"), "9000");
  EXPECT_EQ(kafka("ready"), "0");
  EXPECT_EQ(kafka("transactions_total"), "11");
  EXPECT_EQ(kafka("aborted_transactions_total"), "12");
  EXPECT_EQ(kafka("skipped_total"), "13");
  EXPECT_EQ(Value("sash_sink_terminal_lines_total{result=\"written\"}"), "14");
  EXPECT_EQ(Value("sash_sink_terminal_lines_total{result=\"left_out\"}"), "15");
}

TEST_F(DaemonMetricsTest, ExportsAreCountedByFolderAndWindow) {
  const auto frozen = [this](const std::string& what, const std::string& further) {
    return Value("sash_export_" + what + "{export=\"frozen:/dev/shm/s\"" + further + "}");
  };
  EXPECT_EQ(frozen("bytes", ""), "8192");
  EXPECT_EQ(frozen("limit_bytes", ""), "65536");
  EXPECT_EQ(frozen("snapshots", ""), "2");
  EXPECT_EQ(frozen("overdue_snapshots", ""), "1");
  EXPECT_EQ(frozen("failing", ""), "1");
  EXPECT_EQ(frozen("written_total", ",window=\"w\""), "21");
  EXPECT_EQ(frozen("skipped_total", ",window=\"w\",reason=\"newer\""), "22");
  EXPECT_EQ(frozen("skipped_total", ",window=\"w\",reason=\"limit\""), "23");
  EXPECT_EQ(frozen("failures_total", ",window=\"w\""), "24");
  EXPECT_EQ(frozen("last_seconds", ",window=\"w\""), "0.25");
  EXPECT_EQ(frozen("written_total", ",window=\"v\""), "0");
}

TEST_F(DaemonMetricsTest, HowLateEventsWereIsAHistogramFromSecondsToDays) {
  const std::string lateness = "sash_engine_lateness_seconds";
  EXPECT_EQ(Value(lateness + "_count"), "0");
  daemon_.Add(std::string("a"), std::string("b"), 100'000);
  daemon_.Process();
  for (const double seconds : {99'990., 99'940., 10'000.}) {
    daemon_.Add(std::string("a"), std::string("b"), seconds);
  }
  daemon_.Process();
  EXPECT_EQ(Value(lateness + "_count"), "3");
  EXPECT_EQ(Value("sash_engine_late_total"), "3");
  EXPECT_EQ(Value(lateness + "_sum"), "90070");
  EXPECT_EQ(Value(lateness + "_bucket{le=\"5\"}"), "0");
  EXPECT_EQ(Value(lateness + "_bucket{le=\"10\"}"), "1")
      << "a value equal to the bound is in its bucket";
  EXPECT_EQ(Value(lateness + "_bucket{le=\"60\"}"), "2");
  EXPECT_EQ(Value(lateness + "_bucket{le=\"86400\"}"), "2");
  EXPECT_EQ(Value(lateness + "_bucket{le=\"172800\"}"), "3");
}

TEST_F(DaemonMetricsTest, CountsTheLivesOfVertices) {
  AdvancePtr held;
  daemon_.on_advance = [&](const AdvancePtr& advance) {
    if (!held) held = advance;
  };
  const auto feed = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      daemon_.Add("a" + std::to_string(i), "b" + std::to_string(i), i * 10 + 1);
      daemon_.Process();
    }
  };
  feed(0, 20);
  EXPECT_EQ(Value("sash_dictionary_vertices"), "40") << "the held advance keeps all keys";
  EXPECT_EQ(Value("sash_dictionary_live_vertices"), "4")
      << "keys of the window and of the open slice";
  EXPECT_EQ(Value("sash_dictionary_waiting_vertices"), "36");
  EXPECT_EQ(Value("sash_dictionary_recycled_total"), "0");
  const double bytes = std::stod(Value("sash_dictionary_bytes"));
  EXPECT_GE(bytes, static_cast<double>(daemon_.keys.bytes() + daemon_.stats.lifetimes_bytes));
  held.reset();
  feed(20, 22);
  EXPECT_EQ(Value("sash_dictionary_live_vertices"), "4");
  EXPECT_GT(std::stod(Value("sash_dictionary_recycled_total")), 30);
  EXPECT_LT(std::stod(Value("sash_dictionary_vertices")), 10);
}

TEST_F(DaemonMetricsTest, CountsPinnedViews) {
  std::vector<AdvancePtr> held;
  daemon_.on_advance = [&](const AdvancePtr& advance) {
    metrics_.AdvanceObserved(advance);
    if (advance->provenance.window == "now") held.push_back(advance);
  };
  for (int i = 0; i < 3; ++i) daemon_.Add(std::string("a"), std::string("b"), i * 10 + 1);
  daemon_.EndSource();
  EXPECT_EQ(Value("sash_views_pinned{window=\"now\"}"), "2");
  EXPECT_THAT(Value("sash_views_oldest_pin_age_seconds{window=\"now\"}"), Not("0"));
  held.clear();
  EXPECT_EQ(Value("sash_views_pinned{window=\"now\"}"), "0");
}

TEST_F(DaemonMetricsTest, AccountsForMemoryByPart) {
  const auto part = [&](const std::string& name) {
    return std::stod(Value("sash_memory_bytes{part=\"" + name + "\"}"));
  };
  EXPECT_EQ(part("results"), 0);
  for (int i = 0; i < 100; ++i) daemon_.Add(std::string("a"), "v" + std::to_string(i), i);
  daemon_.Process();
  EXPECT_GT(part("open_slices"), 0);
  EXPECT_GT(part("lists"), 100 * 8);
  EXPECT_GT(part("vertex_tables"), 0);
  EXPECT_GT(part("events"), 0) << "the window sums keeps slices";
  EXPECT_GT(part("dictionary"), 0);
  EXPECT_GT(part("results"), 0);
  EXPECT_EQ(part("buffers"), 0);
  EXPECT_EQ(part("index"), 0) << "no list is long";
}

TEST_F(DaemonMetricsTest, SaysHowMemoryStandsToItsLimit) {
  memory_ = {.used = 70, .shared = 8192, .limit = {}, .allocated = {}, .state = 0};
  EXPECT_EQ(Value("sash_memory_used_bytes"), "70");
  EXPECT_EQ(Value("sash_memory_shared_bytes"), "8192");
  EXPECT_EQ(Value("sash_memory_limit_bytes"), "absent");
  EXPECT_EQ(Value("sash_memory_allocated_bytes"), "absent");
  memory_ = {.used = 96, .limit = 100, .allocated = 90, .state = 2};
  EXPECT_EQ(Value("sash_memory_limit_bytes"), "100");
  EXPECT_EQ(Value("sash_memory_allocated_bytes"), "90");
  EXPECT_EQ(Value("sash_memory_state"), "2");
  EXPECT_EQ(Value("sash_config_reloads_total{result=\"success\"}"), "3");
  EXPECT_EQ(Value("sash_config_reloads_total{result=\"failure\"}"), "2");
  EXPECT_EQ(Value("sash_config_last_reload_success"), "0");
}

TEST_F(DaemonMetricsTest, CountsTheLinesOfTheLogByEvent) {
  EXPECT_EQ(Value("sash_log_lines_total{event=\"kafka.brokers.lost\"}"), "40");
  EXPECT_EQ(Value("sash_log_held_back_total{event=\"kafka.brokers.lost\"}"), "15");
}

TEST_F(DaemonMetricsTest, SaysHowCheckpointsStandWhenThereAreAny) {
  EXPECT_EQ(Value("sash_checkpoint_writes_total"), "absent");
  checkpoints_ = {.checkpoints = 3,
                  .failures = 2,
                  .seconds = 0.5,
                  .written = 900,
                  .bytes = 500,
                  .waiting_slices = 4,
                  .age_seconds = 1.5,
                  .recovery_seconds = 2.5};
  journal_ = {.rounds = 70, .bytes = 4000, .failures = 1};
  EXPECT_EQ(Value("sash_checkpoint_writes_total"), "3");
  EXPECT_EQ(Value("sash_checkpoint_failures_total"), "2");
  EXPECT_EQ(Value("sash_checkpoint_seconds_total"), "0.5");
  EXPECT_EQ(Value("sash_checkpoint_written_bytes_total"), "900");
  EXPECT_EQ(Value("sash_checkpoint_bytes"), "500");
  EXPECT_EQ(Value("sash_checkpoint_waiting_slices"), "4");
  EXPECT_EQ(Value("sash_checkpoint_age_seconds"), "1.5");
  EXPECT_EQ(Value("sash_recovery_seconds"), "2.5");
  EXPECT_EQ(Value("sash_journal_rounds_total"), "70");
  EXPECT_EQ(Value("sash_journal_written_bytes_total"), "4000");
  EXPECT_EQ(Value("sash_journal_failures_total"), "1");
}

TEST_F(DaemonMetricsTest, AccountsForTheProcess) {
  EXPECT_GT(std::stod(Value("process_start_time_seconds")), 1.6e9);
  EXPECT_GT(std::stod(Value("process_resident_memory_bytes")), 1e6);
  EXPECT_GE(std::stod(Value("process_threads")), 2);
  const double before = std::stod(Value("process_open_fds"));
  EXPECT_GE(before, 3);
  const std::ifstream one_more("/dev/null");
  EXPECT_EQ(std::stod(Value("process_open_fds")), before + 1);
}

TEST_F(DaemonMetricsTest, CanBeReadWhileTheEngineRuns) {
  std::atomic<bool> ended = false;
  std::jthread reading([&] {
    while (!ended) EXPECT_THAT(metrics_.MetricsText(), HasSubstr("sash_build_info"));
  });
  for (int i = 0; i < 50; ++i) {
    daemon_.Add(std::string("a"), "v" + std::to_string(i), i * 10 + 1);
    daemon_.Process();
  }
  ended = true;
}

// promtool_test.py checks the same scrape: it names a file for it.
TEST_F(DaemonMetricsTest, AScrapeIsWholeLines) {
  daemon_.Add(std::string("a"), std::string("b"), 1);
  daemon_.EndSource();
  const std::string text = metrics_.MetricsText();
  EXPECT_TRUE(text.starts_with("# HELP "));
  EXPECT_EQ(text.back(), '\n');
  EXPECT_THAT(text, Not(HasSubstr("\n\n")));
  if (const char* path = std::getenv("SASH_SCRAPE")) std::ofstream(path) << text;
}

}  // namespace
}  // namespace sash
