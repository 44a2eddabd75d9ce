#include "connectors/sinks/time_text.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(TimeJsonTest, PrintsAsManyDecimalsAsAreNeededButThree) {
  const EventTime base(seconds(1767225600));
  EXPECT_EQ(TimeText(base), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(TimeText(base + nanoseconds(120'000'000)), "2026-01-01T00:00:00.120Z");
  EXPECT_EQ(TimeText(base + nanoseconds(1'000)), "2026-01-01T00:00:00.000001Z");
  EXPECT_EQ(TimeText(base + nanoseconds(1)), "2026-01-01T00:00:00.000000001Z");
}

TEST(TimeJsonTest, PrintsTimesBefore1970) {
  EXPECT_EQ(TimeText(EventTime(nanoseconds(-1'000'000))), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace sash
