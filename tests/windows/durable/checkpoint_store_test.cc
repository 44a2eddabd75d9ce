#include "windows/durable/checkpoint_store.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/memory_folder.h"
#include "tests/support/seed_range.h"
#include "tests/support/small_stream.h"
#include "tests/windows/durable/recovered_engine.h"
#include "windows/durable/slice_file.h"

namespace sash {
namespace {

using testing::CheckpointedEngine;
using testing::MemoryFolder;
using testing::SmallPolicy;
using testing::SmallStep;
using testing::SmallWindows;

constexpr std::int64_t kSteps = 8;

// Feeds the stream with a checkpoint after each step, and at the end tries checkpoints until one
// succeeds. Returns how many events were numbered when the last successful checkpoint was taken;
// `last` gets the same for the last one that was tried.
std::uint64_t LiveUntilFailure(MemoryFolder& folder, std::uint64_t& last) {
  CheckpointedEngine engine(SmallWindows(), SmallPolicy(), 2, KeyKind::kString, folder);
  std::uint64_t kept = 0;
  EXPECT_TRUE(engine.Begin());
  engine.harness().Start();
  for (std::int64_t step = 0; step < kSteps; ++step) {
    engine.harness().Feed(SmallStep(step));
    last = engine.harness().engine().Capture().numbered;
    if (engine.Checkpoint().ok()) kept = last;
  }
  for (int again = 0; again < 6; ++again) {
    if (!engine.Checkpoint().ok()) continue;
    kept = last;
    break;
  }
  return kept;
}

// How many events were numbered when the checkpoint in the folder was taken; 0: there is no
// checkpoint.
std::uint64_t Kept(const MemoryFolder& folder) {
  const auto found = SavedCheckpoint::Find(folder, KeyKind::kString);
  EXPECT_TRUE(found.ok()) << found.error().message;
  if (!found.ok() || !found.value()) return 0;
  CheckpointedEngine engine(SmallWindows(), SmallPolicy(), 0, KeyKind::kString,
                            const_cast<MemoryFolder&>(folder));
  const Status recovered = engine.Recover(folder, SmallWindows());
  EXPECT_TRUE(recovered.ok()) << recovered.error().message;
  return found.value()->state().numbered;
}

TEST(CheckpointStoreTest, WhateverIsTheLastOperationAWholeCheckpointIsFound) {
  MemoryFolder sound;
  std::uint64_t last = 0;
  ASSERT_GT(LiveUntilFailure(sound, last), 0u);
  const std::uint64_t operations = sound.operations();
  ASSERT_GT(operations, 50u);
  for (std::uint64_t operation = 0; operation < operations; operation += testing::Stride()) {
    MemoryFolder folder;
    folder.FailAt(operation, operations);
    // The process dies at this operation: all later operations fail and change nothing.
    std::uint64_t tried = 0;
    const std::uint64_t kept = LiveUntilFailure(folder, tried);
    for (const auto crash : {MemoryFolder::Crash::kOfProcess, MemoryFolder::Crash::kStrict,
                             MemoryFolder::Crash::kOnlyNames, MemoryFolder::Crash::kOnlyBytes}) {
      SCOPED_TRACE("operation " + std::to_string(operation) + ", crash " +
                   std::to_string(static_cast<int>(crash)));
      const std::uint64_t found = Kept(folder.After(crash));
      // The newest checkpoint that was reported as written, or the one that was being written.
      EXPECT_GE(found, kept);
      EXPECT_LE(found, kept + 4);
      if (HasFailure()) return;
    }
  }
}

TEST(CheckpointStoreTest, AfterAFailureThatEndsEverythingIsAsIfItHadNotBeen) {
  MemoryFolder sound;
  std::uint64_t last = 0;
  const std::uint64_t all = LiveUntilFailure(sound, last);
  const std::uint64_t operations = sound.operations();
  const std::vector<std::string> names = sound.List().value();
  for (std::uint64_t operation = 0; operation < operations; operation += testing::Stride()) {
    for (const std::uint64_t times : {1, 5}) {
      SCOPED_TRACE("operation " + std::to_string(operation) + ", " + std::to_string(times));
      MemoryFolder folder;
      folder.FailAt(operation, times);
      std::uint64_t tried = 0;
      EXPECT_EQ(LiveUntilFailure(folder, tried), all);
      EXPECT_EQ(Kept(folder), all);
      // Failed attempts leave no files.
      EXPECT_EQ(folder.List().value().size(), names.size());
      if (HasFailure()) return;
    }
  }
}

TEST(CheckpointStoreTest, ASliceIsWrittenOnceAndGoesWhenItsLastWindowHasLetItGo) {
  const std::vector<WindowSpec> windows = {{.name = "w", .length = 30, .slide = 10}};
  MemoryFolder folder;
  CheckpointedEngine engine(windows, SmallPolicy(), 1, KeyKind::kInteger, folder);
  ASSERT_TRUE(engine.Begin());
  engine.harness().Start();
  std::map<std::string, std::string> seen;
  for (std::int64_t step = 0; step < 20; ++step) {
    engine.harness().Feed({{.offset = step, .time = 10 * step, .source = step, .target = 1}});
    engine.harness().on_advance = [](const AdvancePtr&) {};
    engine.harness().advances.clear();
    ASSERT_TRUE(engine.Checkpoint().ok());
    const auto names = folder.List().value();
    EXPECT_LE(names.size(), 5u) << "three slices, one slice that closed later, the manifest";
    for (const std::string& name : names) {
      if (name == kManifestName) continue;
      const auto [known, is_new] = seen.try_emplace(name, folder.Bytes(name));
      EXPECT_EQ(known->second, folder.Bytes(name)) << name;
    }
  }
  EXPECT_EQ(seen.size(), 18u) << "every slice that has closed";
}

TEST(CheckpointStoreTest, WhatIsNotOursStays) {
  MemoryFolder folder;
  for (const std::string name :
       {"notes.txt", "slice-1", "manifest.old", "slice-00000000000000ff"}) {
    ASSERT_TRUE(folder.Create(name).ok());
  }
  std::uint64_t last = 0;
  LiveUntilFailure(folder, last);
  const auto names = folder.List().value();
  for (const std::string name : {"notes.txt", "slice-1", "manifest.old"}) {
    EXPECT_TRUE(std::ranges::count(names, name)) << name;
  }
  EXPECT_FALSE(std::ranges::count(names, "slice-00000000000000ff")) << "no manifest names it";
}

TEST(VerifyCheckpointTest, SaysWhatIsWrongWhere) {
  MemoryFolder folder;
  std::uint64_t last = 0;
  LiveUntilFailure(folder, last);
  const auto sound = VerifyCheckpoint(folder);
  ASSERT_TRUE(sound.ok());
  EXPECT_TRUE(sound.value().faults.empty());
  EXPECT_TRUE(sound.value().strays.empty());
  EXPECT_EQ(sound.value().files, folder.List().value().size());
  EXPECT_GT(sound.value().events, 10u);

  ASSERT_TRUE(folder.Create("stray").ok());
  const auto names = folder.List().value();
  std::string& damaged = folder.Bytes(names[1]);
  damaged[damaged.size() - 1] = static_cast<char>(damaged[damaged.size() - 1] ^ 1);
  ASSERT_TRUE(folder.Remove(names[2]).ok());
  const auto findings = VerifyCheckpoint(folder).value();
  ASSERT_EQ(findings.faults.size(), 2u);
  EXPECT_TRUE(findings.faults[0].starts_with("memory/" + names[1] + ": byte "))
      << findings.faults[0];
  EXPECT_EQ(findings.faults[1], "open " + names[2] + ": not there");
  EXPECT_EQ(findings.strays, std::vector<std::string>{"stray"});
  EXPECT_EQ(SavedCheckpoint::Find(folder, KeyKind::kString).error().code, ErrorCode::kCorruption);
}

TEST(VerifyCheckpointTest, FilesThatHaveBeenExchangedAreSeen) {
  MemoryFolder folder;
  std::uint64_t last = 0;
  LiveUntilFailure(folder, last);
  const auto names = folder.List().value();
  std::swap(folder.Bytes(names[1]), folder.Bytes(names[2]));
  const auto findings = VerifyCheckpoint(folder).value();
  ASSERT_EQ(findings.faults.size(), 2u);
  EXPECT_TRUE(findings.faults[0].starts_with("memory/" + names[1] + ": byte "))
      << "by its size, " << findings.faults[0];
}

TEST(CheckpointStoreTest, ACheckpointWithoutOneOfItsSlicesIsNotWritten) {
  const std::vector<WindowSpec> windows = {{.name = "w", .length = 30, .slide = 10}};
  MemoryFolder folder;
  CheckpointedEngine engine(windows, SmallPolicy(), 2, KeyKind::kString, folder);
  ASSERT_TRUE(engine.Begin());
  engine.harness().Start();
  std::int64_t step = 0;
  for (; step < kSteps; ++step) engine.harness().Feed(SmallStep(step));
  ASSERT_TRUE(engine.Checkpoint().ok());
  std::string newest;
  const std::vector<std::string> names = folder.List().value();
  for (const std::string& name : names) {
    if (SliceFileNumber(name)) newest = name;
  }
  const std::string bytes = folder.Bytes(newest);
  const std::string wanted =
      folder.path() + "/" + newest + ": another process has moved, deleted or changed this file; ";
  folder.Bytes(newest).pop_back();
  Status written = engine.Checkpoint();
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message.substr(0, wanted.size()), wanted);
  folder.Bytes(newest) = bytes;
  EXPECT_TRUE(engine.Checkpoint().ok()) << "it is back";

  ASSERT_TRUE(folder.Remove(newest).ok());
  written = engine.Checkpoint();
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message.substr(0, wanted.size()), wanted);
  // When the slice has left the window, checkpoints succeed again.
  for (; step < kSteps + 20 && !written.ok(); ++step) {
    engine.harness().Feed(SmallStep(step));
    written = engine.Checkpoint();
  }
  EXPECT_TRUE(written.ok()) << written.error().message;
  CheckpointedEngine next(windows, SmallPolicy(), 0, KeyKind::kString, folder);
  EXPECT_TRUE(next.Recover(folder, windows).ok());
}

}  // namespace
}  // namespace sash
