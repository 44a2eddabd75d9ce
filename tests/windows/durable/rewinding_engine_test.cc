// Random scripts in which clocks and arrival decide much, and engines that store no events and are
// killed repeatedly. Each engine reads the records again from the journal's state, in its own order
// and at its own times. No engine may contradict an earlier one, and no window may be missing.
#include "windows/durable/rewinding_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/kept_log.h"
#include "tests/support/memory_folder.h"
#include "tests/support/said.h"
#include "tests/support/seed_range.h"
#include "tests/support/small_stream.h"
#include "tests/windows/durable/clocked_script.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using testing::EngineHarness;
using testing::KeptRecords;
using testing::MemoryFolder;
using testing::RecordReader;
using testing::Said;
using testing::Script;

// Chooses, for each window, after how many slides jobs compare results.
EngineHarness::Compared ComparedAtRandom(const Script& script, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  EngineHarness::Compared compared;
  for (const WindowSpec& spec : script.windows) {
    for (const std::uint32_t every : {1u, 3u}) {
      if (random() % 3 != 0) compared[spec.name].insert(every);
    }
  }
  return compared;
}

// The group's commit.
struct Committed {
  std::optional<RewindPoint> point;
};

// Where a run began to read; nothing before it is read again.
struct Began {
  std::map<PartitionIndex, std::int64_t> offsets;
  std::int64_t accepted = 0;  // before that
};

class RewindingLife {
 public:
  RewindingLife(const Script& script, KeptRecords& kept, KeyKind kind, bool with_times,
                MemoryFolder& folder, Committed& committed, const EngineHarness::Compared& compared,
                std::uint64_t seed)
      : script_(script),
        kind_(kind),
        committed_(committed),
        random_(seed),
        harness_(script.windows, script.policy, script.partitions, kind, {}, compared),
        empty_(kind),
        journal_(folder, milliseconds(random_() % 5000)),
        rounds_({.engine = harness_.engine(),
                 .journal = journal_.journal(),
                 .partitions = harness_.partitions,
                 .log = log,
                 .keys = kind,
                 .with_times = with_times},
                journal_, empty_),
        reader_(kept, with_times, random_) {
    harness_.on_advance = [this](const AdvancePtr& advance) {
      journal_.journal().Write();
      said.push_back(testing::WhatItSays(*advance, harness_.keys));
      undelivered_.push_back(advance->rewind);
    };
    harness_.on_recalled = [this](const AdvancePtr& advance) {
      recalled.push_back(testing::WhatItSays(*advance, harness_.keys));
    };
    harness_.clock.Advance(milliseconds(random_() % 100'000));
  }

  // Returns false when it starts without a state although there was a previous run.
  bool Begin(bool is_first) {
    std::string why_not;
    PartitionTable partitions;  // the table of the harness already has its partitions
    auto found = journal_.Find(kind_, script_.windows, partitions, why_not);
    EXPECT_TRUE(found.ok());
    const bool goes_on = found.ok() && found.value().has_value();
    EventBatch batch;
    batch.start.emplace();
    for (PartitionIndex p = 0; p < script_.partitions; ++p) batch.start->partitions.push_back(p);
    batch.start->from_state = goes_on;
    if (goes_on) {
      for (const auto& [pair, offset] : found.value()->reached) EXPECT_GE(offset, 0);
      const std::vector<PartitionState>& stood = found.value()->state.partitions;
      for (PartitionIndex p = 0; p < stood.size(); ++p) {
        began.offsets[p] = stood[p].next_offset.value_or(0);
        reader_.GoTo(p, began.offsets[p]);
      }
      for (const LaneState& lane : found.value()->state.lanes) {
        if (lane.axis != WindowAxis::kEvents) continue;
        began.accepted = static_cast<std::int64_t>(lane.accepted);
      }
      // The group's commit may be older than the safe results, but not older than the state.
      for (const RewindPosition& position :
           committed_.point ? committed_.point->positions : std::vector<RewindPosition>()) {
        EXPECT_LE(stood[position.partition].next_offset.value_or(0), position.offset);
      }
      // A newer commit contains more safe results.
      if (committed_.point && random_() % 2 == 0) {
        batch.start->resumed.published = committed_.point->published;
        batch.start->resumed.newest = committed_.point->newest;
      }
      rounds_.Resume(*std::move(found).value());
    } else {
      for (PartitionIndex p = 0; p < script_.partitions; ++p) {
        batch.start->resumed.positions.push_back({p, 0, std::nullopt});
      }
    }
    // Time passes before the source starts.
    rounds_.Do(std::nullopt);
    if (random_() % 2 == 0) reader_.ReadSome(0, harness_, batch);
    rounds_.Do(std::move(batch));
    return goes_on || is_first;
  }

  void Step() {
    harness_.clock.Advance(milliseconds(random_() % 900));
    if (random_() % 4 == 0) return rounds_.Do(std::nullopt);
    EventBatch batch;
    reader_.ReadSome(harness_, batch);
    batch.caught_up = reader_.AtEnd();
    rounds_.Do(std::move(batch));
  }

  // Sinks are flushed from time to time; then the rewind point is offered. The commit arrives
  // later.
  void Deliver() {
    for (std::uint64_t some = random_() % 4; some > 0 && !undelivered_.empty(); --some) {
      std::vector<RewindPosition> known;
      if (committed_.point && random_() % 2 == 0) known = committed_.point->positions;
      journal_.Delivered(undelivered_.front(), known);
      if (random_() % 2 == 0) committed_.point = undelivered_.front();
      undelivered_.pop_front();
    }
  }

  bool AtEnd() const { return reader_.AtEnd(); }

  std::vector<Said> said;
  std::vector<Said> recalled;
  KeptLog log;
  Began began;

 private:
  const Script& script_;
  const KeyKind kind_;
  Committed& committed_;
  std::mt19937_64 random_;
  EngineHarness harness_;
  VertexDictionary empty_;
  RewindJournal journal_;
  RewindingEngine rounds_;
  RecordReader reader_;
  std::deque<RewindPoint> undelivered_;
};

// What all runs published, by window and number.
class RewoundStory {
 public:
  void Add(const std::vector<Said>& said, const Began& began) {
    for (const Said& one : said) {
      std::vector<Said>& told = told_[one.window];
      ASSERT_GE(one.snapshot, 1U);
      ASSERT_LE(one.snapshot, told.size() + 1) << one.window << " was skipped";
      if (one.snapshot == told.size() + 1) {
        told.push_back(one);
        continue;
      }
      ++again_;
      ExpectTheSame(one, told[one.snapshot - 1], began);
      ASSERT_FALSE(::testing::Test::HasFailure()) << one.window << " " << one.snapshot;
    }
  }
  // A recalled window must equal the window that was published.
  void Look(const std::vector<Said>& recalled) {
    for (const Said& one : recalled) {
      const std::vector<Said>& told = told_[one.window];
      const auto before = std::ranges::find(told, one.ordinal, &Said::ordinal);
      ASSERT_TRUE(before != told.end()) << one.window << " " << one.ordinal;
      EXPECT_EQ(one.end, before->end);
      EXPECT_EQ(one.edges, before->edges) << one.window << " " << one.ordinal;
      ++recalled_;
    }
  }
  std::uint64_t again() const { return again_; }
  std::uint64_t recalled() const { return recalled_; }

 private:
  // A window whose slices have only refused records may release them later than in the previous
  // run, where they still had events. Then more is read again than necessary. But a run that began
  // later, because a newer window had been committed, does not go back behind its beginning.
  static void ExpectTheSame(Said now, const Said& before, Began began) {
    ASSERT_EQ(now.rewind.positions.size(), before.rewind.positions.size());
    for (std::size_t i = 0; i < now.rewind.positions.size(); ++i) {
      const RewindPosition& position = now.rewind.positions[i];
      EXPECT_LE(position.offset,
                std::max(before.rewind.positions[i].offset, began.offsets[position.partition]));
    }
    now.rewind.positions = before.rewind.positions;
    EXPECT_LE(now.rewind.accepted_before,
              std::max(before.rewind.accepted_before, std::optional(began.accepted)));
    now.rewind.accepted_before = before.rewind.accepted_before;
    EXPECT_EQ(WhatDiffers(now, before), "") << "differs from the previous run";
  }

  std::map<std::string, std::vector<Said>> told_;
  std::uint64_t again_ = 0;
  std::uint64_t recalled_ = 0;
};

struct Tally {
  std::uint64_t again = 0;
  std::uint64_t recalled = 0;
  std::uint64_t lives = 0;
};

void LiveAndRewind(std::uint64_t seed, Tally& tally) {
  const Script script = testing::ClockedScript(seed, false);
  KeptRecords kept(script);
  const KeyKind kind = seed % 3 == 0 ? KeyKind::kString : KeyKind::kInteger;
  const bool with_times = seed % 5 == 0;
  std::mt19937_64 random(seed);
  const EngineHarness::Compared compared = ComparedAtRandom(script, seed);
  MemoryFolder folder;
  Committed committed;
  RewoundStory story;
  for (int life = 0; life < 7; ++life) {
    SCOPED_TRACE("life " + std::to_string(life));
    RewindingLife now(script, kept, kind, with_times, folder, committed, compared, random());
    ASSERT_TRUE(now.Begin(life == 0)) << "started without the state";
    for (std::uint64_t steps = random() % 60; steps > 0; --steps) {
      now.Step();
      now.Deliver();
    }
    for (const std::string& line : now.log.lines()) EXPECT_EQ(line.substr(0, 5), "info:") << line;
    story.Look(now.recalled);
    story.Add(now.said, now.began);
    ASSERT_FALSE(::testing::Test::HasFatalFailure());
    ++tally.lives;
  }
  tally.again += story.again();
  tally.recalled += story.recalled();
}

TEST(RewindingEngineTest, WindowsThatAreReadAgainAreCutWhereTheyWere) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 150});
  Tally tally;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LiveAndRewind(seed, tally);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_GT(tally.again, seeds.count) << "too few windows were published again";
  EXPECT_GT(tally.recalled, seeds.count);
}

// A script with an empty pane of the clock that nothing closed while no records came; the next
// batch found its partition idle.
TEST(RewindingEngineTest, EmptyPanesOfTheClockAreClosedWhenTheyWere) {
  Tally tally;
  LiveAndRewind(901509, tally);
}

// The deletion of older states depends on which states are there.
TEST(RewindingEngineTest, AStateThatAnotherProcessDeletedIsReportedAndDoesNotCount) {
  MemoryFolder folder;
  EngineHarness harness({{.name = "w", .length = 30, .slide = 10}}, testing::SmallPolicy());
  KeptLog log;
  RewindJournal journal(folder, milliseconds(100));
  RewindingEngine rounds({.engine = harness.engine(),
                          .journal = journal.journal(),
                          .partitions = harness.partitions,
                          .log = log},
                         journal, harness.keys);
  const auto states = [&] {
    std::vector<std::string> names = folder.List().value();
    std::erase_if(names, [](const std::string& name) { return !RewindStateNumber(name); });
    return names;
  };
  std::int64_t step = 0;
  const auto feed = [&] {
    harness.clock.Advance(std::chrono::seconds(1));
    EventBatch batch;
    if (step == 0) {
      batch.start.emplace();
      batch.start->partitions = {0};
    }
    harness.Append({.offset = step, .time = 10 * step, .source = 1, .target = 2}, batch);
    ++step;
    rounds.Do(std::move(batch));
  };
  for (int i = 0; i < 4; ++i) feed();
  EXPECT_FALSE(journal.failure());
  const std::vector<std::string> before = states();
  ASSERT_GE(before.size(), 3u);
  ASSERT_TRUE(folder.Remove(before[1]).ok());
  feed();
  ASSERT_TRUE(journal.failure());
  EXPECT_EQ(*journal.failure(),
            folder.path() + "/" + before[1] + ": another process has moved or deleted this state");
  // All windows until offset 1 are safe, so the deleted state would be old enough, and the first
  // one would be deleted for it.
  RewindPoint safe;
  safe.positions = {{0, 1, std::nullopt}};
  journal.Delivered(safe, safe.positions);
  feed();
  EXPECT_FALSE(journal.failure());
  EXPECT_EQ(states().front(), before.front());
}

TEST(RewindingEngineTest, WhileNothingButTimePassesNoStateIsWritten) {
  MemoryFolder folder;
  EngineHarness harness({{.name = "w", .length = 30, .slide = 10}}, testing::SmallPolicy());
  KeptLog log;
  RewindJournal journal(folder, milliseconds(100));
  RewindingEngine rounds({.engine = harness.engine(),
                          .journal = journal.journal(),
                          .partitions = harness.partitions,
                          .log = log},
                         journal, harness.keys);
  const auto states = [&] {
    return std::ranges::count_if(folder.List().value(), [](const std::string& name) {
      return RewindStateNumber(name).has_value();
    });
  };
  const auto pass_time = [&] {
    for (int i = 0; i < 10; ++i) {
      harness.clock.Advance(std::chrono::seconds(1));
      rounds.Do(std::nullopt);
    }
  };
  EventBatch batch;
  batch.start.emplace();
  batch.start->partitions = {0};
  harness.Append({.offset = 0, .time = 25, .source = 1, .target = 2}, batch);
  rounds.Do(std::move(batch));
  pass_time();
  const auto before = states();
  EXPECT_GT(before, 0);
  pass_time();
  EXPECT_EQ(states(), before);
  RewindPoint safe_now;
  safe_now.published = {{"w", 20}};
  safe_now.newest = {{"w", {.snapshot = 1}}};
  journal.Delivered(safe_now, {});
  pass_time();
  EXPECT_GT(states(), 0);
  const auto safe = states();
  pass_time();
  EXPECT_EQ(states(), safe) << "the safe results have not changed again";
}

}  // namespace
}  // namespace sash
