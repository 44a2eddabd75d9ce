// Random scripts of which clocks and arrival decide much, and engines that are killed again and
// again and keep no events. Each reads the records from the journal's state on, in an order and at times
// of its own. What one has told, none tells otherwise, and nothing is left out.
#include "windows/durable/rewinding_engine.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/kept_log.h"
#include "tests/support/memory_folder.h"
#include "tests/support/said.h"
#include "tests/support/seed_range.h"
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

// What the group's commit knows.
struct Committed {
  std::optional<RewindPoint> point;
};

class Life {
 public:
  Life(const Script& script, KeptRecords& kept, KeyKind kind, bool with_times, MemoryFolder& folder,
       Committed& committed, std::uint64_t seed)
      : script_(script),
        kind_(kind),
        committed_(committed),
        random_(seed),
        harness_(script.windows, script.policy, script.partitions, kind),
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
    harness_.clock.Advance(milliseconds(random_() % 100'000));
  }

  // False: it begins anew although there was a life before.
  bool Begin(bool is_first) {
    std::string why_not;
    PartitionTable partitions;  // those of the harness are there already
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
        reader_.GoTo(p, stood[p].next_offset.value_or(0));
      }
      // A newer commit knows more of what was safe.
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
    // Time passes before the source is there.
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

  // Sinks are flushed now and then, and then the rewind point is offered; the commit takes longer.
  void Deliver() {
    for (std::uint64_t some = random_() % 4; some > 0 && !undelivered_.empty(); --some) {
      journal_.Delivered(undelivered_.front());
      if (random_() % 2 == 0) committed_.point = undelivered_.front();
      undelivered_.pop_front();
    }
  }

  bool AtEnd() const { return reader_.AtEnd(); }

  std::vector<Said> said;
  KeptLog log;

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

// What all lives told, by window and number.
class Story {
 public:
  void Add(const std::vector<Said>& said) {
    for (const Said& one : said) {
      std::vector<Said>& told = told_[one.window];
      ASSERT_GE(one.snapshot, 1U);
      ASSERT_LE(one.snapshot, told.size() + 1) << one.window << " was left out";
      if (one.snapshot == told.size() + 1) {
        told.push_back(one);
        continue;
      }
      ++again_;
      ExpectTheSame(one, told[one.snapshot - 1]);
      ASSERT_FALSE(::testing::Test::HasFailure()) << one.window << " " << one.snapshot;
    }
  }
  std::uint64_t again() const { return again_; }

 private:
  // A window of whose slices only refused records are known may let go of them later than it did when
  // it had their events: then more is read again than has to be.
  static void ExpectTheSame(Said now, const Said& before) {
    ASSERT_EQ(now.rewind.positions.size(), before.rewind.positions.size());
    for (std::size_t i = 0; i < now.rewind.positions.size(); ++i) {
      EXPECT_LE(now.rewind.positions[i].offset, before.rewind.positions[i].offset);
    }
    now.rewind.positions = before.rewind.positions;
    EXPECT_EQ(WhatDiffers(now, before), "") << "said something else before";
  }

  std::map<std::string, std::vector<Said>> told_;
  std::uint64_t again_ = 0;
};

struct Tally {
  std::uint64_t again = 0;
  std::uint64_t lives = 0;
};

void Live(std::uint64_t seed, Tally& tally) {
  const Script script = testing::ClockedScript(seed);
  KeptRecords kept(script);
  const KeyKind kind = seed % 3 == 0 ? KeyKind::kString : KeyKind::kInteger;
  const bool with_times = seed % 5 == 0;
  std::mt19937_64 random(seed);
  MemoryFolder folder;
  Committed committed;
  Story story;
  for (int life = 0; life < 7; ++life) {
    SCOPED_TRACE("life " + std::to_string(life));
    Life now(script, kept, kind, with_times, folder, committed, random());
    ASSERT_TRUE(now.Begin(life == 0)) << "begins anew";
    for (std::uint64_t steps = random() % 60; steps > 0; --steps) {
      now.Step();
      now.Deliver();
    }
    for (const std::string& line : now.log.lines()) EXPECT_EQ(line.substr(0, 5), "info:") << line;
    story.Add(now.said);
    ASSERT_FALSE(::testing::Test::HasFatalFailure());
    ++tally.lives;
  }
  tally.again += story.again();
}

TEST(RewindingEngineTest, WindowsThatAreReadAgainAreCutWhereTheyWere) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 150});
  Tally tally;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Live(seed, tally);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_GT(tally.again, seeds.count) << "hardly anything was told again";
}

// A pane of the clock in which nothing was closed while nothing came, and the next batch found its
// partition idle.
TEST(RewindingEngineTest, EmptyPanesOfTheClockAreClosedWhenTheyWere) {
  Tally tally;
  Live(901509, tally);
}

}  // namespace
}  // namespace sash
