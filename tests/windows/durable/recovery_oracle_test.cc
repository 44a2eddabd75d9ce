// Random scripts: an engine is killed and another one continues from its checkpoint. Together they
// must publish the same as an engine that was never killed.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/support/memory_folder.h"
#include "tests/support/seed_range.h"
#include "tests/windows/durable/checkpointed_life.h"

namespace sash {
namespace {

using testing::CheckpointedLife;
using testing::EngineHarness;
using testing::ExpectToRecall;
using testing::MemoryFolder;
using testing::Said;
using testing::Script;
using testing::ScriptRecord;
using testing::ScriptWriter;

// Chooses, for each window, after how many slides jobs compare results.
EngineHarness::Compared ComparedIn(const Script& script, std::mt19937_64& random) {
  EngineHarness::Compared compared;
  for (const WindowSpec& spec : script.windows) {
    for (const std::uint32_t every : {1u, 3u}) {
      if (random() % 2 == 0) compared[spec.name].insert(every);
    }
  }
  return compared;
}

// Windows of every axis; several partitions and a clock decide.
Script WriteScript(std::uint64_t seed) {
  Script script = seed % 2 == 0 ? ScriptWriter(seed).Write() : ScriptWriter(seed).WriteRestless();
  std::mt19937_64 random(seed);
  const auto add = [&](const std::string& name, WindowAxis by, std::int64_t slide,
                       std::uint64_t most_slides = 5) {
    script.windows.push_back(
        {.name = name,
         .by = by,
         .length = slide * static_cast<std::int64_t>(1 + random() % most_slides),
         .slide = slide,
         .duplicates = static_cast<DuplicatesPolicy>(random() % 3),
         .implementation = static_cast<StoreKind>(random() % 2)});
  };
  if (random() % 2 == 0)
    add("numbered", WindowAxis::kEvents, 1 + static_cast<std::int64_t>(random() % 20));
  // A window of more slices than stores take in one by one during recovery.
  if (random() % 3 == 0) {
    add("many slices", WindowAxis::kEvents, 1 + static_cast<std::int64_t>(random() % 3), 100);
  }
  if (random() % 2 == 0) add("clock", WindowAxis::kProcessingTime, 1'000'000'000);
  if (random() % 4 == 0) add("clock too", WindowAxis::kProcessingTime, 2'000'000'000);
  if (seed % 5 < 2) ScriptWriter(seed).AddFilters(script);
  if (seed % 7 < 2) ScriptWriter(seed).AddIds(script, true);
  if (seed % 3 == 1) ScriptWriter(seed).AddTypes(script);
  if (seed % 4 != 3) ScriptWriter(seed).AddHistory(script);
  return script;
}

std::vector<std::vector<ScriptRecord>> InBatches(const Script& script, std::mt19937_64& random) {
  std::vector<std::vector<ScriptRecord>> batches;
  for (const ScriptRecord& record : testing::Interleave(script, random)) {
    const bool begins = record.place == 0;  // the edges of a record stay in one batch
    if (batches.empty() || (begins && random() % 15 == 0)) batches.emplace_back();
    batches.back().push_back(record);
  }
  return batches;
}

TEST(RecoveryTest, AKilledEngineGoesOnAsIfItHadNeverBeenKilled) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 150});
  std::uint64_t recoveries = 0;
  std::uint64_t recalled = 0;
  std::uint64_t recycled = 0;
  std::uint64_t most_retained = 0;
  std::uint64_t histories_read = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Script script = WriteScript(seed);
    const KeyKind kind = seed % 3 == 0 ? KeyKind::kString : KeyKind::kInteger;
    std::mt19937_64 random(seed);
    const auto batches = InBatches(script, random);

    EngineHarness::Compared compared = ComparedIn(script, random);
    const bool jobs_change = seed % 4 == 0;  // so the retained slices change too
    MemoryFolder unused;
    CheckpointedLife whole(script, kind, unused, compared);
    whole.engine().harness().Start();
    whole.Feed(batches, 0, batches.size());
    whole.engine().harness().End();

    MemoryFolder folder;
    auto life = std::make_unique<CheckpointedLife>(script, kind, folder, compared);
    ASSERT_TRUE(life->engine().Begin());
    life->engine().harness().Start();
    std::vector<Said> said;
    std::size_t fed = 0;
    for (std::uint64_t kills = 1 + random() % 3; kills > 0; --kills) {
      const std::size_t checkpoint = fed + random() % (batches.size() - fed + 1);
      life->Feed(batches, fed, checkpoint);
      ASSERT_TRUE(life->engine().Checkpoint().ok());
      const auto told = life->said.size();
      // Everything after the checkpoint is lost with the process.
      life->Feed(batches, checkpoint, std::min(batches.size(), checkpoint + random() % 10));
      said.insert(said.end(), life->said.begin(),
                  life->said.begin() + static_cast<std::ptrdiff_t>(told));
      const auto clock = std::chrono::milliseconds(700) * checkpoint;
      recycled += life->engine().harness().stats.ids_recycled;
      if (jobs_change) compared = ComparedIn(script, random);
      life = std::make_unique<CheckpointedLife>(script, kind, folder, compared);
      life->engine().harness().clock.Advance(clock);
      const Status recovered = life->engine().Recover(folder, script.windows);
      ASSERT_TRUE(recovered.ok()) << recovered.error().message;
      for (const LaneState& lane : life->engine().harness().engine().Capture().lanes) {
        most_retained = std::max(most_retained, lane.retained);
      }
      life->CompareHistory(whole.said);
      life->engine().harness().Start();
      recalled += life->recalled.size();
      ExpectToRecall(*life, said, script, compared, jobs_change);
      if (HasFailure()) return;
      fed = checkpoint;
      ++recoveries;
    }
    life->Feed(batches, fed, batches.size());
    life->engine().harness().End();
    histories_read += life->histories_read;
    said.insert(said.end(), life->said.begin(), life->said.end());
    ASSERT_EQ(said.size(), whole.said.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (jobs_change) said[i].rewind = whole.said[i].rewind;
      ASSERT_TRUE(said[i] == whole.said[i])
          << "advance " << i << " of window " << whole.said[i].window;
    }
  }
  EXPECT_GT(recoveries, seeds.count);
  EXPECT_GT(recalled, seeds.count);
  EXPECT_GT(recycled, seeds.count);
  EXPECT_GT(most_retained, 60);
  EXPECT_GT(histories_read, 10 * seeds.count);
}

// A window whose filter is new while the stream runs; the restarted engine has it from the start,
// with another number. Its next results are compared with those of before the restart.
TEST(RecoveryTest, AWindowOfANewFilterGoesOnAsIfItHadNeverBeenKilled) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 60});
  std::size_t gaps = 0;
  std::size_t compared = 0;
  std::size_t recalled = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Script script = WriteScript(seed);
    if (script.windows.front().by == WindowAxis::kEvents) continue;
    ScriptWriter(seed).AddFilters(script);
    WindowSpec added = script.windows.front();
    added.name = "added";
    added.types = {"new"};  // so no other window has its filter
    added.where = testing::FilterName(seed % testing::kScriptFilters);
    if (seed % 2 == 0) {  // a filter that judges what came before it
      ScriptWriter(seed).AddTypes(script);
      WindowSpec& all = script.windows.front();
      all.where.clear();
      all.types.clear();
      added.identity = all.identity;
      added.types = {testing::ScriptType(1), testing::ScriptType(2)};
      added.where.clear();
    }
    Script with_it = script;
    with_it.windows.insert(with_it.windows.begin(), added);
    std::mt19937_64 random(seed);
    const auto batches = InBatches(script, random);
    const std::size_t from = random() % batches.size();
    const std::size_t checkpoint = from + random() % (batches.size() - from + 1);
    const EngineHarness::Compared diffs = {{added.name, {1, 3}}};

    const auto until_checkpoint = [&](CheckpointedLife& life) {
      life.engine().harness().Start();
      life.Feed(batches, 0, from);
      ASSERT_TRUE(life.engine().harness().PutFiltered({added}));
      ASSERT_TRUE(life.engine().harness().Compare(diffs));
      life.engine().harness().JudgeByNewest();
      life.Feed(batches, from, checkpoint);
    };
    MemoryFolder unused;
    CheckpointedLife whole(script, KeyKind::kInteger, unused);
    until_checkpoint(whole);
    whole.Feed(batches, checkpoint, batches.size());
    whole.engine().harness().End();

    MemoryFolder folder;
    CheckpointedLife first(script, KeyKind::kInteger, folder);
    ASSERT_TRUE(first.engine().Begin());
    until_checkpoint(first);
    ASSERT_TRUE(first.engine().Checkpoint().ok());
    CheckpointedLife second(with_it, KeyKind::kInteger, folder, diffs);
    second.engine().harness().clock.Advance(std::chrono::milliseconds(700) * checkpoint);
    const Status recovered = second.engine().Recover(folder, with_it.windows);
    ASSERT_TRUE(recovered.ok()) << recovered.error().message;
    second.engine().harness().Start();
    ExpectToRecall(second, first.said, with_it, diffs, false);
    recalled += second.recalled.size();
    if (HasFailure()) return;
    second.Feed(batches, checkpoint, batches.size());
    second.engine().harness().End();

    // Windows of the same end move in the order in which they were added, which is another one now.
    const auto of = [](const std::vector<Said>& said, const std::string& window) {
      std::vector<Said> of_it;
      std::ranges::copy_if(said, std::back_inserter(of_it),
                           [&](const Said& one) { return one.window == window; });
      return of_it;
    };
    std::vector<Said> said = first.said;
    said.insert(said.end(), second.said.begin(), second.said.end());
    for (const WindowSpec& spec : with_it.windows) {
      SCOPED_TRACE("window " + spec.name);
      std::vector<Said> found = of(said, spec.name);
      const std::vector<Said> expected = of(whole.said, spec.name);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        found[i].rewind = expected[i].rewind;  // it depends on the windows before
        ASSERT_TRUE(found[i] == expected[i]) << "advance " << i;
        if (spec.name == added.name && found[i].gap) ++gaps;
      }
      if (spec.name == added.name) compared += found.size();
    }
  }
  EXPECT_GT(gaps, seeds.count);
  EXPECT_GT(compared, 10 * seeds.count);
  EXPECT_GT(recalled, seeds.count / 3) << "too few results to compare the next ones with";
}

}  // namespace
}  // namespace sash
