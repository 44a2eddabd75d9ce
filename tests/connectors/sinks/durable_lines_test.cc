#include "connectors/sinks/durable_lines.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/connectors/sinks/full_disk.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using testing::Contents;
using testing::FullDisk;
using testing::ScratchFolder;

class DurableLinesTest : public ::testing::Test {
 protected:
  const ScratchFolder folder_;
  const std::string path_ = folder_.File("lines");
  DurableLines lines_{AppendFile::Open(path_).value()};
};

TEST_F(DurableLinesTest, KeepsEachLineInMemoryUntilItIsDurable) {
  lines_.Add("one\n");
  lines_.Add("three\n");
  ASSERT_TRUE(lines_.Write().ok());
  EXPECT_EQ(Contents(path_), "one\nthree\n");
  EXPECT_EQ(lines_.kept_bytes(), 10u);
  ASSERT_NE(lines_.At(4), nullptr);
  EXPECT_EQ(*lines_.At(4), "three\n");
  EXPECT_EQ(lines_.At(3), nullptr);
  ASSERT_TRUE(lines_.Sync().ok());
  EXPECT_EQ(lines_.kept_bytes(), 0u);
  EXPECT_EQ(lines_.At(4), nullptr);
  EXPECT_EQ(lines_.end(), 10u);
}

TEST_F(DurableLinesTest, ALineThatADiskHeldBackComesToThePlaceItWasPromised) {
  lines_.Add("one\n");
  ASSERT_TRUE(lines_.Sync().ok());
  {
    const FullDisk full(6);
    lines_.Add("three\n");
    EXPECT_FALSE(lines_.Sync().ok());
    lines_.Add("four\n");
    EXPECT_FALSE(lines_.Write().ok());
    EXPECT_EQ(Contents(path_), "one\n");
    EXPECT_EQ(*lines_.At(10), "four\n");
  }
  ASSERT_TRUE(lines_.Sync().ok());
  EXPECT_EQ(Contents(path_), "one\nthree\nfour\n");
  EXPECT_EQ(lines_.written(), 3u);
}

TEST_F(DurableLinesTest, TheOldestIsDroppedOnlyWhileItIsNotInTheFile) {
  {
    const FullDisk full(0);
    for (const char* line : {"one\n", "three\n", "four\n"}) lines_.Add(line);
    EXPECT_FALSE(lines_.Write().ok());
    EXPECT_TRUE(lines_.DropOldest());
    EXPECT_EQ(*lines_.At(0), "three\n");
    EXPECT_EQ(*lines_.At(6), "four\n");
    EXPECT_EQ(lines_.end(), 11u);
  }
  ASSERT_TRUE(lines_.Write().ok());
  EXPECT_FALSE(lines_.DropOldest());
  EXPECT_EQ(Contents(path_), "three\nfour\n");
}

TEST_F(DurableLinesTest, BeginsAnewOnceCleared) {
  lines_.Add("one\n");
  ASSERT_TRUE(lines_.Sync().ok());
  lines_.Add("three\n");
  ASSERT_TRUE(lines_.Clear().ok());
  EXPECT_EQ(Contents(path_), "");
  lines_.Add("four\n");
  ASSERT_TRUE(lines_.Sync().ok());
  EXPECT_EQ(Contents(path_), "four\n");
  EXPECT_EQ(lines_.end(), 5u);
}

}  // namespace
}  // namespace sash
