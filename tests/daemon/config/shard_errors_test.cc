// source.kafka.partitions: what is read, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

std::string ShardErrors(const std::string& yaml) { return AllErrors(Parsed(yaml, "test.yaml")); }

std::string Shard(std::string_view shard) {
  return Replaced(kGood, "    topics: [a, b]\n",
                  "    topics: [a, b]\n    partitions: " + std::string(shard) + "\n");
}

TEST(ShardErrorsTest, AShardHasItsNumberAndThatOfAll) {
  const Config config = ParseGood(Shard("{shard: 2, of: 4}"));
  ASSERT_NE(config.source.shard(), nullptr);
  EXPECT_EQ(*config.source.shard(), (StreamShard{2, 4}));
  EXPECT_THAT(PrintConfig(config), HasSubstr("partitions: {shard: 2, of: 4}"));
  EXPECT_EQ(ParseGood(kGood).source.shard(), nullptr);
  EXPECT_THAT(ShardErrors(Shard("{shard: 5, of: 4}")),
              HasSubstr("source.kafka.partitions.shard: must be from 1 to `of` (4), not 5"));
  EXPECT_THAT(ShardErrors(Shard("{shard: 0, of: 4}")),
              HasSubstr("source.kafka.partitions.shard: "));
  EXPECT_THAT(ShardErrors(Shard("{shard: 1}")),
              HasSubstr("source.kafka.partitions.of: is required"));
  EXPECT_THAT(ShardErrors(Shard("{of: 3}")),
              HasSubstr("source.kafka.partitions.shard: is required"));
}

}  // namespace
}  // namespace sash
