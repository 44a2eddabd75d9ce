#include "daemon/changes/run_time_windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/daemon/changes/ended_replay.h"

namespace sash {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;

class RunTimeWindowsTest : public ::testing::Test {
 protected:
  static WindowSpec Window(const std::string& name, int length, int slide) {
    WindowSpec spec;
    spec.name = name;
    spec.length = Duration(seconds(length)).count();
    spec.slide = Duration(seconds(slide)).count();
    return spec;
  }

  EndedReplay replay_;
  RunTimeWindows windows_{replay_.pipeline()};
};

TEST_F(RunTimeWindowsTest, NamesSpecsAndPanesAreThoseOfTheEngine) {
  ASSERT_TRUE(windows_.Put({Window("v", 20, 20)}).ok());
  EXPECT_THAT(windows_.Names(), ElementsAre("w", "v"));
  EXPECT_EQ(windows_.Specs().back(), Window("v", 20, 20));
  EXPECT_EQ(windows_.Panes().at(WindowAxis::kEventTime), Duration(seconds(10)).count());
}

TEST_F(RunTimeWindowsTest, AllWindowsComeOrNone) {
  const Status put = windows_.Put({Window("good", 20, 10), Window("uneven", 15, 5)});
  ASSERT_FALSE(put.ok());
  EXPECT_EQ(put.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(windows_.Names(), ElementsAre("w"));
}

TEST_F(RunTimeWindowsTest, AWindowThatIsAlreadyThereNeedsNoEngine) {
  replay_.pipeline().Stop();
  EXPECT_TRUE(windows_.Put(windows_.Specs()).ok());
  EXPECT_FALSE(windows_.Put({Window("v", 10, 10)}).ok()) << "the engine takes no more commands";
}

TEST_F(RunTimeWindowsTest, OthersLeaveAndTheLastWindowStays) {
  ASSERT_TRUE(windows_.Put({Window("v", 20, 10), Window("u", 30, 10)}).ok());
  windows_.RemoveOthers({Window("v", 20, 10)});
  windows_.ForgetGone();
  EXPECT_THAT(windows_.Names(), ElementsAre("v"));
  EXPECT_FALSE(windows_.IsLeaving("u"));
  EXPECT_EQ(windows_.Remove("v").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(windows_.Remove("u").error().code, ErrorCode::kNotFound);
  EXPECT_THAT(windows_.Names(), ElementsAre("v"));
}

}  // namespace
}  // namespace sash
