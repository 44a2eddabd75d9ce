#include "daemon/control/wording.h"

#include <gtest/gtest.h>

#include "tests/daemon/control/json_reading.h"

namespace sash {
namespace {

TEST(Wording, FiguresAreShortButIntegersWhole) {
  EXPECT_EQ(FigureText(Json("18446744073709551615")), "18446744073709551615");
  EXPECT_EQ(FigureText(Json("-9223372036854775808")), "-9223372036854775808");
  EXPECT_EQ(FigureText(Json("0.17899222152723798")), "0.179");
  EXPECT_EQ(FigureText(Json("6.158807506407201e-07")), "6.159e-07");
  EXPECT_EQ(FigureText(Json("null")), "–");
  EXPECT_EQ(FigureText(Json("true")), "yes");
  EXPECT_EQ(FigureText(Json("\"a\\u001bb\"")), "a\\u001bb");
  EXPECT_EQ(FigureText(Json("[1, 20, 40]")), "1, 20, 40");
  EXPECT_EQ(FigureText(Json(R"({"damping": 0.85, "top": 3})")), "damping 0.85, top 3");
  EXPECT_EQ(FigureText(Json("{}")), "–");
}

TEST(Wording, BytesAndDurationsHaveTheirUnit) {
  EXPECT_EQ(BytesText(Json("1023")), "1023 B");
  EXPECT_EQ(BytesText(Json("37113")), "36.2 KiB");
  EXPECT_EQ(BytesText(Json("1073741824")), "1.0 GiB");
  EXPECT_EQ(BytesText(Json("null")), "–");
  EXPECT_EQ(DurationText(0), "0 s");
  EXPECT_EQ(DurationText(9.256e-05), "93 µs");
  EXPECT_EQ(DurationText(0.0188), "18.8 ms");
  EXPECT_EQ(DurationText(59), "59 s");
  EXPECT_EQ(DurationText(200), "3 min 20 s");
  EXPECT_EQ(DurationText(7500), "2 h 5 min");
  EXPECT_EQ(DurationText(86'400), "1 d");
  EXPECT_EQ(DurationText(-0.25), "-250 ms");
}

TEST(Wording, TimesAreUtcWithoutZeros) {
  EXPECT_EQ(TimeText(Json("\"2026-11-22T05:35:23.000Z\"")), "2026-11-22 05:35:23Z");
  EXPECT_EQ(TimeText(Json("\"2026-11-22T05:35:23.003Z\"")), "2026-11-22 05:35:23.003Z");
  EXPECT_EQ(TimeText(Json("\"v17\"")), "v17");
  EXPECT_EQ(TimeText(Json("17")), "17");
  EXPECT_EQ(TimeText(Json("null")), "–");
}

TEST(Wording, TimesOfTheApiAreUnderstood) {
  EXPECT_EQ(ParseApiTime("1970-01-01T00:00:01.250Z"), std::chrono::milliseconds(1'250));
  EXPECT_EQ(ParseApiTime("2026-01-01T00:00:00Z"), std::chrono::milliseconds(1'767'225'600'000));
  EXPECT_EQ(ParseApiTime("2026-11-22T05:35:23.826442290Z"),
            std::chrono::milliseconds(1'795'325'723'826));
  for (const char* text : {"", "2026-13-01T00:00:00Z", "2026-01-01 00:00:00Z", "x", "2026-01-01",
                           "2026-02-30T00:00:00Z", "2026-01-01T00:00:00"}) {
    EXPECT_FALSE(ParseApiTime(text)) << text;
  }
}

}  // namespace
}  // namespace sash
