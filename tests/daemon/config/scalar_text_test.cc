#include "daemon/config/scalar_text.h"

#include <gtest/gtest.h>

#include "connectors/sinks/time_text.h"
#include "daemon/config/address_text.h"
#include "daemon/config/nearest_key.h"

namespace sash {
namespace {

using namespace std::chrono_literals;

TEST(DurationTextTest, EveryUnitGoesThereAndBack) {
  for (const char* text : {"7ns", "7us", "7ms", "7s", "7m", "7h", "7d", "7300d", "0s", "1500ms"}) {
    const Result<Duration> duration = ParseDuration(text);
    ASSERT_TRUE(duration.ok()) << text;
    EXPECT_EQ(FormatDuration(duration.value()), text);
  }
  EXPECT_EQ(ParseDuration("90m").value(), 90min);
}

TEST(DurationTextTest, RefusesWhatIsNotOneNumberAndOneUnit) {
  for (const char* text : {"", "5", "m", "-5s", "+5s", "5 s", "5S", "1.5s", "1,5s", "1h30m", "5sec",
                           "0x5s", "7301d", "99999999999999999999s", "9223372036854775807d"}) {
    EXPECT_FALSE(ParseDuration(text).ok()) << text;
  }
}

TEST(SizeTextTest, EveryUnitGoesThereAndBack) {
  for (const char* text : {"7B", "7KiB", "7MiB", "7GiB", "7TiB", "1024TiB"}) {
    const Result<std::uint64_t> size = ParseSize(text);
    ASSERT_TRUE(size.ok()) << text;
    EXPECT_EQ(FormatSize(size.value()), text);
  }
  for (const char* text : {"", "64", "64MB", "64kB", "64 MiB", "1.5MiB", "-1B", "1025TiB"}) {
    EXPECT_FALSE(ParseSize(text).ok()) << text;
  }
}

TEST(PercentageTextTest, GoesThereAndBack) {
  for (const char* text : {"0%", "7%", "50%", "99.9999%", "0.0001%", "100%"}) {
    const Result<double> percent = ParsePercentage(text);
    ASSERT_TRUE(percent.ok()) << text;
    EXPECT_EQ(FormatPercentage(percent.value()), text);
  }
  EXPECT_EQ(ParsePercentage("50 %").value(), 50);
  EXPECT_EQ(ParsePercentage("100.0%").value(), 100);
  for (const char* text : {"", "%", "50", "0.5", "101%", "100.0001%", "-1%", "+1%", "1e1%", "5.%",
                           ".5%", "0.00001%", "1000%", "50  %", " 50%", "50%%", "1.2.3%"}) {
    EXPECT_FALSE(ParsePercentage(text).ok()) << text;
  }
}

TEST(NumberTextTest, TakesWholeTextsOnly) {
  EXPECT_EQ(ReadInteger("-9223372036854775808").value(), INT64_MIN);
  for (const char* text : {"", "+1", "1.0", "1e3", "0x10", "1 ", " 1", "9223372036854775808"}) {
    EXPECT_FALSE(ReadInteger(text).ok()) << text;
  }
  EXPECT_EQ(ReadReal("1e-6").value(), 1e-6);
  for (const char* text : {"", "nan", "inf", "-inf", ".inf", "1e999", "0.5x"}) {
    EXPECT_FALSE(ReadReal(text).ok()) << text;
  }
}

TEST(InstantTextTest, OffsetsAndDecimalsCount) {
  const EventTime start = ReadInstant("2026-01-01T00:00:00Z").value();
  EXPECT_EQ(start.time_since_epoch(), 1767225600s);
  EXPECT_EQ(ReadInstant("2026-01-01T02:30:00+02:30").value(), start);
  EXPECT_EQ(ReadInstant("2025-12-31t23:00:00.000000001-01:00").value(), start + 1ns);
  EXPECT_EQ(TimeText(start + 5ms), "2026-01-01T00:00:00.005Z");
  EXPECT_EQ(TimeText(start + 5ns), "2026-01-01T00:00:00.000000005Z");
  EXPECT_EQ(ReadInstant("1969-12-31T23:59:59.5Z").value().time_since_epoch(), -500ms);
  EXPECT_EQ(TimeText(EventTime(-500ms)), "1969-12-31T23:59:59.500Z");
}

TEST(InstantTextTest, RefusesWhatIsNoTime) {
  for (const char* text : {"", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-02-29T00:00:00Z",
                           "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00.Z",
                           "2026-01-01T00:00:00+2:00", "2026-01-01T00:00:00Zx",
                           "1600-01-01T00:00:00Z", "2262-01-01T00:00:00Z"}) {
    EXPECT_FALSE(ReadInstant(text).ok()) << text;
  }
}

TEST(AddressTextTest, TakesNamesAndBothFamilies) {
  EXPECT_EQ(ParseBrokers("a:1, [::1]:9092 ,c-d.e_f:65535").value(), "a:1,[::1]:9092,c-d.e_f:65535");
  for (const char* text : {"", ",", "a:1,", "a", "a:", "a:0", "a:65536", ":1", "::1:9092", "[::1]",
                           "[x]:1", "a b:1", "a:1:2", "PLAINTEXT://a:1"}) {
    EXPECT_FALSE(ParseBrokers(text).ok()) << text;
  }
  for (const char* host : {"127.0.0.1", "127.9.9.9", "::1", "localhost", "LocalHost"}) {
    EXPECT_TRUE(IsLoopback(host)) << host;
  }
  for (const char* host : {"0.0.0.0", "::", "128.0.0.1", "127.0.0.1.example.org", "example.org"}) {
    EXPECT_FALSE(IsLoopback(host)) << host;
  }
}

TEST(NearestKeyTest, SuggestsSlipsOnly) {
  constexpr std::string_view kWords[] = {"slide", "length", "by"};
  EXPECT_EQ(NearestWord("slid", kWords), "slide");
  EXPECT_EQ(NearestWord("lenght", kWords), "length");
  EXPECT_EQ(NearestWord("colour", kWords), std::nullopt);
  EXPECT_EQ(NearestWord("xx", kWords), std::nullopt);
  EXPECT_EQ(EditDistance("lenght", "length"), 1u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
}

}  // namespace
}  // namespace sash
