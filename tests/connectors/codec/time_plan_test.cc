// Formats of times: random formats and times agree with Howard Hinnant's date library, which prints
// and parses them by itself.
#include "connectors/codec/time_plan.h"

#include <date/date.h>
#include <date/tz.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace sash {
namespace {

using ::testing::HasSubstr;

using Milliseconds = std::chrono::sys_time<std::chrono::milliseconds>;

std::string WhyNot(std::string_view format) {
  const Result<TimePlan> plan = TimePlan::Compile(format);
  return plan.ok() ? "compiles" : plan.error().message;
}

// What a text means, or why it does not fit.
std::string Reading(std::string_view format, std::string_view text) {
  const Result<TimePlan> plan = TimePlan::Compile(format);
  if (!plan.ok()) return plan.error().message;
  CalendarTime time;
  if (const char* const why = plan.value().Read(text, time)) return why;
  const auto at = LocalSeconds(time) + std::chrono::nanoseconds(time.nanoseconds);
  std::string printed = date::format("%F %T", date::sys_time<std::chrono::nanoseconds>(at));
  if (time.offset) printed += " " + std::to_string(time.offset->count());
  return printed;
}

// In milliseconds: nanoseconds hold only the years around ours.
std::chrono::milliseconds SinceEpoch(const CalendarTime& time) {
  return LocalSeconds(time).time_since_epoch() +
         std::chrono::milliseconds(time.nanoseconds / 1'000'000);
}

class RandomFormat {
 public:
  explicit RandomFormat(unsigned seed) : random_(seed) {}

  std::string Format() {
    std::vector<std::string> parts = {Pick({"%Y", "%y"})};
    if (Coin()) {
      parts.push_back("%j");
    } else {
      parts.push_back(Pick({"%m", "%b", "%B", "%h"}));
      parts.push_back(Pick({"%d", "%e"}));
    }
    if (Coin()) parts.push_back(Pick({"%a", "%A"}));
    if (Coin()) parts.push_back("%z");
    std::string format;
    if (Coin()) {
      parts.push_back(Pick({"%H:%M:%S", "%I:%M:%S %p", "%T", "%p%H", "%R"}));
      if (parts.back() == "%p%H") parts.back() = "%H%M";
    }
    std::shuffle(parts.begin(), parts.end(), random_);
    for (const std::string& part : parts) {
      if (!format.empty()) format += Pick({" ", "-", "/", ", ", "T", "_", "%%"});
      format += part;
    }
    return format;
  }

  Milliseconds Time() {
    // Years 1970 to 2068: two digits name a year only in a century.
    return Milliseconds(std::chrono::milliseconds(
        std::uniform_int_distribution<std::int64_t>(0, 3'100'000'000'000)(random_)));
  }

  const date::time_zone* Zone() {
    return date::locate_zone(
        Pick({"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Asia/Tokyo"}));
  }

 private:
  bool Coin() { return random_() % 2 == 0; }
  std::string Pick(std::initializer_list<const char*> choices) {
    return choices.begin()[random_() % choices.size()];
  }

  std::mt19937 random_;
};

TEST(TimePlanTest, ReadsWhatTheLibraryPrintsAndParses) {
  int compared = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomFormat random(seed);
    const std::string format = random.Format();
    const auto time = date::make_zoned(random.Zone(), random.Time());
    const std::string text = date::format(format, time);

    std::istringstream in(text);
    date::local_time<std::chrono::milliseconds> local;
    std::chrono::minutes offset{};
    in >> date::parse(format, local, offset);

    const Result<TimePlan> plan = TimePlan::Compile(format);
    ASSERT_TRUE(plan.ok()) << seed << ": " << plan.error().message << ": " << format;
    CalendarTime read;
    const char* const why = plan.value().Read(text, read);
    ASSERT_EQ(why, nullptr) << seed << ": " << format << ": " << text << " " << why;
    EXPECT_STREQ(plan.value().Read(text + "x", read), TimePlan::kDoesNotFit);
    EXPECT_EQ(plan.value().Read(text, read), nullptr);
    EXPECT_EQ(read.offset.has_value(), plan.value().has_offset());
    if (in.fail()) continue;  // the library prints the blank of %e, but does not read it
    ++compared;
    EXPECT_EQ(SinceEpoch(read), local.time_since_epoch()) << seed << ": " << format << ": " << text;
    EXPECT_EQ(read.offset.value_or(offset), offset) << seed << ": " << format << ": " << text;
  }
  EXPECT_GT(compared, 2500);
}

// Changed texts: where both read one, they read the same.
TEST(TimePlanTest, AgreesWithTheLibraryOnChangedTexts) {
  std::mt19937 noise(1);
  int both = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomFormat random(seed);
    const std::string format = random.Format();
    std::string text = date::format(format, date::make_zoned(random.Zone(), random.Time()));
    text[noise() % text.size()] = "0123456789 :-/+TAPM,."[noise() % 21];

    CalendarTime read;
    if (TimePlan::Compile(format).value().Read(text, read) != nullptr) continue;
    std::istringstream in(text);
    date::local_time<std::chrono::milliseconds> local;
    std::chrono::minutes offset{};
    in >> date::parse(format, local, offset);
    if (in.fail() || in.peek() != std::istringstream::traits_type::eof()) continue;
    ++both;
    EXPECT_EQ(SinceEpoch(read), local.time_since_epoch()) << seed << ": " << format << ": " << text;
    EXPECT_EQ(read.offset.value_or(offset), offset) << seed << ": " << format << ": " << text;
  }
  EXPECT_GT(both, 100);
}

TEST(TimePlanTest, ReadsNumbersWithoutLeadingZeros) {
  EXPECT_EQ(Reading("%d/%m/%Y %H:%M:%S", "3/7/2017 8:55:58"), "2017-07-03 08:55:58.000000000");
  EXPECT_EQ(Reading("%d/%m/%Y %H:%M", "7/7/2017 3:30"), "2017-07-07 03:30:00.000000000");
  EXPECT_EQ(Reading("%Y%m%d%H%M%S", "20260101123000"), "2026-01-01 12:30:00.000000000");
  EXPECT_EQ(Reading("%Y%m%d%H%M%S", "2026010112300"), "2026-01-01 12:30:00.000000000")
      << "only the last number may be short";
  EXPECT_EQ(Reading("%Y%m%d", "202611"), "does not fit");
}

TEST(TimePlanTest, ReadsFractions) {
  for (const char* text : {"2026-01-01 12:30:00.25", "2026-01-01 12:30:00,25"}) {
    EXPECT_EQ(Reading("%F %T", text), "2026-01-01 12:30:00.250000000");
  }
  EXPECT_EQ(Reading("%F %T", "2026-01-01 12:30:00."), "does not fit");
  EXPECT_EQ(Reading("%F %H:%M:%S.%f", "2026-01-01 12:30:00.1234567899"),
            "2026-01-01 12:30:00.123456789");
  EXPECT_EQ(Reading("%F %H:%M:%S.%f", "2026-01-01 12:30:00"), "does not fit");
  EXPECT_EQ(Reading("%F %T %z", "2026-01-01 12:30:00.5 -0530"),
            "2026-01-01 12:30:00.500000000 -330");
}

TEST(TimePlanTest, RefusesTimesThatAreNone) {
  EXPECT_EQ(Reading("%F", "2026-02-29"), "is not a valid date");
  EXPECT_EQ(Reading("%F", "2026-13-01"), "is not a valid date");
  EXPECT_EQ(Reading("%Y %j", "2026 366"), "is not a valid date");
  EXPECT_EQ(Reading("%Y %j", "2024 366"), "2024-12-31 00:00:00.000000000");
  EXPECT_EQ(Reading("%F %R", "2026-01-01 24:00"), "is not a valid time of day");
  EXPECT_EQ(Reading("%F %I %p", "2026-01-01 13 PM"), "is not a valid time of day");
  EXPECT_EQ(Reading("%F %I %p", "2026-01-01 12 am"), "2026-01-01 00:00:00.000000000");
  EXPECT_EQ(Reading("%a %F", "Thu 2026-01-01"), "2026-01-01 00:00:00.000000000");
  EXPECT_EQ(Reading("%a %F", "Fri 2026-01-01"), "names another day of the week");
  EXPECT_EQ(Reading("%F %T", "2026-01-01 23:59:60"), "2026-01-02 00:00:00.000000000");
}

TEST(TimePlanTest, AWrongFormatIsRefusedWithPlaceAndRemedy) {
  EXPECT_EQ(WhyNot("%F %T"), "compiles");
  EXPECT_THAT(WhyNot("%Y-%m-%d %q"), HasSubstr("`%q` at character 10 is not known; the direct"));
  EXPECT_THAT(WhyNot("%F %T %Z"), HasSubstr("`%Z` at character 7 is not read"));
  EXPECT_THAT(WhyNot("%s"), HasSubstr("unit: s"));
  EXPECT_THAT(WhyNot("%F %d"), HasSubstr("`%d` at character 4 gives a part of the time that"));
  EXPECT_THAT(WhyNot("%F %"), HasSubstr("ends with %"));
  EXPECT_THAT(WhyNot(""), HasSubstr("is empty"));
  EXPECT_THAT(WhyNot("%H:%M"), HasSubstr("gives no year; add %Y"));
  EXPECT_THAT(WhyNot("%Y %d"), HasSubstr("gives no month"));
  EXPECT_THAT(WhyNot("%Y %b"), HasSubstr("gives no day"));
  EXPECT_THAT(WhyNot("%F %j"), HasSubstr("gives the day twice"));
  EXPECT_THAT(WhyNot("%F %I:%M"), HasSubstr("add %p"));
  EXPECT_THAT(WhyNot("%F %p"), HasSubstr("%p without %I"));
  EXPECT_THAT(WhyNot("%F %M"), HasSubstr("add %H"));
  EXPECT_THAT(WhyNot("%F %H:%S"), HasSubstr("add %M"));
  EXPECT_THAT(WhyNot("%F %R.%f"), HasSubstr("add %S"));
  EXPECT_THAT(WhyNot("%T.%f%Y-%m-%d"), HasSubstr("digits after %f"));
}

// A message shows it, so it must fit.
TEST(TimePlanTest, TheExampleFits) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string format = RandomFormat(seed).Format();
    const Result<TimePlan> plan = TimePlan::Compile(format);
    ASSERT_TRUE(plan.ok());
    CalendarTime read;
    const char* const why = plan.value().Read(plan.value().example(), read);
    EXPECT_EQ(why, nullptr) << format << ": " << plan.value().example();
  }
}

}  // namespace
}  // namespace sash
