#include "windows/slide/window_board.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/read_at_the_end.h"

namespace sash {
namespace {

// A window has an advance, a history, a live window and a pin, and readers read the board when
// these are destroyed.
class WindowBoardTest : public ::testing::Test {
 protected:
  WindowBoardTest() {
    board_.Put({.name = "w", .length = 1, .slide = 1});
    board_.SetNewest("w", end_.Make<Advance>());
    board_.SetHistory("w", end_.Make<WindowHistory>(nullptr, 1));
    board_.SetLive("w", end_.Make<LiveWindow>());
    board_.SetPin(end_.Make<IdPin>(pins_, 1));
  }
  void ExpectFreed(int objects) {
    EXPECT_EQ(end_.ended(), objects);
    EXPECT_EQ(end_.Waited(), 0) << "it was destroyed under the lock of the board";
  }

  void TearDown() override {
    board_.Remove("w");
    (void)end_.Waited();
  }

  const std::shared_ptr<PinBoard> pins_ = std::make_shared<PinBoard>();
  testing::ReadAtTheEnd end_{[this] { (void)board_.Find("w"); }};
  WindowBoard board_;
};

TEST_F(WindowBoardTest, ReadersDoNotWaitWhileAnEarlierAdvanceIsDestroyed) {
  board_.SetNewest("w", nullptr);
  ExpectFreed(1);
}

TEST_F(WindowBoardTest, ReadersDoNotWaitWhileAnEarlierHistoryIsDestroyed) {
  board_.SetHistory("w", nullptr);
  ExpectFreed(2);
  EXPECT_EQ(board_.Pin(), nullptr) << "no window has a history";
}

TEST_F(WindowBoardTest, ReadersDoNotWaitWhileAnEarlierLiveWindowIsDestroyed) {
  board_.SetLive("w", nullptr);
  ExpectFreed(1);
}

TEST_F(WindowBoardTest, ReadersDoNotWaitWhileAnEarlierPinIsDestroyed) {
  board_.SetPin(nullptr);
  ExpectFreed(1);
}

TEST_F(WindowBoardTest, ReadersDoNotWaitWhileAWindowThatLeavesIsDestroyed) {
  board_.Remove("w");
  ExpectFreed(4);
  EXPECT_TRUE(board_.Windows().empty());
}

}  // namespace
}  // namespace sash
