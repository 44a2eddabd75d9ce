#include "daemon/infer/time_guess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using ::testing::HasSubstr;

std::string Keys(const std::vector<std::string>& texts, std::string_view name,
                 bool are_numbers = false) {
  const auto guess = GuessTime(texts, WordsOf(name), are_numbers);
  return guess ? TimeKeysText(guess->how) : "";
}

TEST(TimeGuessTest, TheMagnitudeOfANumberGivesItsUnit) {
  EXPECT_EQ(Keys({"1727218980", "1727218981.5"}, "ts"), "unit: s");
  EXPECT_EQ(Keys({"1727218980597", "1727218980598"}, "ts", true), "unit: ms");
  EXPECT_EQ(Keys({"1727218980597629"}, "ts"), "unit: us");
  EXPECT_EQ(Keys({"1727218980597629000"}, "ts"), "unit: ns");
  // The first and the last second that are taken for times since 1970.
  EXPECT_EQ(Keys({"631152000"}, "at"), "unit: s");
  EXPECT_EQ(Keys({"631151999"}, "at"), "");
  EXPECT_EQ(Keys({"4102444799"}, "at"), "unit: s");
  EXPECT_EQ(Keys({"4102444800"}, "at"), "");
}

TEST(TimeGuessTest, OtherNumbersOfThatSizeAreNotTimes) {
  EXPECT_EQ(Keys({"1727218980", "3012345678", "2112345678"}, ""), "");
  EXPECT_EQ(Keys({"1727218980", "1727218990"}, ""), "unit: s");
  EXPECT_EQ(Keys({"1727218980", "1727218990"}, "phone_number"), "");
  EXPECT_EQ(Keys({"1727218980", "alice", "bob"}, "ts"), "");
}

TEST(TimeGuessTest, SmallNumbersAreStepsIfTheNameSaysSo) {
  EXPECT_EQ(Keys({"1", "2"}, "step"), "unit: 1h, base: \"2026-01-01T00:00:00.000Z\"");
  EXPECT_EQ(Keys({"1", "2"}, "day"), "unit: 1d, base: \"2026-01-01T00:00:00.000Z\"");
  EXPECT_EQ(Keys({"0.5", "2"}, "time"), "unit: 1s, base: \"2026-01-01T00:00:00.000Z\"");
  EXPECT_EQ(Keys({"1", "2"}, "amount"), "");
}

TEST(TimeGuessTest, TextsAreReadAsTheSourceReadsThem) {
  EXPECT_EQ(Keys({"2026-01-31T08:15:00.250Z"}, ""), "unit: rfc3339");
  EXPECT_EQ(Keys({"2024-09-24T23:03:00.597629+0000"}, ""), "unit: iso8601");
  EXPECT_EQ(Keys({"2013-12-31 00:39:58"}, ""), "unit: iso8601, zone: UTC");
  EXPECT_EQ(Keys({"2022/09/01 00:20"}, ""), "format: \"%Y/%m/%d %H:%M\", zone: UTC");
  EXPECT_EQ(Keys({"20260101123000"}, ""), "format: \"%Y%m%d%H%M%S\", zone: UTC");
  EXPECT_EQ(Keys({"20260101123000"}, "", true), "format: \"%Y%m%d%H%M%S\", zone: UTC");
  EXPECT_EQ(Keys({"20260131"}, "date"), "format: \"%Y%m%d\", zone: UTC");
  EXPECT_EQ(Keys({"20260131"}, "customer"), "");
  EXPECT_EQ(Keys({"10/Oct/2000:13:55:36 -0700"}, ""), "format: \"%d/%b/%Y:%H:%M:%S %z\"");
  EXPECT_EQ(Keys({"2019-01-01 10:00:00 UTC"}, ""), "format: \"%Y-%m-%d %H:%M:%S UTC\", zone: UTC");
  EXPECT_EQ(Keys({"10.1.0.27:40000", "alice@example.org 123456"}, ""), "");
}

TEST(TimeGuessTest, OneDayOfAMonthDecidesWhetherTheMonthIsFirst) {
  EXPECT_THAT(Keys({"3/7/2017 8:55", "13/7/2017 8:55"}, ""), HasSubstr("%d/%m/%Y %H:%M"));
  EXPECT_THAT(Keys({"3/7/2017 8:55", "3/17/2017 8:55"}, ""), HasSubstr("%m/%d/%Y %H:%M"));
  // Or the order: January, February, ..., not days of one month that come back.
  EXPECT_THAT(Keys({"1/1/2017 8:55", "1/2/2017 8:55", "1/3/2017 8:55", "2/1/2017 8:55"}, ""),
              HasSubstr("%m/%d/%Y %H:%M"));
  const auto both = GuessTime({"3/7/2017 8:55"}, WordsOf("time"), false);
  ASSERT_TRUE(both);
  EXPECT_THAT(both->doubt, HasSubstr("reads them too: which is right?"));
}

TEST(TimeGuessTest, AFewBrokenTimesDoNotMatter) {
  EXPECT_EQ(Keys({"1727218980", "1727218981", "1727218982", "1727218983", "soon"}, "ts"),
            "unit: s");
  EXPECT_EQ(Keys({"1727218980", "1727218981", "soon", "later"}, "ts"), "");
  std::vector<std::string> years(100, "315522000");  // 1980, as in old mails
  years.resize(1000, "1000000000");
  EXPECT_EQ(Keys(years, "time"), "unit: s");
}

TEST(TimeGuessTest, ADateAndATimeOfDayAreJoined) {
  const auto joined = GuessJoinedTime({"26.11.2025", "27.11.2025"}, {"10:15:00", "9:00:00"});
  ASSERT_TRUE(joined);
  EXPECT_EQ(TimeKeysText(joined->how), "format: \"%d.%m.%Y %H:%M:%S\", zone: UTC");
  EXPECT_FALSE(GuessJoinedTime({"26.11.2025"}, {"ten"}));
  EXPECT_FALSE(GuessJoinedTime({}, {}));
}

}  // namespace
}  // namespace sash
