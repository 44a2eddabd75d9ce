#include "windows/ingest/partition_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace sash {
namespace {

TEST(PartitionTableTest, ALifeHasAnIndexOfItsOwnAndTheNewestStandsForThePartition) {
  PartitionTable table;
  EXPECT_EQ(table.Newest("edges", 0), (TopicPartition{"edges", 0, 0}));
  EXPECT_EQ(table.Index("edges", 0), 0u);
  EXPECT_EQ(table.Index("edges", 1), 1u);
  EXPECT_EQ(table.Renew("edges", 0), 2u);
  EXPECT_EQ(table.Index("edges", 0), 2u);
  EXPECT_EQ(table.Renew("edges", 0), 3u);
  EXPECT_EQ(table.At(3), (TopicPartition{"edges", 0, 2}));
  EXPECT_EQ(table.Newest("edges", 0), table.At(3));
  EXPECT_FALSE(table.IsNewest(0));
  EXPECT_TRUE(table.IsNewest(1));
  EXPECT_FALSE(table.IsNewest(2));
  EXPECT_TRUE(table.IsNewest(3));
  EXPECT_EQ(table.Find({"edges", 0, 1}), 2u);
  EXPECT_FALSE(table.Find({"edges", 0, 3}));
  // As named in a file, which may have another order.
  EXPECT_EQ(table.Index(TopicPartition{"edges", 2, 1}), 4u);
  EXPECT_EQ(table.Index(TopicPartition{"edges", 2, 0}), 5u);
  EXPECT_TRUE(table.IsNewest(4));
  EXPECT_EQ(table.Index("edges", 2), 4u);
}

TEST(PartitionTableTest, WhatWasNeverThereIsRenewedIntoItsFirstLife) {
  PartitionTable table;
  EXPECT_EQ(table.At(table.Renew("edges", 0)).life, 0u);
}

TEST(PartitionTableTest, EventsOfAnEarlierLifeTakeEffectFirst) {
  PartitionTable table;
  table.Index("b", 0);
  table.Index("a", 1);
  table.Renew("a", 1);
  table.Index("a", 0);
  EXPECT_EQ(table.Ranks(), (std::vector<std::uint32_t>{3, 1, 2, 0}));
}

}  // namespace
}  // namespace sash
