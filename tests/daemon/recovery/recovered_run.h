// One run of a process that restores its windows: a recovery, with a real engine and a real folder.
// The test takes the place of the source: record n is an edge that happens at second n.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/recovery/recovery.h"
#include "tests/support/engine_harness.h"
#include "tests/support/kept_log.h"
#include "tests/support/scratch_folder.h"

namespace sash {

// A folder for a state, which is removed at the end of the test.
class StateFolder {
 public:
  std::string state() const { return folder_.File("state"); }

 private:
  testing::ScratchFolder folder_;
};

// Topic `t` of a broker that is never asked; windows of 20 s, every 10 s.
inline Config RecoveredConfig(RecoveryConfig::Kind kind, const StateFolder& folder) {
  Config config;
  KafkaSpec kafka;
  kafka.brokers = "broker:9092";
  kafka.topics = {"t"};
  config.source.connector = kafka;
  config.source.format.mapping =
      JsonMapping{.source = "/from", .target = "/to", .weight = {}, .time = "/at", .operation = {}};
  config.source.time.disorder = Duration(0);
  config.source.time.check_ahead = false;
  WindowSpec window;
  window.name = "w";
  window.length = Duration(std::chrono::seconds(20)).count();
  window.slide = Duration(std::chrono::seconds(10)).count();
  config.windows = {window};
  config.recovery.kind = kind;
  config.recovery.path = folder.state();
  config.recovery.is_placed = true;
  return config;
}

class RecoveredRun {
 public:
  // `at`: both clocks at the start.
  explicit RecoveredRun(const Config& config, Duration at = {})
      : config_(config),
        harness_(config.windows, config.source.time, 0, config.source.format.keys,
                 [this](ClosedSlice slice) { recovery_->Add(std::move(slice)); }) {
    harness_.clock.Advance(at);
    harness_.on_advance = [this](AdvancePtr advance) {
      recovery_->BeforeAdvance();
      advances.push_back(std::move(advance));
    };
  }

  // Opens the folder and restores the engine.
  Status Recover() {
    Result<std::unique_ptr<Recovery>> opened =
        OpenRecovery(config_, {.keys = harness_.keys,
                               .partitions = harness_.partitions,
                               .clock = harness_.clock,
                               .log = log,
                               .commit = [this](const RewindPoint&) { ++commits; },
                               .committed = [] { return std::vector<RewindPosition>(); },
                               .make_durable = [] { return Status(Ok{}); },
                               .source = config_.source});
    if (!opened) return opened.error();
    recovery_ = std::move(opened).value();
    return recovery_->Recover(harness_.engine(), config_.windows);
  }

  // The stream begins, at the position that the recovery gives.
  void Begin() {
    partition_ = harness_.partitions.Index("t", 0);
    const auto resumed = recovery_->resume().find(TopicPartition{"t", 0});
    const bool goes_on = resumed != recovery_->resume().end();
    if (goes_on) next_ = resumed->second.next.value_or(0);
    EventBatch batch;
    batch.start = StreamStart{.partitions = {partition_}, .resumed = {}};
    batch.start->from_state = goes_on;
    if (!goes_on) batch.start->resumed.positions = {{partition_, 0, {}}};
    recovery_->Round(std::move(batch));
  }

  // Reads the records up to, but without, the offset `end`, in one round.
  void ReadUntil(std::int64_t end) {
    EventBatch batch;
    for (; next_ < end; ++next_) {
      EdgeEvent event;
      event.time = EventTime(std::chrono::seconds(next_));
      event.offset = next_;
      event.source = harness_.Key(next_, batch);
      event.target = harness_.Key(next_ + 1, batch);
      event.partition = partition_;
      batch.Add(event);
    }
    recovery_->Round(std::move(batch));
  }

  // Time passes without a record.
  void Wait(Duration time) {
    harness_.clock.Advance(time);
    recovery_->Round({});
  }

  // All results are safe, and the process ends.
  void End() {
    if (!advances.empty()) {
      recovery_->Delivered(advances.back()->number, advances.back()->rewind);
    }
    recovery_->Stop();
    recovery_->Finish();
  }

  // The edges of each published window, in order.
  std::vector<std::uint64_t> Edges() const {
    std::vector<std::uint64_t> edges;
    for (const AdvancePtr& advance : advances) edges.push_back(advance->provenance.edges);
    return edges;
  }
  bool Logged(const std::string& text) const {
    return std::ranges::any_of(
        log.lines(), [&](const std::string& line) { return line.find(text) != std::string::npos; });
  }
  Recovery& recovery() { return *recovery_; }
  testing::EngineHarness& harness() { return harness_; }

  KeptLog log;
  std::vector<AdvancePtr> advances;
  int commits = 0;

 private:
  const Config config_;
  std::unique_ptr<Recovery> recovery_;
  testing::EngineHarness harness_;
  PartitionIndex partition_ = 0;
  std::int64_t next_ = 0;
};

}  // namespace sash
