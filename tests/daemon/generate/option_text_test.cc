#include "daemon/generate/option_text.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(OptionTextTest, DurationsNeedAUnit) {
  EXPECT_EQ(ParseMilliseconds("250ms").value(), milliseconds(250));
  EXPECT_EQ(ParseMilliseconds("1500000us").value(), milliseconds(1500));
  EXPECT_EQ(ParseMilliseconds("2h").value(), hours(2));
  EXPECT_EQ(ParseMilliseconds("0s").value(), milliseconds(0));
  for (const char* wrong :
       {"", "5", "s", "-1s", "1 s", "1w", "500us", "1e3s", "1.5s", "9999999999h"}) {
    EXPECT_FALSE(ParseMilliseconds(wrong).ok()) << wrong;
  }
}

TEST(OptionTextTest, MomentsAreRfc3339OrMilliseconds) {
  EXPECT_EQ(ParseMoment("2026-01-01T00:00:00Z").value().count(), 1767225600000);
  EXPECT_EQ(ParseMoment("2026-01-01T01:30:00.25+01:30").value().count(), 1767225600250);
  EXPECT_EQ(ParseMoment("2025-12-31T23:59:59.9999-00:00").value().count(), 1767225599999);
  EXPECT_EQ(ParseMoment("1767225600000").value().count(), 1767225600000);
  for (const char* wrong :
       {"", "2026-01-01", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00",
        "2026-01-01T00:00:00.Z", "1.5", "2026-01-01T00:00:00Zx", "26-01-01T00:00:00Z"}) {
    EXPECT_FALSE(ParseMoment(wrong).ok()) << wrong;
  }
}

TEST(OptionTextTest, EpisodesSayWhatIsWrongWithThem) {
  const BurstEpisode burst = ParseBurst("at=90s,for=20s,share=0.25,size=7").value();
  EXPECT_EQ(burst.at, seconds(90));
  EXPECT_EQ(burst.length, seconds(20));
  EXPECT_EQ(burst.share, 0.25);
  EXPECT_EQ(burst.size, 7u);
  EXPECT_EQ(ParseHub("for=1s,at=0s").value().share, 0.2);
  EXPECT_EQ(ParseHub("at=1s").error().message, "'for=' is missing");
  EXPECT_EQ(ParseHub("at=1s,for=2s,size=3").error().message, "'size' is not one of at, for, share");
  EXPECT_EQ(ParseHub("at=1s,at=2s").error().message, "'at' is given twice");
  EXPECT_EQ(ParseHub("").error().message, "'' is not of the form name=value");
  EXPECT_EQ(ParseBurst("at=1s,for=2s,size=-3").error().message, "size: `-3` is negative");
}

TEST(OptionTextTest, OptionsOfLibrariesMayHoldEqualsSigns) {
  const auto pair = ParsePair("sasl.jaas=a=b").value();
  EXPECT_EQ(pair.first, "sasl.jaas");
  EXPECT_EQ(pair.second, "a=b");
  EXPECT_FALSE(ParsePair("=b").ok());
}

}  // namespace
}  // namespace sash
