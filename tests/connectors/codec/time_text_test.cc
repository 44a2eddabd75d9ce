#include "connectors/codec/time_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace sash {
namespace {

std::int64_t Nanoseconds(const Result<EventTime>& time) {
  EXPECT_TRUE(time.ok()) << (time.ok() ? "" : time.error().message);
  return time.ok() ? time.value().time_since_epoch().count() : INT64_MIN;
}

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(TimeTextTest, IntegersCountInTheirUnit) {
  EXPECT_EQ(Nanoseconds(TimeFromInteger(1700000000, TimeUnit::kSeconds)), 1700000000 * kSecond);
  EXPECT_EQ(Nanoseconds(TimeFromInteger(-1, TimeUnit::kMilliseconds)), -1'000'000);
  EXPECT_EQ(Nanoseconds(TimeFromInteger(7, TimeUnit::kMicroseconds)), 7'000);
  EXPECT_EQ(Nanoseconds(TimeFromInteger(7, TimeUnit::kNanoseconds)), 7);
}

TEST(TimeTextTest, TimesOutsideTheYears1700To2200AreRefused) {
  const std::int64_t first = -8520336000;  // 1700-01-01
  const std::int64_t last = 7289654399;    // 2200-12-31T23:59:59
  EXPECT_EQ(Nanoseconds(ParseRfc3339("1700-01-01T00:00:00Z")), first * kSecond);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2200-12-31T23:59:59Z")), last * kSecond);
  EXPECT_TRUE(TimeFromInteger(first, TimeUnit::kSeconds).ok());
  EXPECT_FALSE(TimeFromInteger(first - 1, TimeUnit::kSeconds).ok());
  EXPECT_TRUE(TimeFromInteger(last, TimeUnit::kSeconds).ok());
  EXPECT_FALSE(TimeFromInteger(last + 1, TimeUnit::kSeconds).ok());
  EXPECT_FALSE(ParseRfc3339("2200-12-31T23:59:60Z").ok());
  EXPECT_FALSE(ParseRfc3339("1699-12-31T23:59:59Z").ok());
  EXPECT_TRUE(ParseRfc3339("1699-12-31T23:59:59-00:01").ok());
  EXPECT_FALSE(ParseRfc3339("0001-01-01T00:00:00Z").ok());
  EXPECT_FALSE(ParseRfc3339("9999-12-31T23:59:59Z").ok());
  for (const std::int64_t value : {INT64_MIN, INT64_MAX, INT64_MAX / 1000}) {
    EXPECT_FALSE(TimeFromInteger(value, TimeUnit::kSeconds).ok());
    EXPECT_FALSE(TimeFromInteger(value, TimeUnit::kMilliseconds).ok());
    EXPECT_FALSE(ParseDecimalTime(std::to_string(value), TimeUnit::kSeconds).ok());
  }
  EXPECT_FALSE(TimeFromInteger(INT64_MAX, TimeUnit::kNanoseconds).ok());
  EXPECT_FALSE(ParseDecimalTime("99999999999999999999999", TimeUnit::kNanoseconds).ok());
  EXPECT_FALSE(ParseDecimalTime("7289654400", TimeUnit::kSeconds).ok());
  EXPECT_TRUE(ParseDecimalTime("7289654399.999999999", TimeUnit::kSeconds).ok());
  EXPECT_FALSE(ParseDecimalTime("-8520336000.1", TimeUnit::kSeconds).ok());
}

TEST(TimeTextTest, DoublesGoToTheNearestMicrosecond) {
  EXPECT_EQ(Nanoseconds(TimeFromReal(1700000000.123456, TimeUnit::kSeconds)),
            1700000000 * kSecond + 123'456'000);
  EXPECT_EQ(Nanoseconds(TimeFromReal(-0.5, TimeUnit::kMilliseconds)), -500'000);
  EXPECT_EQ(Nanoseconds(TimeFromReal(1.7e12, TimeUnit::kMilliseconds)), 1700000000 * kSecond);
  EXPECT_EQ(Nanoseconds(TimeFromReal(1e9, TimeUnit::kNanoseconds)), kSecond);
  for (const double value : {1e300, -1e300, 1e18, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(TimeFromReal(value, TimeUnit::kSeconds).ok()) << value;
  }
  // Beyond the range of 64 bits of nanoseconds.
  for (const double year : {1650.0, 1699.9, 2201.1, 2263.0, 2279.5, 2600.0}) {
    const double seconds = (year - 1970) * 365.2425 * 86'400;
    EXPECT_FALSE(TimeFromReal(seconds, TimeUnit::kSeconds).ok()) << year;
    EXPECT_FALSE(TimeFromReal(seconds * 1e3 + 0.5, TimeUnit::kMilliseconds).ok()) << year;
  }
  EXPECT_TRUE(TimeFromReal((2200.5 - 1970) * 365.2425 * 86'400, TimeUnit::kSeconds).ok());
}

TEST(TimeTextTest, DecimalTimesAreExactAndCutBelowTheNanosecond) {
  EXPECT_EQ(Nanoseconds(ParseDecimalTime("1700000000.123456", TimeUnit::kSeconds)),
            1700000000 * kSecond + 123'456'000);
  EXPECT_EQ(Nanoseconds(ParseDecimalTime("1700000000.1234567899999", TimeUnit::kSeconds)),
            1700000000 * kSecond + 123'456'789);
  EXPECT_EQ(Nanoseconds(ParseDecimalTime("-1.25", TimeUnit::kMilliseconds)), -1'250'000);
  EXPECT_EQ(Nanoseconds(ParseDecimalTime("0.0019", TimeUnit::kMicroseconds)), 1);
  EXPECT_EQ(Nanoseconds(ParseDecimalTime("5.9", TimeUnit::kNanoseconds)), 5);
  EXPECT_EQ(Nanoseconds(ParseDecimalTime("-0", TimeUnit::kNanoseconds)), 0);
}

TEST(TimeTextTest, DecimalTimesAreDigitsAndAPoint) {
  for (const char* text : {"", "-", ".", "1.", ".5", "+1", " 1", "1 ", "1e9", "1.7e9", "0x10",
                           "1,5", "1.2.3", "-.5", "today", "1.-5"}) {
    EXPECT_FALSE(ParseDecimalTime(text, TimeUnit::kSeconds).ok()) << text;
  }
}

TEST(TimeTextTest, ReadsRfc3339) {
  const std::int64_t base = 1767225600 * kSecond;  // 2026-01-01T00:00:00Z
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2026-01-01T00:00:00Z")), base);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2026-01-01t00:00:00z")), base);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2026-01-01 00:00:00Z")), base);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2026-01-01T01:30:00+01:30")), base);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2025-12-31T23:00:00-01:00")), base);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2026-01-01T00:00:00-00:00")), base);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2026-01-01T00:00:00.5Z")), base + kSecond / 2);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2026-01-01T00:00:00.123456789987654321Z")),
            base + 123'456'789);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2025-12-31T23:59:60Z")), base);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("1969-12-31T23:59:59.75Z")), -kSecond / 4);
  EXPECT_EQ(Nanoseconds(ParseRfc3339("2024-02-29T00:00:00Z")), 1709164800 * kSecond);
}

TEST(TimeTextTest, RefusesWhatIsNotStrictlyRfc3339) {
  for (const char* text : {"",
                           "2026",
                           "2026-01-01",
                           "2026-01-01T00:00:00",
                           "2026-01-01T00:00Z",
                           "26-01-01T00:00:00Z",
                           "2026-1-01T00:00:00Z",
                           "2026-01-01T0:00:00Z",
                           "2026-01-01T00:00:00.Z",
                           "2026-01-01T00:00:00,5Z",
                           "2026-01-01_00:00:00Z",
                           "2026-01-01  00:00:00Z",
                           "2026-01-01T00:00:00+0100",
                           "2026-01-01T00:00:00+01",
                           "2026-01-01T00:00:00+24:00",
                           "2026-01-01T00:00:00+01:60",
                           "2026-01-01T00:00:00Z ",
                           " 2026-01-01T00:00:00Z",
                           "2026-01-01T00:00:00ZZ",
                           "2026-02-29T00:00:00Z",
                           "1900-02-29T00:00:00Z",
                           "2026-04-31T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-01-00T00:00:00Z",
                           "2026-01-01T24:00:00Z",
                           "2026-01-01T00:60:00Z",
                           "2026-01-01T00:00:61Z",
                           "-2026-01-01T00:00:00Z",
                           "+2026-01-01T00:00:00Z",
                           "2026/01/01T00:00:00Z",
                           "2026-01-01T00:00:00 Z",
                           "1700000000"}) {
    EXPECT_FALSE(ParseRfc3339(text).ok()) << text;
  }
}

TEST(TimeTextTest, EveryPrefixOfATimeIsRefused) {
  const std::string text = "2026-01-01T00:00:00.25+01:00";
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(ParseRfc3339(text.substr(0, length)).ok()) << text.substr(0, length);
  }
  EXPECT_TRUE(ParseRfc3339(text).ok());
}

}  // namespace
}  // namespace sash
