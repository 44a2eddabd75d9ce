// Offsets of zones: at random local times the table agrees with Howard Hinnant's date library.
#include "connectors/codec/zone_table.h"

#include <date/tz.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sash {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr const char* kZones[] = {"UTC",
                                  "Europe/Berlin",
                                  "America/New_York",
                                  "Asia/Kolkata",
                                  "America/St_Johns",
                                  "Australia/Lord_Howe",
                                  "Asia/Pyongyang",
                                  "Africa/Casablanca",
                                  "Etc/GMT+5"};

// The library's answer: the offset from before the change where a local time is none or two.
void ExpectAsTheLibrary(const date::time_zone& zone, ZoneTable& table, sys_seconds local) {
  const date::local_info info = zone.get_info(date::local_seconds(local.time_since_epoch()));
  const ZoneTable::Offset offset = table.At(local);
  ASSERT_EQ(offset.from_utc, info.first.offset)
      << zone.name() << " " << local.time_since_epoch().count();
  ASSERT_EQ(offset.doubtful, info.result != date::local_info::unique)
      << zone.name() << " " << local.time_since_epoch().count();
}

TEST(ZoneTableTest, AgreesWithTheLibraryAtRandomTimesAndAroundChanges) {
  std::mt19937_64 random(7);
  for (const char* name : kZones) {
    const date::time_zone& zone = *date::locate_zone(name);
    Result<ZoneTable> loaded = ZoneTable::Load(name);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    ZoneTable table = std::move(loaded).value();
    std::uniform_int_distribution<std::int64_t> any(-8'520'336'000, 7'289'654'399);
    for (int i = 0; i < 2000; ++i)
      ExpectAsTheLibrary(zone, table, sys_seconds(seconds(any(random))));
    // Local times up to two hours around each change, the seconds at its borders among them.
    date::sys_info info = zone.get_info(date::sys_seconds(seconds(-8'520'336'000)));
    while (info.end.time_since_epoch() < seconds(7'289'654'399)) {
      const date::sys_info next = zone.get_info(info.end);
      for (const seconds offset : {info.offset, next.offset}) {
        for (const int after : {-7200, -1, 0, 1, 1800, 7200}) {
          ExpectAsTheLibrary(zone, table,
                             sys_seconds(info.end.time_since_epoch() + offset + seconds(after)));
        }
      }
      info = next;
    }
  }
}

TEST(ZoneTableTest, TheHourThatIsSkippedOrRepeatedHasTheOffsetBeforeTheChange) {
  ZoneTable berlin = ZoneTable::Load("Europe/Berlin").value();
  const sys_seconds skipped = std::chrono::sys_days(std::chrono::year(2026) / 3 / 29) +
                              std::chrono::hours(2) + std::chrono::minutes(30);
  EXPECT_EQ(berlin.At(skipped).from_utc, std::chrono::hours(1));
  EXPECT_TRUE(berlin.At(skipped).doubtful);
  const sys_seconds repeated = std::chrono::sys_days(std::chrono::year(2026) / 10 / 25) +
                               std::chrono::hours(2) + std::chrono::minutes(30);
  EXPECT_EQ(berlin.At(repeated).from_utc, std::chrono::hours(2));
  EXPECT_TRUE(berlin.At(repeated).doubtful);
  EXPECT_FALSE(berlin.At(repeated + std::chrono::minutes(30)).doubtful);
}

TEST(ZoneTableTest, AWrongNameIsRefusedWithTheRemedy) {
  for (const char* name : {"", "Europe", "europe/berlin", "CEST", "+01:00", "../../etc/passwd"}) {
    const Result<ZoneTable> zone = ZoneTable::Load(name);
    ASSERT_FALSE(zone.ok()) << name;
    EXPECT_THAT(zone.error().message, ::testing::HasSubstr("give an IANA name")) << name;
  }
}

}  // namespace
}  // namespace sash
