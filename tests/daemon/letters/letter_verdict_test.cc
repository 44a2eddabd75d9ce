#include "daemon/letters/letter_verdict.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "windows/ingest/letter_places.h"
#include "windows/ingest/refusal.h"

namespace sash {
namespace {

using Kind = LetterVerdict::Kind;

constexpr EventTime kNow{std::chrono::milliseconds(1000)};

FormatSpec Format() {
  FormatSpec format;
  JsonMapping mapping;
  mapping.source = "/from";
  mapping.target = "/to";
  mapping.time = "/ts";
  format.mapping = mapping;
  format.time_origin = TimeOrigin::kField;
  return format;
}

DeadLetter Letter(std::optional<std::string> value) {
  return {.topic = "edges", .offset = 7, .stage = "decode", .payload = std::move(value)};
}

LetterVerdict Judge(const DeadLetter& letter, const FormatSpec& format = Format()) {
  auto judge = LetterJudge::Open(format);
  EXPECT_TRUE(judge.ok());
  return judge.value()->Judge(letter, kNow);
}

TEST(LetterJudgeTest, WhatDecodesByNowIsToldFromWhatDoesNot) {
  EXPECT_EQ(Judge(Letter(R"({"from":"a","to":"b","ts":5})")).kind, Kind::kDecodes);
  const LetterVerdict refused = Judge(Letter(R"({"from":"a","ts":5})"));
  EXPECT_EQ(refused.kind, Kind::kRefused);
  EXPECT_EQ(refused.reason, "missing_field");
  EXPECT_NE(refused.detail, "");
}

TEST(LetterJudgeTest, ARecordThatWhereLeavesOutIsNotAnEdge) {
  FormatSpec format = Format();
  format.where = "/n > 5";
  EXPECT_EQ(Judge(Letter(R"({"from":"a","to":"b","ts":5,"n":6})"), format).kind, Kind::kDecodes);
  EXPECT_EQ(Judge(Letter(R"({"from":"a","to":"b","ts":5,"n":5})"), format).kind, Kind::kFiltered);
  EXPECT_EQ(Judge(Letter(R"({"from":"a"})"), format).kind, Kind::kFiltered);
  EXPECT_EQ(Judge(Letter(R"({"from":"a","to":"b","ts":5,"n":"6"})"), format).reason, "where");
}

TEST(LetterJudgeTest, KeyAndHeadersOfTheLetterAreThoseOfTheRecord) {
  FormatSpec format = Format();
  JsonMapping& mapping = std::get<JsonMapping>(format.mapping);
  mapping.source = "$key";
  mapping.target = "$header.to";
  DeadLetter letter = Letter(R"({"ts":5})");
  EXPECT_EQ(Judge(letter, format).reason, "missing_field");
  letter.key = "a";
  letter.headers = {{"to", "b"}};
  EXPECT_EQ(Judge(letter, format).kind, Kind::kDecodes);
}

TEST(LetterJudgeTest, EachLetterIsJudgedForItself) {
  auto judge = LetterJudge::Open(Format());
  ASSERT_TRUE(judge.ok());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(judge.value()->Judge(Letter("{"), kNow).kind, Kind::kRefused);
    EXPECT_EQ(judge.value()->Judge(Letter(R"({"from":"a","to":"b","ts":5})"), kNow).kind,
              Kind::kDecodes);
  }
}

DeadLetter OfWindow(std::string value, RefusalReason reason) {
  DeadLetter letter = Letter(std::move(value));
  letter.stage = "window";
  letter.reason = Name(reason);
  return letter;
}

TEST(LetterJudgeTest, WhatWasLateIsLateAndWhatWasAheadWaitsForItsTime) {
  const std::string record = R"({"from":"a","to":"b","ts":1000})";
  EXPECT_EQ(Judge(OfWindow(record, RefusalReason::kLate)).kind, Kind::kLate);
  EXPECT_EQ(Judge(OfWindow(record, RefusalReason::kAhead)).kind, Kind::kDecodes);
  const std::string ahead = R"({"from":"a","to":"b","ts":1001})";
  EXPECT_EQ(Judge(OfWindow(ahead, RefusalReason::kAhead)).kind, Kind::kAhead);
  EXPECT_EQ(Judge(OfWindow("{", RefusalReason::kLate)).kind, Kind::kRefused);
}

TEST(LetterJudgeTest, OnlyTheEdgesThatWereAheadHaveToWait) {
  FormatSpec format = Format();
  JsonMapping& mapping = std::get<JsonMapping>(format.mapping);
  mapping.each = "";
  DeadLetter letter = OfWindow(R"([{"from":"a","to":"b","ts":5},{"from":"a","to":"b","ts":1001}])",
                               RefusalReason::kAhead);
  letter.places = {{.at = EdgePlace{1, 0}}};
  EXPECT_EQ(Judge(letter, format).kind, Kind::kAhead);
  letter.places = {{.at = EdgePlace{0, 0}}};
  EXPECT_EQ(Judge(letter, format).kind, Kind::kDecodes);
  // There may be more of them than the letter lists.
  letter.places.assign(kMostLetterPlaces, {.at = EdgePlace{0, 0}});
  EXPECT_EQ(Judge(letter, format).kind, Kind::kTruncated);
}

TEST(LetterJudgeTest, AMappingThatReadsHeadersNeedsALetterThatHasThem) {
  FormatSpec format = Format();
  std::get<JsonMapping>(format.mapping).weight = "$header.w";  // without it, the weight is 1
  const std::string record = R"({"from":"a","to":"b","ts":5})";
  EXPECT_EQ(Judge(OfWindow(record, RefusalReason::kLate), format).kind, Kind::kHeaderless);
  EXPECT_EQ(Judge(OfWindow(record, RefusalReason::kAhead), format).kind, Kind::kHeaderless);
  EXPECT_EQ(Judge(Letter(record), format).kind, Kind::kDecodes);
  FormatSpec several = Format();
  several.mappings = {Format(), format};
  EXPECT_EQ(Judge(OfWindow(record, RefusalReason::kLate), several).kind, Kind::kHeaderless);
}

TEST(LetterJudgeTest, WhatIsNotWholeStays) {
  DeadLetter cut = Letter(R"({"from":"a","to":"b","ts":5})");
  cut.truncated = true;
  EXPECT_EQ(Judge(cut).kind, Kind::kTruncated);
}

TEST(LetterJudgeTest, OfSeveralMappingsOnlyThoseOfTheLetterDecide) {
  FormatSpec paid = Format();
  paid.name = "paid";
  FormatSpec cash = Format();
  cash.name = "cash";
  cash.topics = {"edges"};
  std::get<JsonMapping>(cash.mapping).target = "/till";
  FormatSpec format = Format();
  format.mappings = {paid, cash};
  DeadLetter letter = Letter(R"({"from":"a","to":"b","ts":5})");
  EXPECT_EQ(Judge(letter, format).kind, Kind::kRefused);
  letter.places = {{.mapping = "paid"}};
  EXPECT_EQ(Judge(letter, format).kind, Kind::kDecodes);
  letter.places = {{.mapping = "cash"}};
  EXPECT_EQ(Judge(letter, format).reason, "missing_field");
  format.mappings = {cash};
  letter.topic = "other";
  EXPECT_EQ(Judge(letter, format).kind, Kind::kUnmapped);
}

TEST(LetterJudgeTest, ATombstoneIsWhatTheFormatMakesOfIt) {
  DeadLetter tombstone = Letter(std::nullopt);
  tombstone.key = R"({"from":"a","to":"b","ts":5})";
  FormatSpec format = Format();
  format.tombstone = TombstonePolicy::kIgnore;
  EXPECT_EQ(Judge(tombstone, format).kind, Kind::kIgnored);
  format.tombstone = TombstonePolicy::kRemove;
  EXPECT_EQ(Judge(tombstone, format).kind, Kind::kDecodes);
  format.tombstone = TombstonePolicy::kDeadLetter;
  EXPECT_EQ(Judge(tombstone, format).reason, "tombstone");
}

}  // namespace
}  // namespace sash
