// Random scripts in which clocks and arrival decide much, and engines that are killed repeatedly.
// Each engine reads the records in its own order and at its own times. It must publish again,
// unchanged, what the previous one published since the newest checkpoint.
#include "windows/durable/journalled_engine.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/memory_folder.h"
#include "tests/support/said.h"
#include "tests/support/seed_range.h"
#include "tests/support/small_stream.h"
#include "tests/windows/durable/clocked_script.h"
#include "tests/windows/durable/journalled_life.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using testing::JournalledLife;
using testing::KeptRecords;
using testing::MemoryFolder;
using testing::RecordReader;
using testing::Said;
using testing::Script;

class Life {
 public:
  Life(const Script& script, KeptRecords& kept, KeyKind kind, bool with_times, MemoryFolder& folder,
       std::uint64_t seed)
      : random_(seed),
        folder_(folder),
        life_(script.windows, script.policy, script.partitions, kind, with_times, folder),
        reader_(kept, with_times, random_) {
    life_.harness().on_advance = [this](const AdvancePtr& advance) {
      HandOver();
      said.push_back(testing::WhatItSays(*advance, life_.harness().keys));
    };
    life_.harness().clock.Advance(milliseconds(random_() % 100'000));
  }

  bool Begin() {
    if (!life_.Begin()) return false;
    Start();
    return true;
  }

  Status Recover() {
    const auto found = SavedCheckpoint::Find(folder_, life_.harness().keys.kind());
    if (!found) return found.error();
    const EngineState& state = found.value()->state();
    for (PartitionIndex p = 0; p < state.partitions.size(); ++p) {
      reader_.GoTo(p, state.partitions[p].next_offset.value_or(0));
    }
    Result<JournalledRounds> rounds = ReadJournal(folder_, state.journal);
    if (!rounds) return rounds.error();
    if (const std::string& remark = rounds.value().remark; !remark.empty()) {
      return Error{ErrorCode::kCorruption, remark};
    }
    if (Status went_on = life_.GoOn(state.journal, std::move(rounds).value()); !went_on) {
      return went_on;
    }
    Start();
    return Ok{};
  }

  // One step: a batch, or only time passes.
  void Step() {
    life_.harness().clock.Advance(milliseconds(random_() % 900));
    if (random_() % 4 == 0) return life_.rounds().Do(std::nullopt);
    EventBatch batch;
    reader_.ReadSome(life_.harness(), batch);
    batch.caught_up = reader_.AtEnd();
    life_.rounds().Do(std::move(batch));
  }

  // Rounds that were not handed over are lost with the process.
  void HandOver() { life_.journal().Write(); }

  bool is_live() { return life_.rounds().is_live(); }
  EngineState Capture() { return life_.rounds().Capture(); }
  Status Checkpoint(const EngineState& state) { return life_.Checkpoint(state); }
  std::vector<std::string> log() const { return life_.log.lines(); }

  std::vector<Said> said;

 private:
  void Start() {
    EventBatch batch;
    if (random_() % 2 == 0) reader_.ReadSome(0, life_.harness(), batch);
    life_.Start(std::move(batch));
  }

  std::mt19937_64 random_;
  MemoryFolder& folder_;
  JournalledLife life_;
  RecordReader reader_;
};

// What all runs published, in one common sequence.
class Story {
 public:
  // The position of the newest checkpoint in the sequence.
  std::size_t begin = 0;

  // Adds what a run published that continued from that checkpoint.
  void Add(const std::vector<Said>& said) {
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (begin + i == told_.size()) {
        told_.push_back(said[i]);
      } else {
        ++again_;
        ASSERT_TRUE(said[i] == told_[begin + i])
            << "advance " << i << " after the checkpoint, of window " << told_[begin + i].window
            << ", differs from the previous run";
      }
    }
    ASSERT_GE(begin + said.size(), told_.size()) << "some advances were not published again";
  }
  std::uint64_t again() const { return again_; }

 private:
  std::vector<Said> told_;
  std::uint64_t again_ = 0;
};

void Live(std::uint64_t seed, std::uint64_t& again) {
  const Script script = testing::ClockedScript(seed, true);
  KeptRecords kept(script);
  const KeyKind kind = seed % 3 == 0 ? KeyKind::kString : KeyKind::kInteger;
  const bool with_times = seed % 5 == 0;
  std::mt19937_64 random(seed);
  MemoryFolder folder;
  Story story;
  auto life = std::make_unique<Life>(script, kept, kind, with_times, folder, random());
  ASSERT_TRUE(life->Begin());
  ASSERT_TRUE(life->Checkpoint(life->Capture()).ok());
  story.Add(life->said);
  story.begin = life->said.size();
  std::size_t begun = life->said.size();  // published before the newest checkpoint
  for (int kill = 0; kill < 5; ++kill) {
    // Run at least until all rounds of the previous run have been repeated.
    for (std::uint64_t steps = random() % 40; steps > 0 || !life->is_live();) {
      life->Step();
      if (steps > 0) --steps;
      if (!life->is_live() || random() % 12 != 0) continue;
      const EngineState state = life->Capture();
      if (random() % 2 == 0) continue;  // the process is killed before it writes the state
      ASSERT_TRUE(life->Checkpoint(state).ok());
      story.Add(std::vector<Said>(life->said.begin() + static_cast<std::ptrdiff_t>(begun),
                                  life->said.end()));
      ASSERT_FALSE(::testing::Test::HasFatalFailure());
      story.begin += life->said.size() - begun;
      begun = life->said.size();
    }
    if (random() % 2 == 0) life->HandOver();
    story.Add(std::vector<Said>(life->said.begin() + static_cast<std::ptrdiff_t>(begun),
                                life->said.end()));
    ASSERT_FALSE(::testing::Test::HasFatalFailure());
    for (const std::string& line : life->log()) EXPECT_EQ(line.substr(0, 5), "info:") << line;
    life = std::make_unique<Life>(script, kept, kind, with_times, folder, random());
    begun = 0;
    const Status recovered = life->Recover();
    ASSERT_TRUE(recovered.ok()) << recovered.error().message;
  }
  again += story.again();
}

TEST(JournalledEngineTest, WhatClocksAndArrivalDecidedIsDecidedAgain) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 150});
  std::uint64_t again = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Live(seed, again);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_GT(again, 10 * seeds.count) << "too few advances were published again";
}

TEST(JournalledEngineTest, WhileNothingButTimePassesAStateSaysNothingNew) {
  MemoryFolder folder;
  JournalledLife life({{.name = "w", .length = 30, .slide = 10}}, testing::SmallPolicy(), 1,
                      KeyKind::kInteger, false, folder);
  ASSERT_TRUE(life.Begin());
  life.Start();
  EXPECT_TRUE(life.rounds().has_changed()) << "there is no state yet";
  static_cast<void>(life.rounds().Capture());
  const auto pass_time = [&] {
    for (int i = 0; i < 10; ++i) {
      life.harness().clock.Advance(std::chrono::seconds(1));
      life.rounds().Do(std::nullopt);
    }
  };
  pass_time();
  EXPECT_FALSE(life.rounds().has_changed());
  EventBatch batch;
  life.harness().Append({.offset = 0, .time = 25, .source = 1, .target = 2}, batch);
  life.rounds().Do(std::move(batch));
  EXPECT_TRUE(life.rounds().has_changed());
  static_cast<void>(life.rounds().Capture());
  pass_time();
  EXPECT_FALSE(life.rounds().has_changed());
  ASSERT_TRUE(life.harness().AddWindow({.name = "v", .length = 20, .slide = 10}).ok());
  EXPECT_TRUE(life.rounds().has_changed()) << "windows are part of the state";
  static_cast<void>(life.rounds().Capture());
  EXPECT_FALSE(life.rounds().has_changed());
  folder.FailAt(0, 1000);
  EventBatch lost;
  life.harness().Append({.offset = 1, .time = 26, .source = 1, .target = 2}, lost);
  life.rounds().Do(std::move(lost));
  life.journal().Write();
  static_cast<void>(life.rounds().Capture());
  EXPECT_TRUE(life.rounds().has_changed())
      << "rounds that the journal could not note are in no state";
}

}  // namespace
}  // namespace sash
