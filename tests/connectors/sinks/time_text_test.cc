#include "connectors/sinks/time_text.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

using std::chrono::nanoseconds;

EventTime AtNanoseconds(std::int64_t value) { return EventTime(nanoseconds(value)); }

TEST(TimeTextTest, PrintsThreeDecimalsUnlessTheTimeNeedsMore) {
  EXPECT_EQ(TimeText(AtNanoseconds(0)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(TimeText(AtNanoseconds(1'767'225'600'000'000'000)), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(TimeText(AtNanoseconds(120'000'000)), "1970-01-01T00:00:00.120Z");
  EXPECT_EQ(TimeText(AtNanoseconds(1'000)), "1970-01-01T00:00:00.000001Z");
  EXPECT_EQ(TimeText(AtNanoseconds(123'456'789)), "1970-01-01T00:00:00.123456789Z");
}

TEST(TimeTextTest, GoesBeforeTheEpochAndToTheEndsOfTheRange) {
  EXPECT_EQ(TimeText(AtNanoseconds(-1)), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(TimeText(AtNanoseconds(-86'400'000'000'000)), "1969-12-31T00:00:00.000Z");
  EXPECT_EQ(TimeText(EventTime::min()), "1677-09-21T00:12:43.145224192Z");
  EXPECT_EQ(TimeText(EventTime::max()), "2262-04-11T23:47:16.854775807Z");
}

TEST(TimeTextTest, ReadsBackWhatItPrints) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{123'456'789}, std::int64_t{1'000},
        std::int64_t{1'767'225'600'000'000'000}, std::int64_t{-9'000'000'000'000'000'000}}) {
    EXPECT_EQ(ParseTimeText(TimeText(AtNanoseconds(value))), AtNanoseconds(value));
  }
}

TEST(TimeTextTest, ReadsNothingElse) {
  for (const char* text :
       {"", "2026-01-01", "2026-01-01T00:00:00Z", "2026-13-01T00:00:00.000Z",
        "2026-01-01T24:00:00.000Z", "2026-01-01T00:00:00.000+", "2026-01-01 00:00:00.000Z",
        "2026-01-01T00:00:00.00000Z", "2026-01-01T00:00:00.000000Z", "2026-01-01T-1:00:00.000Z",
        "9999-01-01T00:00:00.000Z", "2026-01-01T00:00:00.0000000000000Z"}) {
    EXPECT_EQ(ParseTimeText(text), std::nullopt) << text;
  }
}

TEST(TimeTextTest, TimeOfDayHasNoDecimalsWhenItNeedsNone) {
  EXPECT_EQ(TimeOfDayText(AtNanoseconds(5'000'000'000)), "00:00:05");
  EXPECT_EQ(TimeOfDayText(AtNanoseconds(5'250'000'000)), "00:00:05.250");
  EXPECT_EQ(DayText(AtNanoseconds(-1)), "1969-12-31");
}

}  // namespace
}  // namespace sash
