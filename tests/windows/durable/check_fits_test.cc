// Which windows a saved state fits.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/memory_folder.h"
#include "tests/windows/durable/recovered_engine.h"

namespace sash {
namespace {

using testing::CheckpointedEngine;
using testing::MemoryFolder;

TEST(CheckFitsTest, OtherWindowsAreNamed) {
  const WindowSpec minute{.name = "minute", .length = 60, .slide = 10};
  const WindowSpec hour{.name = "hour", .length = 3600, .slide = 10};
  MemoryFolder folder;
  CheckpointedEngine engine({minute, hour}, {}, 1, KeyKind::kInteger, folder);
  const EngineState state = engine.harness().engine().Capture();
  EXPECT_TRUE(CheckFits(state, {minute, hour}).ok());
  const auto message = [&](const std::vector<WindowSpec>& windows) {
    const Status fits = CheckFits(state, windows);
    return fits.ok() ? std::string() : fits.error().message;
  };
  WindowSpec longer = minute;
  longer.length = 120;
  EXPECT_EQ(message({longer, hour}), "there is no saved window 'minute' with these settings");
  EXPECT_EQ(message({minute}), "") << "a window that was added at run time is ignored";
  EXPECT_EQ(message({hour, minute}), "") << "in any order";
  WindowSpec coarse = hour;
  coarse.slide = 20;
  coarse.length = 40;
  CheckpointedEngine uneven({minute, coarse}, {}, 1, KeyKind::kInteger, folder);
  EXPECT_EQ(CheckFits(uneven.harness().engine().Capture(), {coarse}).error().message,
            "the saved slices have another pane");
  WindowSpec moved = hour;
  moved.offset = 5;
  EXPECT_EQ(message({minute, moved}), "there is no saved window 'hour' with these settings");
  WindowSpec filtered = hour;
  filtered.where = "f0";
  EXPECT_EQ(message({minute, filtered}), "there is no saved window 'hour' with these settings");
  WindowSpec moved_minute = minute;
  moved_minute.offset = 5;
  CheckpointedEngine fine({hour, moved_minute}, {}, 1, KeyKind::kInteger, folder);
  EXPECT_EQ(CheckFits(fine.harness().engine().Capture(), {hour}).error().message,
            "the saved slices have another pane");
  WindowSpec by_events = minute;
  by_events.name = "numbered";
  by_events.by = WindowAxis::kEvents;
  EXPECT_EQ(message({minute, hour, by_events}),
            "there are windows on an axis without saved windows");
  EXPECT_EQ(message({by_events}), "no window has the axis of the saved window 'minute'");
  WindowSpec rebuilt = minute;
  rebuilt.implementation = StoreKind::kRebuild;
  rebuilt.empty_windows = EmptyWindows::kSkip;
  EXPECT_EQ(message({rebuilt, hour}), "") << "the store may be another one";
}

}  // namespace
}  // namespace sash
