// MeasuredDaemon: a fixture with the metrics of a small daemon. Its sinks, exports and other
// surroundings report fixed numbers.
//
// Thread safety: belongs to the test's thread.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "daemon/metrics/daemon_metrics.h"
#include "tests/daemon/http/tiny_daemon.h"

namespace sash {

class MeasuredDaemon : public ::testing::Test {
 protected:
  MeasuredDaemon()
      : metrics_(
            {.engine = daemon_.engine,
             .stats = daemon_.stats,
             .progress = daemon_.progress,
             .jobs = daemon_.scheduler,
             .keys = daemon_.keys,
             .buffer = daemon_.queue,
             .history = daemon_.history,
             .clock = daemon_.clock,
             .build = {.version = "1.2.3",
                       .compiler = "GCC 12",
                       .librdkafka = "2.0.2",
                       .microhttpd = "0.9.75",
                       .jemalloc = ""},
             .source = [this] { return daemon_.source_status; },
             .refused = [this] { return refused_; },
             .dead_letters = [] { return DeadLetterCounts{.rotated = 5, .lost = 6}; },
             .delivery =
                 [] {
                   return std::vector<DeliveryCounts>{{"file:\"r\".jsonl", 5, 1}};
                 },
             .sinks =
                 [] {
                   return SinkCounts{.kafka = {{.topic = "r",
                                                .sink = "kafka:r",
                                                .delivered = 9,
                                                .retries = 2,
                                                .refused = 3,
                                                .dropped = 4,
                                                .waiting = 7,
                                                .outbox_bytes = 4000,
                                                .outbox_limit_bytes = 9000,
                                                .ready = false,
                                                .transactions = {{11, 12, 13}}}},
                                     .terminal = TerminalCounts{.written = 14, .left_out = 15}};
                 },
             .exports =
                 [] {
                   return std::vector<ExportCounts>{{.name = "frozen:/dev/shm/s",
                                                     .bytes = 8192,
                                                     .limit_bytes = 65536,
                                                     .snapshots = 2,
                                                     .overdue = 1,
                                                     .is_failing = true,
                                                     .windows = {{.window = "w",
                                                                  .written = 21,
                                                                  .replaced = 22,
                                                                  .beyond_limit = 23,
                                                                  .failures = 24,
                                                                  .last_seconds = 0.25},
                                                                 {.window = "v"}}}};
                 },
             .memory = [this] { return memory_; },
             .checkpoints = [this] { return checkpoints_; },
             .journal = [this] { return journal_; },
             .reloads =
                 [] { return ReloadCounts{.succeeded = 3, .failed = 2, .last_succeeded = false}; },
             .http =
                 [] {
                   return HttpCounts{.listeners = {{"api", 7, 3, 1}, {"metrics", 2, 0, 0}},
                                     .missing_tokens = 4,
                                     .wrong_tokens = 5};
                 },
             .log =
                 [] {
                   return std::vector<LogCounts>{
                       {.event = "kafka.brokers.lost", .lines = 40, .held_back = 15}};
                 }}) {
    daemon_.on_advance = [this](const AdvancePtr& advance) { metrics_.AdvanceObserved(advance); };
    daemon_.on_run = [this](const RunResult& result) { metrics_.RunObserved(result); };
    daemon_.source_status = {.kind = "kafka",
                             .address = "",
                             .records = 12,
                             .bytes = 340,
                             .filtered = 2,
                             .unmapped = 3,
                             .mappings = {{"paid", 7, 8, 9}},
                             .partitions = {{"t", 0, 5, 8, true}, {"t", 1, 2, std::nullopt, false}},
                             .not_ready = {}};
    refused_[static_cast<std::size_t>(RefusalReason::kLate)] = 4;
  }

  // The value in the line of `series`; "absent" without such a line.
  std::string Value(const std::string& series) {
    std::istringstream lines(metrics_.MetricsText());
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(series + " ")) return line.substr(series.size() + 1);
    }
    return "absent";
  }

  TinyDaemon daemon_;
  std::array<std::uint64_t, kRefusalReasons> refused_{};
  MemoryCounts memory_;
  std::optional<CheckpointCounts> checkpoints_;
  std::optional<JournalFigures> journal_;
  DaemonMetrics metrics_;
};

}  // namespace sash
