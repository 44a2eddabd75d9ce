#include "windows/store/slice_archive.h"

#include <gtest/gtest.h>

#include "tests/support/store_script.h"

namespace sash {
namespace {

class SliceArchiveTest : public ::testing::Test {
 protected:
  // A window of at most two slices.
  void Enter() {
    archive_->Add(testing::MakeSlice(++newest_, {testing::Add(1, 2)}));
    if (newest_ > 2) window_->AgeOutOldest();
  }

  std::uint64_t newest_ = 0;
  const std::shared_ptr<SliceArchive> archive_ =
      std::make_shared<SliceArchive>(DuplicatesPolicy::kKeep, EdgeIdentity::kPair);
  const std::unique_ptr<WindowStore> window_ = archive_->Open(0);
};

TEST_F(SliceArchiveTest, KeepsTheSlicesOfAWindowThatIsHeld) {
  for (int i = 0; i < 3; ++i) Enter();
  std::shared_ptr<const void> held = archive_->Hold(3, 2);
  ASSERT_NE(held, nullptr);
  for (int i = 0; i < 4; ++i) Enter();
  EXPECT_EQ(archive_->size(), 6u);
  EXPECT_NE(archive_->WindowOf(3, 2, 3), nullptr);
  EXPECT_EQ(archive_->WindowOf(2, 2, 3), nullptr);
  const std::shared_ptr<const void> later = archive_->Hold(6, 2);
  held.reset();
  Enter();
  EXPECT_EQ(archive_->size(), 4u);
  EXPECT_EQ(archive_->WindowOf(3, 2, 3), nullptr);
  EXPECT_NE(archive_->WindowOf(6, 2, 3), nullptr);
}

TEST_F(SliceArchiveTest, HoldsOnlyWindowsThatItHas) {
  for (int i = 0; i < 3; ++i) Enter();
  EXPECT_EQ(archive_->Hold(2, 2), nullptr);  // its first slice is gone
  EXPECT_EQ(archive_->Hold(4, 1), nullptr);
  EXPECT_NE(archive_->Hold(3, 2), nullptr);
}

TEST_F(SliceArchiveTest, AHeldWindowOutlivesItsOwner) {
  Enter();
  const std::shared_ptr<const void> held = archive_->Hold(1, 1);
  EXPECT_EQ(archive_.use_count(), 3);  // of this test, of the window and of the hold
}

}  // namespace
}  // namespace sash
