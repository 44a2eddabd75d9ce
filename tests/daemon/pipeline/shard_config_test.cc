#include "daemon/pipeline/shard_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace sash {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;

WindowSpec SlidingBy(int slide, std::string where) {
  WindowSpec window;
  window.name = "w" + std::to_string(slide);
  window.length = Duration(seconds(60 * slide)).count();
  window.slide = Duration(seconds(slide)).count();
  window.where = std::move(where);
  return window;
}

Config WholeStream() {
  Config config;
  KafkaSpec kafka;
  kafka.brokers = "k:1";
  kafka.topics = {"t"};
  config.source.connector = kafka;
  config.source.dead_letters = {.path = "d/letters.jsonl"};
  config.source.time.dedupe_within = seconds(600);
  config.windows = {SlidingBy(6, "/a > 1"), SlidingBy(4, "")};
  config.jobs.emplace_back().name = "j";
  FileSinkSpec file;
  file.path = "r";
  config.sinks.emplace_back(file);
  config.exports = {{.path = "w", .windows = {"w4"}, .kind = ExportKind::kParquet},
                    {.path = "s", .kind = ExportKind::kParquet, .slices = true}};
  config.recovery = {.kind = RecoveryConfig::Kind::kCheckpoint, .is_placed = true};
  return config;
}

TEST(ShardConfigTest, OnlyTheExportOfSlicesStays) {
  Config config = WholeStream();
  std::get<KafkaSpec>(config.source.connector).shard = StreamShard{2, 4};
  ReduceToShard(config);
  ASSERT_TRUE(config.alone.has_value());
  EXPECT_EQ(config.alone->pane, seconds(2));
  EXPECT_THAT(config.alone->filters, ElementsAre("/a > 1"));
  EXPECT_TRUE(config.windows.empty() && config.jobs.empty() && config.sinks.empty());
  ASSERT_EQ(config.exports.size(), 1u);
  EXPECT_EQ(config.exports[0].path, "s");
  EXPECT_EQ(config.source.time.dedupe_within, Duration::zero());
  EXPECT_FALSE(config.recovery.is_placed);
  EXPECT_EQ(config.recovery.kind, RecoveryConfig::Kind::kReplay);
  EXPECT_EQ(config.source.dead_letters.path, "d/letters.shard-2-of-4.jsonl");
}

TEST(ShardConfigTest, AProcessThatReadsEverythingKeepsItsConfiguration) {
  Config config = WholeStream();
  ReduceToShard(config);
  EXPECT_FALSE(config.alone.has_value());
  EXPECT_EQ(config.windows.size(), 2u);
  EXPECT_EQ(config.exports.size(), 2u);
  EXPECT_EQ(config.source.dead_letters.path, "d/letters.jsonl");
}

TEST(ShardConfigTest, AShardIsNamedBeforeTheEnding) {
  EXPECT_EQ(PathOfShard("letters", {1, 2}), "letters.shard-1-of-2");
  EXPECT_EQ(PathOfShard("/a/b.c/d.e", {1, 2}), "/a/b.c/d.shard-1-of-2.e");
}

}  // namespace
}  // namespace sash
