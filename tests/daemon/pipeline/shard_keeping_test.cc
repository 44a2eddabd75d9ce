#include "daemon/pipeline/shard_keeping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "connectors/export/slices/shard_folders.h"
#include "tests/support/kept_log.h"
#include "tests/support/manual_clock.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using std::chrono::seconds;

constexpr Duration kKeptPane = seconds(10);

class NoRefusals final : public RefusalSink {
 public:
  void Refuse(const RefusedRecord&) override {}
};

// A shard with one partition, in which a record of a given second closes the slices before it.
class ShardKeepingTest : public ::testing::Test, private EngineListener {
 protected:
  void Open() {
    ASSERT_TRUE(PrepareShardFolder(path_, {1, 2}).ok());
    Result<std::unique_ptr<ShardManifest>> manifest = ShardManifest::Open(
        {.clock = clock_, .log = log_, .path = path_, .shard = {1, 2}, .pane = kKeptPane});
    ASSERT_TRUE(manifest.ok());
    manifest_ = std::move(manifest).value();
    Result<std::unique_ptr<SliceExport>> slices =
        SliceExport::Open({.path = path_, .kind = ExportKind::kParquet, .slices = true},
                          {.keys = keys_,
                           .partitions = partitions_,
                           .clock = clock_,
                           .log = log_,
                           .pane = kKeptPane,
                           .shard = StreamShard{1, 2},
                           .closed_before = manifest_->closed_before(),
                           .most_waiting = 1 << 20});
    ASSERT_TRUE(slices.ok()) << slices.error().message;
    slices_ = std::move(slices).value();
    Result<std::unique_ptr<DeadLetters>> letters =
        DeadLetters::Open({.path = folder_.File("letters")}, false, log_);
    ASSERT_TRUE(letters.ok());
    letters_ = std::move(letters).value();
    EngineSurroundings around{keys_, partitions_, clock_, refusals_, stats_, progress_, *this};
    around.alone = SlicesAlone{.pane = kKeptPane};
    TimePolicy policy;
    policy.disorder = Duration::zero();
    policy.check_ahead = false;
    engine_.emplace(std::vector<WindowSpec>(), policy, std::move(around));
    keeping_.emplace(ShardKeeping::Parts{
        .slices = *slices_,
        .manifest = *manifest_,
        .dead_letters = *letters_,
        .clock = clock_,
        .commit = [this](const RewindPoint& point) { commits_.push_back(point); }});
    slices_->Start();
    EventBatch batch;
    batch.start.emplace();
    batch.start->partitions.push_back(partitions_.Index("t", 0));
    engine_->Process(batch);
  }
  void Read(int second) {
    EventBatch batch;
    batch.Add({.time = EventTime(seconds(second)),
               .offset = next_offset_++,
               .source = KeyRef::Integer(1),
               .target = KeyRef::Integer(2)});
    engine_->Process(batch);
  }
  std::optional<EventTime> ClosedUntil() {
    keeping_->Note(*engine_, true);
    slices_->Finish();
    return manifest_->closed_until();
  }

  ManualClock clock_{EventTime(seconds(1000))};
  std::vector<RewindPoint> commits_;
  std::unique_ptr<ShardManifest> manifest_;
  const testing::ScratchFolder folder_;
  const std::string path_ = folder_.File("slices");
  KeptLog log_;
  VertexDictionary keys_{KeyKind::kInteger};
  PartitionTable partitions_;
  NoRefusals refusals_;
  EngineStats stats_;
  StreamProgress progress_;
  std::int64_t next_offset_ = 0;
  std::unique_ptr<DeadLetters> letters_;
  std::optional<WindowEngine> engine_;
  std::optional<ShardKeeping> keeping_;
  std::unique_ptr<SliceExport> slices_;

 private:
  void OnAdvance(AdvancePtr) override {}
  bool keeps_slices() const override { return true; }
  bool keeps_places() const override { return true; }
  void OnSlice(ClosedSlice slice) override {
    slices_->Add({slice.slice, slice.logs, slice.ids, slice.filters});
  }
};

TEST_F(ShardKeepingTest, WhatHasClosedIsStatedAndCommitted) {
  Open();
  Read(3);
  Read(14);
  EXPECT_FALSE(ClosedUntil().has_value()) << "the partitions are not known yet";
  keeping_->Begin();
  EXPECT_EQ(ClosedUntil(), EventTime(seconds(10)));
  ASSERT_EQ(commits_.size(), 1u);
  EXPECT_EQ(commits_[0].positions.at(0).offset, 1) << "the first record of the open slice";
  (void)ClosedUntil();
  EXPECT_EQ(commits_.size(), 1u) << "nothing has changed";
}

TEST_F(ShardKeepingTest, NothingIsStatedUntilWhatHadClosedHasClosedAgain) {
  Open();
  keeping_->Begin();
  Read(3);
  Read(24);
  EXPECT_EQ(ClosedUntil(), EventTime(seconds(20)));
  manifest_->Start();
  manifest_->Stop();
  slices_->Stop();
  slices_.reset();
  letters_.reset();
  next_offset_ = 0;
  clock_.Advance(seconds(5));
  Open();
  keeping_->Begin();
  Read(3);
  Read(14);
  (void)ClosedUntil();
  manifest_->Start();
  manifest_->Stop();
  EXPECT_EQ(ReadShardFacts(path_, {1, 2}).value().written, EventTime(seconds(1000)));
  Read(24);
  (void)ClosedUntil();
  Read(35);
  EXPECT_EQ(ClosedUntil(), EventTime(seconds(30)));
}

}  // namespace
}  // namespace sash
