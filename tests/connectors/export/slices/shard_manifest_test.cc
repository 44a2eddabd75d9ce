// The manifests of shards: what they state, and what a shard makes of those of the others.
#include "connectors/export/slices/shard_manifest.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/export/own_folder.h"
#include "connectors/export/slices/shard_folders.h"
#include "connectors/export/slices/slice_folder.h"
#include "tests/connectors/export/shared_folder.h"
#include "tests/support/kept_log.h"
#include "tests/support/manual_clock.h"

namespace sash {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using testing::NamesIn;

EventTime Second(std::int64_t second) { return EventTime(seconds(second)); }

ShardFacts FactsOfShard(std::int32_t number) {
  return {.shard = {number, 3},
          .pane = seconds(10),
          .keys = KeyKind::kInteger,
          .mapping = "m",
          .partitions = {{{"t", number - 1, 0}, Second(100), false}},
          .watermark = Second(95),
          .closed_until = Second(90),
          .counts = {{{}, 1, 2}, {Second(90), 3, 4}},
          .written = Second(1000)};
}

class ShardManifestTest : public ::testing::Test {
 protected:
  // The shard 1 of 3.
  ShardManifest& Open() {
    manifest_.reset();
    EXPECT_TRUE(PrepareShardFolder(path_, {1, 3}).ok());
    Result<std::unique_ptr<ShardManifest>> opened = ShardManifest::Open({.clock = clock_,
                                                                         .log = log_,
                                                                         .path = path_,
                                                                         .shard = {1, 3},
                                                                         .pane = seconds(10),
                                                                         .keys = KeyKind::kInteger,
                                                                         .mapping = "m"});
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    manifest_ = std::move(opened).value();
    return *manifest_;
  }
  void Write(const ShardFacts& facts) const {
    ASSERT_TRUE(PrepareShardFolder(path_, facts.shard).ok());
    const OwnedDescriptor folder = OpenFolderAt(AT_FDCWD, ShardPath(path_, facts.shard));
    const Status written = WriteShardFacts(folder.number(), facts);
    ASSERT_TRUE(written.ok()) << written.error().message;
  }
  // What the shard makes of the others' manifests, which it reads at its start.
  OtherPartitions::Standing Heard() {
    ShardManifest& manifest = Open();
    ShardFacts own = FactsOfShard(1);
    own.partitions[0].is_idle = true;
    manifest.Publish(own);
    manifest.Start();
    manifest.Stop();  // after it has looked once
    return manifest.Now();
  }
  std::optional<ShardFacts> Read(std::int32_t number) const {
    const Result<ShardFacts> read = ReadShardFacts(path_, {number, 3});
    return read ? std::optional(read.value()) : std::nullopt;
  }

  const testing::SharedFolder scratch_;
  const std::string path_ = scratch_.File("slices");
  ManualClock clock_{Second(1000)};
  KeptLog log_;
  std::unique_ptr<ShardManifest> manifest_;
};

TEST_F(ShardManifestTest, IsReadAsItWasWritten) {
  const ShardFacts facts = FactsOfShard(2);
  const Result<ShardFacts> parsed = ParseShardText(ShardText(facts));
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(parsed.value(), facts);
  ShardFacts empty{.shard = {3, 3}, .pane = seconds(1)};
  EXPECT_EQ(ParseShardText(ShardText(empty)).value(), empty);
  EXPECT_TRUE(empty.is_idle()) << "it has no partition";
  for (const char* member :
       {"shard", "pane_ns", "partitions", "watermark", "closed_until", "counts", "written"}) {
    std::string text = ShardText(facts);
    text.replace(text.find(std::string("\"") + member + "\"") + 1, 1, "X");
    EXPECT_THAT(ParseShardText(text).error().message, HasSubstr(member));
  }
}

TEST_F(ShardManifestTest, ClosedUntilNeverFallsNotEvenAfterARestart) {
  ShardManifest& first = Open();
  EXPECT_FALSE(first.closed_before().has_value());
  first.Start();
  first.Publish(FactsOfShard(1));
  ShardFacts less = FactsOfShard(1);
  less.closed_until = Second(80);
  first.Publish(less);
  first.Stop();
  EXPECT_EQ(Read(1)->closed_until, Second(90));
  ShardManifest& second = Open();
  EXPECT_EQ(second.closed_before(), Second(90));
  second.Start();
  less.closed_until.reset();
  second.Publish(less);
  second.Stop();
  EXPECT_EQ(Read(1)->closed_until, Second(90));
}

TEST_F(ShardManifestTest, TheLeastOfTheActiveShardsIsFollowed) {
  Write(FactsOfShard(2));
  ShardFacts ahead = FactsOfShard(3);
  ahead.watermark = Second(300);
  Write(ahead);
  EXPECT_EQ(Heard().until, Second(95));
  EXPECT_FALSE(manifest_->Now().are_idle);
  EXPECT_FALSE(manifest_->not_ready().has_value());
  ShardFacts idle = FactsOfShard(2);
  idle.partitions[0].is_idle = true;
  Write(idle);
  EXPECT_EQ(Heard().until, Second(300)) << "shard 2 does not hold it any more";
  ahead.partitions.clear();
  Write(ahead);
  EXPECT_EQ(Heard().until, Second(300)) << "all are idle: as far as one of them came";
  EXPECT_TRUE(manifest_->Now().are_idle);
}

TEST_F(ShardManifestTest, AShardThatIsNotHeardOfHoldsTheOthersAndIsNamed) {
  Write(FactsOfShard(2));
  EXPECT_FALSE(Heard().until.has_value()) << "shard 3 has never run";
  EXPECT_THAT(manifest_->not_ready().value_or(""),
              HasSubstr("shard 1-of-3 is idle, and closes no further slice while it cannot follow "
                        "shard 3-of-3 (there is no "));
  ShardFacts idle = FactsOfShard(3);
  idle.partitions[0].is_idle = true;
  Write(idle);
  EXPECT_EQ(Heard().until, Second(95));
  clock_.SetNow(Second(1011));
  Write([&] {
    ShardFacts fresh = FactsOfShard(2);
    fresh.written = Second(1011);
    return fresh;
  }());
  EXPECT_EQ(Heard().until, Second(90)) << "what shard 3 had closed itself";
  EXPECT_THAT(manifest_->not_ready().value_or(""), HasSubstr("shard 3-of-3 (its manifest is old"));
}

TEST_F(ShardManifestTest, AShardOfAnotherStreamHoldsTheOthers) {
  ShardFacts other = FactsOfShard(2);
  other.pane = seconds(7);
  other.partitions.clear();
  Write(other);
  Write(FactsOfShard(3));
  EXPECT_EQ(Heard().until, Second(90));
  EXPECT_THAT(manifest_->not_ready().value_or(""),
              HasSubstr("shard 2-of-3 (its windows have another pane)"));
}

TEST_F(ShardManifestTest, AFolderHasShardsOfOneNumberOnly) {
  ASSERT_TRUE(PrepareShardFolder(path_, {2, 3}).ok());
  EXPECT_TRUE(PrepareShardFolder(path_, {1, 3}).ok());
  const Status other = PrepareShardFolder(path_, {1, 4});
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(
      other.error().message,
      HasSubstr("it has slices of 3 shards (shard-1-of-3), and source.kafka.partitions says "
                "`of: 4`; give another path, or remove the folder"));
  EXPECT_THAT(NamesIn(path_), ::testing::ElementsAre("shard-1-of-3", "shard-2-of-3"));
  const OwnedDescriptor folder = OpenFolderAt(AT_FDCWD, path_);
  EXPECT_THAT(CheckWithoutShards(path_, folder.number()).error().message,
              HasSubstr("it has the slices of shards (shard-1-of-3)"));
}

TEST_F(ShardManifestTest, AFolderOfOneProcessIsNotSplit) {
  std::filesystem::create_directory(path_);
  EXPECT_TRUE(PrepareShardFolder(path_, {1, 2}).ok()) << "it is empty";
  std::filesystem::remove_all(path_ + "/shard-1-of-2");
  std::ofstream(path_ + "/" + SliceTextName(1)) << "{}";
  EXPECT_THAT(PrepareShardFolder(path_, {1, 2}).error().message,
              HasSubstr("it has slices of one sashd (slice-0000000001.json), and this is shard "
                        "1-of-2"));
  EXPECT_FALSE(std::filesystem::exists(path_ + "/shard-1-of-2"));
}

TEST_F(ShardManifestTest, ADamagedManifestStopsItsOwnShardAndHoldsTheOthers) {
  Write(FactsOfShard(2));
  Write(FactsOfShard(3));
  std::ofstream(ShardPath(path_, {2, 3}) + "/" + kShardTextName) << "{";
  EXPECT_FALSE(Heard().until.has_value());
  EXPECT_THAT(manifest_->not_ready().value_or(""), HasSubstr("it is not the manifest of a shard"));
  manifest_.reset();
  std::ofstream(ShardPath(path_, {1, 3}) + "/" + kShardTextName) << "{";
  const auto opened = ShardManifest::Open(
      {.clock = clock_, .log = log_, .path = path_, .shard = {1, 3}, .pane = seconds(10)});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::kCorruption);
}

}  // namespace
}  // namespace sash
