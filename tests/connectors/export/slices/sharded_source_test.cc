// The source of exported slices over those of shards: their rows are those of one process, in the
// same order, and what is missing is named.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/export/own_folder.h"
#include "connectors/export/slices/shard_folders.h"
#include "connectors/export/slices/slice_export.h"
#include "connectors/export/slices/slice_source.h"
#include "tests/connectors/export/shared_folder.h"
#include "tests/connectors/export/slices/closed_slices.h"
#include "tests/support/kept_log.h"
#include "tests/support/manual_clock.h"

namespace sash {
namespace {

using testing::ClosedSlices;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SlicedEdge;

// The stream of one process, whose folder is "one", or that of two shards: topic u is in the first
// shard, and t and v are in the second.
class ShardedSourceTest : public ::testing::Test {
 protected:
  static constexpr std::int32_t kShards = 2;

  static EventTime Second(std::int64_t second) { return EventTime(std::chrono::seconds(second)); }

  static std::vector<SlicedEdge> Edges() {
    std::vector<SlicedEdge> edges;
    for (const char* topic : {"v", "u", "t"}) {
      for (std::int64_t second = 0; second < 40; second += 4) {
        edges.push_back({.seconds = second, .source = topic, .target = "x", .topic = topic});
      }
    }
    return edges;
  }
  static std::int32_t ShardOf(const std::string& topic) { return topic == "u" ? 1 : 2; }

  // Exports the slices of the shard with this number; 0: those of one process.
  void Export(std::int32_t number, FilterTexts filters = {}) {
    ClosedSlices slices(std::move(filters));
    for (const SlicedEdge& edge : Edges()) {
      if (number == 0 || ShardOf(edge.topic) == number) slices.Add(edge);
    }
    SliceSurroundings around{.keys = slices.keys,
                             .partitions = slices.partitions,
                             .clock = clock_,
                             .log = log_,
                             .pane = Duration(ClosedSlices::kPane),
                             .mapping = "m",
                             .most_waiting = 1 << 30};
    if (number > 0) {
      around.shard = StreamShard{number, kShards};
      ASSERT_TRUE(PrepareShardFolder(path_, *around.shard).ok());
    }
    const ExportSpec spec{
        .path = number == 0 ? one_ : path_, .kind = ExportKind::kParquet, .slices = true};
    Result<std::unique_ptr<SliceExport>> opened = SliceExport::Open(spec, std::move(around));
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    opened.value()->Start();
    for (int i = 0; i < 4; ++i) opened.value()->Add(slices.Close());
    opened.value()->Finish();
    if (number > 0) State(number, Second(40));
  }
  void State(std::int32_t number, std::optional<EventTime> until, std::string mapping = "m") {
    const StreamShard shard{number, kShards};
    const OwnedDescriptor folder = OpenFolderAt(AT_FDCWD, ShardPath(path_, shard));
    const Status written = WriteShardFacts(folder.number(), {.shard = shard,
                                                             .pane = Duration(ClosedSlices::kPane),
                                                             .mapping = std::move(mapping),
                                                             .closed_until = until});
    ASSERT_TRUE(written.ok()) << written.error().message;
  }
  void ExportShards() {
    Export(1);
    Export(2);
  }

  // Each row and the end of each slice, as the batches have them.
  std::vector<std::string> Read(const std::string& path, std::optional<ReplaySpan> span = {}) {
    BatchQueue queue(1 << 30);
    PartitionTable partitions;
    StreamProgress progress;
    SliceSource source({.path = path, .span = span},
                       {.pane = Duration(ClosedSlices::kPane), .filters = filters_}, partitions,
                       queue, progress, log_);
    std::vector<std::string> read;
    if (const Status started = source.Start(); !started) return {started.error().message};
    while (true) {
      const std::optional<EventBatch> batch = queue.Pop(std::chrono::milliseconds(10));
      if (!batch && source.status().failure) break;
      if (!batch) continue;
      for (const EdgeEvent& event : batch->events()) {
        read.push_back(partitions.At(event.partition).topic + std::to_string(event.offset));
        if (batch->unjudged != 0) read.back() += "?";
      }
      if (batch->pane && batch->pane->lost_before) read.push_back("lost");
      if (batch->pane && batch->pane->is_whole) read.push_back("|");
      if (batch->end_of_source) return read;
    }
    read.push_back(*source.status().failure);
    return read;
  }
  std::string Why(std::optional<ReplaySpan> span = {}) {
    const std::vector<std::string> read = Read(path_, span);
    return read.size() == 1 ? read.front() : "nothing";
  }

  const testing::SharedFolder scratch_;
  const std::string path_ = scratch_.File("slices");
  const std::string one_ = scratch_.File("one");
  ManualClock clock_{Second(1000)};
  KeptLog log_;
  FilterTexts filters_;
};

TEST_F(ShardedSourceTest, RowsComeInTheOrderOfOneProcess) {
  Export(0);
  ExportShards();
  const std::vector<std::string> expected = Read(one_);
  EXPECT_EQ(expected.size(), Edges().size() + 4);
  EXPECT_EQ(Read(path_), expected);
  const ReplaySpan span{Second(10), Second(30)};
  EXPECT_EQ(Read(path_, span), Read(one_, span));
}

TEST_F(ShardedSourceTest, WhatNotAllHaveClosedIsLeftOutAndNamed) {
  ExportShards();
  State(2, Second(20));
  const std::vector<std::string> whole = Read(path_);
  EXPECT_THAT(Read(path_, ReplaySpan{Second(0), Second(20)}), whole);
  EXPECT_EQ(std::ranges::count(whole, "|"), 2);
  EXPECT_THAT(log_.lines(),
              Contains(HasSubstr("it is read until 1970-01-01T00:00:20.000Z, since its slices are "
                                 "closed only so far by shard 2-of-2; 4 further slices")));
  EXPECT_THAT(Why(ReplaySpan{Second(0), Second(30)}),
              HasSubstr("closed only until 1970-01-01T00:00:20.000Z by shard 2-of-2"));
  State(2, {});
  EXPECT_THAT(Why(), HasSubstr("shard-2-of-2: it has closed nothing"));
}

TEST_F(ShardedSourceTest, AShardThatIsMissingIsNamed) {
  Export(2);
  EXPECT_THAT(Why(), HasSubstr("it has no shard-1-of-2; "));
  ASSERT_TRUE(PrepareShardFolder(path_, {1, 2}).ok());
  EXPECT_THAT(Why(), HasSubstr("shard-1-of-2/shard.json; a shard writes it each second"));
  Export(1);
  EXPECT_EQ(Read(path_).size(), Edges().size() + 4);
}

TEST_F(ShardedSourceTest, ShardsOfAnotherStreamAreRefused) {
  ExportShards();
  State(2, Second(40), "another");
  EXPECT_THAT(Why(), HasSubstr("shard-2-of-2: its mapping is another one than in shard 1-of-2"));
  State(2, Second(40));
  namespace fs = std::filesystem;
  fs::create_directory(path_ + "/shard-1-of-3");
  EXPECT_THAT(Why(), HasSubstr("it has shard-1-of-3 as well as shard-1-of-2"));
  fs::remove(path_ + "/shard-1-of-3");
  const std::string slice = "/slice-0000000001.json";
  fs::copy_file(path_ + "/shard-1-of-2" + slice, path_ + slice);
  EXPECT_THAT(Why(), HasSubstr("it has slice-0000000001.json as well as"));
  fs::remove(path_ + slice);
  fs::copy_file(path_ + "/shard-1-of-2" + slice, path_ + "/shard-2-of-2" + slice,
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(Why(), HasSubstr("slice-0000000001.json: it is not a slice of this shard"));
  EXPECT_THAT(Read(path_ + "/shard-1-of-2"),
              ElementsAre(HasSubstr("those of shard 1 of 2, which are a part of the stream")));
}

TEST_F(ShardedSourceTest, ADamagedTableIsNamedWithItsShard) {
  ExportShards();
  std::filesystem::resize_file(path_ + "/shard-2-of-2/slice-0000000002.parquet", 20);
  const std::vector<std::string> read = Read(path_);
  EXPECT_EQ(std::ranges::count(read, "|"), 1);
  EXPECT_THAT(read.back(), HasSubstr(path_ + "/shard-2-of-2/slice-0000000002.parquet: "));
}

TEST_F(ShardedSourceTest, RowsOfAShardThatDoesNotKnowAFilterAreNotJudged) {
  filters_ = {"f"};
  Export(1, {"f"});
  Export(2);
  std::vector<std::string> first = Read(path_);
  first.erase(std::ranges::find(first, "|"), first.end());
  EXPECT_THAT(first, ElementsAre("t0?", "t1?", "t2?", "u0", "u1", "u2", "v0?", "v1?", "v2?"));
}

}  // namespace
}  // namespace sash
