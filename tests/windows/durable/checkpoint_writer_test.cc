#include "windows/durable/checkpoint_writer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/support/engine_harness.h"
#include "tests/support/kept_log.h"
#include "tests/support/memory_folder.h"
#include "tests/support/small_stream.h"
#include "windows/base/mutex.h"
#include "windows/durable/saved_checkpoint.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::MemoryFolder;

// An engine, its checkpoint writer, and a stream with one event in each slice.
class CheckpointWriterTest : public ::testing::Test {
 protected:
  CheckpointWriterTest() { EXPECT_TRUE(store_.Begin({}).ok()); }

  void Start() {
    harness_.Start();
    writer_.Start();
  }

  // Closes another slice and publishes the windows before it.
  void Step() {
    harness_.Feed({{.offset = step_, .time = 10 * step_, .source = step_, .target = 1}});
    ++step_;
    harness_.clock.Advance(std::chrono::seconds(1));
  }
  // The number of advances so far.
  std::uint64_t Published() { return harness_.engine().Capture().advances; }
  void OfferIfDue() {
    if (writer_.IsDue()) writer_.Offer(harness_.engine().Capture());
  }

  void AwaitCommits(std::size_t count) {
    const MutexLock lock(mutex_);
    while (commits_.size() < count) changed_.Wait(mutex_);
  }
  std::size_t Commits() {
    const MutexLock lock(mutex_);
    return commits_.size();
  }
  // The fakes belong to the writer's thread, so it must have stopped.
  std::uint64_t Kept() {
    const auto found = SavedCheckpoint::Find(folder_, KeyKind::kInteger);
    EXPECT_TRUE(found.ok());
    return found.ok() && found.value() ? found.value()->state().numbered : 0;
  }

  MemoryFolder folder_;
  KeptLog log_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<RewindPoint> commits_ SASH_GUARDED_BY(mutex_);
  std::atomic<bool> refusals_are_safe_ = true;
  std::int64_t step_ = 0;
  EngineHarness harness_{{{.name = "w", .length = 30, .slide = 10}},
                         testing::SmallPolicy(),
                         1,
                         KeyKind::kInteger,
                         [this](ClosedSlice slice) { writer_.Add(std::move(slice)); }};
  CheckpointStore store_{folder_, harness_.keys, harness_.partitions};
  CheckpointWriter writer_{std::chrono::seconds(3),
                           {store_, harness_.clock, log_,
                            [this](const EngineState& state) {
                              const MutexLock lock(mutex_);
                              commits_.push_back(state.rewind);
                              changed_.NotifyAll();
                            },
                            [this]() -> Status {
                              if (refusals_are_safe_) return Ok{};
                              return Error{ErrorCode::kUnavailable, "refusals: disk full"};
                            }}};
};

TEST_F(CheckpointWriterTest, AStateIsKeptWhenTheResultsBeforeItAreSafeAndNotBefore) {
  Start();
  for (int i = 0; i < 5; ++i) Step();
  EXPECT_TRUE(writer_.IsDue());
  OfferIfDue();
  const std::uint64_t published = Published();
  ASSERT_GT(published, 0u);
  writer_.Delivered(published - 1);
  EXPECT_EQ(Commits(), 0u);
  writer_.Delivered(published);
  AwaitCommits(1);
  writer_.Stop();
  EXPECT_EQ(Kept(), 5u);
  EXPECT_EQ(writer_.figures().checkpoints, 1u);
  EXPECT_EQ(writer_.figures().waiting_slices, 0u);
  EXPECT_GT(writer_.figures().written, writer_.figures().bytes - 1);
}

TEST_F(CheckpointWriterTest, AStateIsWantedOncePerIntervalAndOneAtATime) {
  Start();
  OfferIfDue();
  AwaitCommits(1);
  EXPECT_FALSE(writer_.IsDue());
  for (int i = 0; i < 3; ++i) Step();
  EXPECT_TRUE(writer_.IsDue());
  OfferIfDue();
  for (int i = 0; i < 3; ++i) Step();
  EXPECT_FALSE(writer_.IsDue()) << "a state waits until its results are safe";
  writer_.Delivered(Published());
  AwaitCommits(2);
  EXPECT_TRUE(writer_.IsDue());
}

TEST_F(CheckpointWriterTest, NoStateIsKeptBeforeWhatWasRefusedIsDurable) {
  refusals_are_safe_ = false;
  Start();
  for (int i = 0; i < 3; ++i) Step();
  OfferIfDue();
  writer_.Delivered(Published());
  while (!writer_.not_ready()) std::this_thread::yield();
  EXPECT_EQ(*writer_.not_ready(), "no checkpoint can be written: refusals: disk full");
  writer_.Stop();
  EXPECT_EQ(Kept(), 0u);
  EXPECT_EQ(Commits(), 0u);
  refusals_are_safe_ = true;
  writer_.Start();
  AwaitCommits(1);
  writer_.Stop();
  EXPECT_EQ(Kept(), 3u);
  EXPECT_FALSE(writer_.not_ready());
}

TEST_F(CheckpointWriterTest, WhileNothingCanBeWrittenNothingIsCommittedAndThenAllIsWellAgain) {
  folder_.FailAt(0, 1000);
  Start();
  for (int i = 0; i < 3; ++i) Step();
  OfferIfDue();
  writer_.Delivered(Published());
  while (!writer_.not_ready()) std::this_thread::yield();
  EXPECT_EQ(*writer_.not_ready(),
            "no checkpoint can be written: create slice-0000000000000000: "
            "No space left on device");
  EXPECT_EQ(Commits(), 0u);
  for (int i = 0; i < 20; ++i) {
    Step();
    OfferIfDue();
  }
  EXPECT_LE(writer_.figures().waiting_slices, 8u) << "slices that left the windows are released";
  writer_.Stop();
  folder_.FailAt(0, 0);
  writer_.WriteLast(harness_.engine().Capture());
  EXPECT_EQ(Commits(), 1u);
  EXPECT_FALSE(writer_.not_ready());
  EXPECT_EQ(Kept(), 23u);
  ASSERT_EQ(log_.lines().size(), 2u) << "one line for each change";
  EXPECT_EQ(log_.lines()[1], "info: checkpoints are written again");
}

TEST_F(CheckpointWriterTest, ACheckpointThatHoldsEverythingDoesNotAge) {
  Start();
  for (int i = 0; i < 3; ++i) Step();
  writer_.NoteUnchanged();
  EXPECT_FALSE(writer_.figures().newest) << "there is no checkpoint";
  OfferIfDue();
  writer_.Delivered(Published());
  while (writer_.figures().checkpoints == 0) std::this_thread::yield();
  harness_.clock.Advance(std::chrono::minutes(20));
  writer_.NoteUnchanged();
  EXPECT_EQ(writer_.figures().newest, harness_.clock.Steady());
  Step();
  OfferIfDue();  // its results are not safe
  const auto before = writer_.figures().newest;
  harness_.clock.Advance(std::chrono::minutes(20));
  writer_.NoteUnchanged();
  EXPECT_EQ(writer_.figures().newest, before);
}

}  // namespace
}  // namespace sash
