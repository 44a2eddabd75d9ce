// Random scripts of which clocks and arrival decide much, and engines that are killed again and
// again. Each reads the records in an order of its own and at times of its own; what one has told
// since the newest checkpoint, the next tells again.
#include "windows/durable/journalled_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/memory_folder.h"
#include "tests/support/script_writer.h"
#include "tests/support/seed_range.h"
#include "tests/windows/durable/journalled_life.h"
#include "tests/windows/durable/said.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using testing::JournalledLife;
using testing::MemoryFolder;
using testing::Said;
using testing::Script;
using testing::ScriptRecord;
using testing::ScriptWriter;

Script WriteScript(std::uint64_t seed) {
  Script script = ScriptWriter(seed).Write();
  std::mt19937_64 random(seed);
  script.policy.idle_after = milliseconds(500 + 500 * static_cast<int>(random() % 4));
  script.policy.on_silence = random() % 2 == 0 ? SilencePolicy::kHold : SilencePolicy::kClock;
  script.policy.check_ahead = random() % 4 == 0;
  script.policy.ahead_limit = milliseconds(static_cast<int>(random() % 3000));
  script.windows.push_back({.name = "numbered",
                            .by = WindowAxis::kEvents,
                            .length = 6,
                            .slide = 1 + static_cast<std::int64_t>(random() % 3) / 2 * 2});
  script.windows.back().length = 3 * script.windows.back().slide;
  script.windows.push_back({.name = "clock",
                            .by = WindowAxis::kProcessingTime,
                            .length = 3'000'000'000,
                            .slide = 1'000'000'000});
  return script;
}

// The records as a broker keeps them. How they are read is each life's own.
struct Partitions {
  explicit Partitions(const Script& script) : records(script.partitions), there(script.partitions) {
    for (const ScriptRecord& record : script.records) records[record.partition].push_back(record);
  }
  std::vector<std::vector<ScriptRecord>> records;
  std::vector<std::size_t> there;  // so many have been seen by some life
};

class Life {
 public:
  Life(const Script& script, Partitions& world, KeyKind kind, bool with_times, MemoryFolder& folder,
       std::uint64_t seed)
      : world_(world),
        with_times_(with_times),
        random_(seed),
        folder_(folder),
        life_(script.windows, script.policy, script.partitions, kind, with_times, folder),
        next_(world.records.size()) {
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
    for (std::size_t p = 0; p < next_.size(); ++p) {
      const std::optional<std::int64_t> from = state.partitions[p].next_offset;
      const auto& records = world_.records[p];
      next_[p] = static_cast<std::size_t>(
          std::ranges::lower_bound(records, from.value_or(0), {}, &ScriptRecord::offset) -
          records.begin());
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

  // A moment of its life: a batch, or only time that passes.
  void Step() {
    life_.harness().clock.Advance(milliseconds(random_() % 900));
    if (random_() % 4 == 0) return life_.rounds().Do(std::nullopt);
    EventBatch batch;
    for (std::uint64_t runs = random_() % 5; runs > 0; --runs) {
      ReadSome(static_cast<PartitionIndex>(random_() % next_.size()), batch);
    }
    batch.caught_up = AtEnd();
    life_.rounds().Do(std::move(batch));
  }

  // Without it what the journal lacks is known to nobody.
  void HandOver() { life_.journal().Write(); }

  bool AtEnd() const {
    for (std::size_t p = 0; p < next_.size(); ++p) {
      if (next_[p] < world_.records[p].size()) return false;
    }
    return true;
  }

  bool is_live() { return life_.rounds().is_live(); }
  EngineState Capture() { return life_.rounds().Capture(); }
  Status Checkpoint(const EngineState& state) { return life_.Checkpoint(state); }
  std::vector<std::string> log() const { return life_.log.lines(); }

  std::vector<Said> said;

 private:
  void Start() {
    EventBatch batch;
    if (random_() % 2 == 0) ReadSome(0, batch);
    life_.Start(std::move(batch));
  }

  void ReadSome(PartitionIndex partition, EventBatch& batch) {
    const auto& records = world_.records[partition];
    std::size_t& next = next_[partition];
    for (std::uint64_t run = random_() % 6; run > 0 && next < records.size(); --run) {
      ScriptRecord record = records[next++];
      if (with_times_) record.time += static_cast<std::int64_t>(random_() % 1'000'000'000);
      life_.harness().Append(record, batch);
    }
    std::size_t& there = world_.there[partition];
    there = std::max(there, next);
    if (next == records.size() || (next == there && random_() % 16 == 0)) {
      batch.AddMark(Mark::Kind::kCaughtUp, partition);
    } else if (random_() % 16 == 0) {
      batch.AddMark(Mark::Kind::kBehind, partition);
    }
  }

  Partitions& world_;
  const bool with_times_;
  std::mt19937_64 random_;
  MemoryFolder& folder_;
  JournalledLife life_;
  std::vector<std::size_t> next_;
};

// What all lives told, by the place in the one sequence that they share.
class Story {
 public:
  // Where the newest checkpoint stands in it.
  std::size_t begin = 0;

  // A life that went on from there has told this.
  void Add(const std::vector<Said>& said) {
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (begin + i == told_.size()) {
        told_.push_back(said[i]);
      } else {
        ++again_;
        ASSERT_TRUE(said[i] == told_[begin + i])
            << "advance " << i << " since the checkpoint, of window " << told_[begin + i].window
            << " said something else before";
      }
    }
    ASSERT_GE(begin + said.size(), told_.size()) << "what was told is not told again";
  }
  std::uint64_t again() const { return again_; }

 private:
  std::vector<Said> told_;
  std::uint64_t again_ = 0;
};

void Live(std::uint64_t seed, std::uint64_t& again) {
  const Script script = WriteScript(seed);
  Partitions world(script);
  const KeyKind kind = seed % 3 == 0 ? KeyKind::kString : KeyKind::kInteger;
  const bool with_times = seed % 5 == 0;
  std::mt19937_64 random(seed);
  MemoryFolder folder;
  Story story;
  auto life = std::make_unique<Life>(script, world, kind, with_times, folder, random());
  ASSERT_TRUE(life->Begin());
  ASSERT_TRUE(life->Checkpoint(life->Capture()).ok());
  story.Add(life->said);
  story.begin = life->said.size();
  std::size_t begun = life->said.size();  // what it told before the newest checkpoint
  for (int kill = 0; kill < 5; ++kill) {
    // It gets at least as far as the life before it.
    for (std::uint64_t steps = random() % 40; steps > 0 || !life->is_live();) {
      life->Step();
      if (steps > 0) --steps;
      if (!life->is_live() || random() % 12 != 0) continue;
      const EngineState state = life->Capture();
      if (random() % 2 == 0) continue;  // the state is not written any more
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
    life = std::make_unique<Life>(script, world, kind, with_times, folder, random());
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
  EXPECT_GT(again, 10 * seeds.count) << "hardly anything was told again";
}

}  // namespace
}  // namespace sash
