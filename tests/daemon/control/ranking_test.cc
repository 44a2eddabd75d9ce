#include "daemon/control/ranking.h"

#include <gtest/gtest.h>

#include "tests/daemon/control/json_reading.h"

namespace sash {
namespace {

const char* const kBefore = R"({"top": [{"vertex": "a", "rank": 1, "score": 0.5},
  {"vertex": "b", "rank": 2, "score": 0.25}, {"vertex": "c\u001b", "rank": 3, "score": 0.125}]})";
const char* const kNow = R"({"top": [{"vertex": "b", "rank": 1, "score": 0.5},
  {"vertex": "a", "rank": 2, "score": 0.25}, {"vertex": "d", "rank": 3, "score": 0.12345678}]})";

TEST(Ranking, SaysHowTheListMovedSinceTheResultBefore) {
  EXPECT_EQ(RankingTable(Json(kNow), Json(kBefore), 10).Text(),
            "#  MOVED  VERTEX   SCORE\n"
            "1  ▲1     b          0.5\n"
            "2  ▼1     a         0.25\n"
            "3  new    d       0.1235\n");
  EXPECT_EQ(LeaversOf(Json(kNow), Json(kBefore)), std::vector<std::string>{"c\\u001b"});
}

TEST(Ranking, WithoutAResultBeforeNothingMoved) {
  EXPECT_EQ(RankingTable(Json(kNow), JsonValue{}, 2).Text(),
            "#  MOVED  VERTEX  SCORE\n"
            "1         b         0.5\n"
            "2         a        0.25\n");
  EXPECT_TRUE(LeaversOf(Json(kNow), JsonValue{}).empty());
}

TEST(Ranking, ListsSetsAndIntegerKeysAlike) {
  const auto rows =
      RowsOf(Json(R"({"top": [{"component": -9223372036854775808, "rank": 1, "size": 63}]})"),
             Json(R"({"top": [{"component": -9223372036854775808, "rank": 1, "size": 1}]})"));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].key, "-9223372036854775808");
  EXPECT_EQ(rows[0].figures, std::vector<std::string>{"63"});
  EXPECT_EQ(MovementText(rows[0]), "");
}

}  // namespace
}  // namespace sash
