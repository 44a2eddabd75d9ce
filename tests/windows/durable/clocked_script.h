// Random scripts in which clocks and arrival decide much, and readers of their records. Each run
// reads the records in its own order and with its own arrival times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/engine_harness.h"
#include "tests/support/script_writer.h"

namespace sash::testing {

// With `chains`, a script with ids may depend on edges from any time before (ScriptWriter::AddIds):
// only a checkpoint has these.
inline Script ClockedScript(std::uint64_t seed, bool chains) {
  Script script = ScriptWriter(seed).Write();
  std::mt19937_64 random(seed);
  script.policy.idle_after = std::chrono::milliseconds(500 + 500 * static_cast<int>(random() % 4));
  script.policy.on_silence = random() % 2 == 0 ? SilencePolicy::kHold : SilencePolicy::kClock;
  script.policy.check_ahead = random() % 4 == 0;
  script.policy.ahead_limit = std::chrono::milliseconds(static_cast<int>(random() % 3000));
  script.windows.push_back({.name = "numbered",
                            .by = WindowAxis::kEvents,
                            .length = 6,
                            .slide = 1 + static_cast<std::int64_t>(random() % 3) / 2 * 2});
  script.windows.back().length = 3 * script.windows.back().slide;
  script.windows.push_back({.name = "clock",
                            .by = WindowAxis::kProcessingTime,
                            .length = 3'000'000'000,
                            .slide = 1'000'000'000,
                            .offset = seed % 2 == 0 ? 0 : 250'000'000});
  if (seed % 4 == 3) ScriptWriter(seed).AddFilters(script);
  if (seed % 8 >= 6) {
    ScriptWriter(seed).AddIds(script, chains);
    // A clock may move a late edge to a slice that begins at any time after it.
    if (!chains && script.policy.late == LatePolicy::kNextSlice) {
      script.policy.late = LatePolicy::kDeadLetter;
    }
  }
  if (seed % 3 == 1) ScriptWriter(seed).AddTypes(script);
  return script;
}

// The records as a broker keeps them.
struct KeptRecords {
  explicit KeptRecords(const Script& script) : of(script.partitions), there(script.partitions) {
    for (const ScriptRecord& record : script.records) of[record.partition].push_back(record);
  }
  std::vector<std::vector<ScriptRecord>> of;  // by partition
  std::vector<std::size_t> there;             // number of records that some run has read
};

// The reading position of one run.
class RecordReader {
 public:
  // `with_times`: records carry no event time; their arrival time counts.
  RecordReader(KeptRecords& kept, bool with_times, std::mt19937_64& random)
      : kept_(kept), with_times_(with_times), random_(random), next_(kept.of.size()) {}

  void GoTo(PartitionIndex partition, std::int64_t offset) {
    const auto& records = kept_.of[partition];
    next_[partition] = static_cast<std::size_t>(
        std::ranges::lower_bound(records, offset, {}, &ScriptRecord::offset) - records.begin());
  }

  // Reads a few sequences of records from some partitions.
  void ReadSome(const EngineHarness& harness, EventBatch& batch) {
    for (std::uint64_t runs = random_() % 5; runs > 0; --runs) {
      ReadSome(static_cast<PartitionIndex>(random_() % next_.size()), harness, batch);
    }
  }

  void ReadSome(PartitionIndex partition, const EngineHarness& harness, EventBatch& batch) {
    const auto& records = kept_.of[partition];
    std::size_t& next = next_[partition];
    for (std::uint64_t run = random_() % 6; run > 0 && next < records.size(); --run) {
      for (const std::size_t end = WholeRecords(records, next + 1); next < end; ++next) {
        ScriptRecord record = records[next];
        if (with_times_) record.time += static_cast<std::int64_t>(random_() % 1'000'000'000);
        harness.Append(record, batch);
      }
    }
    std::size_t& there = kept_.there[partition];
    there = std::max(there, next);
    if (next == records.size() || (next == there && random_() % 16 == 0)) {
      batch.AddMark(Mark::Kind::kCaughtUp, partition);
    } else if (random_() % 16 == 0) {
      batch.AddMark(Mark::Kind::kBehind, partition);
    }
  }

  bool AtEnd() const {
    for (std::size_t p = 0; p < next_.size(); ++p) {
      if (next_[p] < kept_.of[p].size()) return false;
    }
    return true;
  }

 private:
  KeptRecords& kept_;
  const bool with_times_;
  std::mt19937_64& random_;
  std::vector<std::size_t> next_;  // by partition
};

}  // namespace sash::testing
