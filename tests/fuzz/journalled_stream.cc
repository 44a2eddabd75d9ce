#include "tests/fuzz/journalled_stream.h"

#include <utility>
#include <vector>

#include "tests/support/small_stream.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

using testing::CheckpointedEngine;
using testing::JournalledLife;
using testing::MemoryFolder;

// One window per axis, so that every use of a journal is covered.
std::vector<WindowSpec> Windows() {
  std::vector<WindowSpec> windows = testing::SmallWindows();
  windows.push_back({.name = "clock",
                     .by = WindowAxis::kProcessingTime,
                     .length = 3'000'000'000,
                     .slide = 1'000'000'000});
  return windows;
}

}  // namespace

MemoryFolder FolderWithState(KeyKind kind) {
  MemoryFolder folder;
  CheckpointedEngine engine(Windows(), testing::SmallPolicy(), 2, kind, folder);
  SASH_CHECK(engine.Begin());
  engine.harness().Start();
  for (std::int64_t step = 0; step < kStepsBefore; ++step) {
    engine.harness().clock.Advance(std::chrono::milliseconds(700));
    engine.harness().Feed(testing::SmallStep(step));
  }
  EngineState state = engine.harness().engine().Capture();
  state.journal = kJournalState;
  SASH_CHECK(engine.Checkpoint(state));
  return folder;
}

JournalledLife LifeIn(MemoryFolder& folder, KeyKind kind, bool with_times) {
  return {Windows(), testing::SmallPolicy(), 0, kind, with_times, folder};
}

void Read(JournalledLife& life, std::int64_t step, std::int64_t arrival) {
  life.harness().clock.Advance(std::chrono::milliseconds(600));
  EventBatch batch;
  for (testing::ScriptRecord record : testing::SmallStep(step)) {
    record.time += arrival;
    life.harness().Append(record, batch);
  }
  life.rounds().Do(std::move(batch));
}

void ReadToTheEnd(JournalledLife& life) {
  EventBatch batch;
  for (PartitionIndex p = 0; p < life.harness().partitions.size(); ++p) {
    batch.AddMark(Mark::Kind::kCaughtUp, p);
  }
  batch.caught_up = true;
  life.rounds().Do(std::move(batch));
}

}  // namespace sash::fuzz
