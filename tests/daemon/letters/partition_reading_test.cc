#include "daemon/letters/partition_reading.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

TEST(PartitionReadingTest, ABatchThatIsSkippedIsLost) {
  PartitionReading reading(2, 10);
  EXPECT_FALSE(reading.Reach(4)) << "transactions and compaction leave gaps";
  reading.Pass(4);
  reading.NoteUnreadable("bad checksum");
  const auto lost = reading.Reach(8);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->first, 5);
  EXPECT_EQ(lost->last, 7);
  EXPECT_EQ(lost->why, "bad checksum");
  EXPECT_FALSE(reading.Reach(8)) << "it is told once";
  reading.Pass(9);
  EXPECT_TRUE(reading.is_done());
}

TEST(PartitionReadingTest, WhatCameAfterTheEndIsNotLost) {
  PartitionReading reading(2, 10);
  reading.NoteUnreadable("bad checksum");
  const auto lost = reading.Reach(30);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->last, 9);
}

TEST(PartitionReadingTest, ABatchThatCanBeReadLaterIsNotLost) {
  PartitionReading reading(2, 10);
  reading.NoteUnreadable("bad checksum");
  EXPECT_FALSE(reading.Reach(2));
}

TEST(PartitionReadingTest, WhatRetentionDeletedIsNotLost) {
  PartitionReading reading(2, 10);
  reading.NoteUnreadable("bad checksum");
  reading.BeginAt(6);
  EXPECT_EQ(reading.next(), 6);
  EXPECT_FALSE(reading.Reach(7));
  reading.BeginAt(3);
  EXPECT_EQ(reading.next(), 6);
  reading.BeginAt(12);
  EXPECT_TRUE(reading.is_done());
}

}  // namespace
}  // namespace sash
