#include "daemon/pipeline/refusal_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/kept_log.h"

namespace sash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class CountingRefusals final : public RefusalSink {
 public:
  void Refuse(const RefusedRecord& /*record*/) override { ++count; }
  std::uint64_t count = 0;
};

class RefusalWatchTest : public ::testing::Test {
 protected:
  void Accept(std::uint64_t count) { records_ += count; }
  void Refuse(std::uint64_t count, RefusalReason reason = RefusalReason::kMissingField,
              const std::string& detail = "/a is missing") {
    for (std::uint64_t i = 0; i < count; ++i) {
      watch_.Refuse({.topic = "edges",
                     .partition = 3,
                     .offset = static_cast<std::int64_t>(records_++),
                     .timestamp = {},
                     .reason = reason,
                     .detail = detail,
                     .stage = "decode"});
    }
  }
  bool IsReady() {
    watch_.Look(records_);
    return !watch_.not_ready();
  }

  CountingRefusals to_;
  KeptLog log_;
  RefusalWatch watch_{to_, log_};
  std::uint64_t records_ = 0;
};

TEST_F(RefusalWatchTest, SaysTheCommonestReasonAndItsFirstExampleOnce) {
  Refuse(1, RefusalReason::kInvalidSyntax, "not JSON");
  Refuse(20);
  Refuse(20, RefusalReason::kMissingField, "/b is missing");
  EXPECT_FALSE(IsReady());
  EXPECT_THAT(watch_.not_ready().value_or(""),
              AllOf(HasSubstr("41 of the newest 41 records were refused, 40 of them with "
                              "missing_field, such as edges/3/1: /a is missing")));
  EXPECT_FALSE(IsReady());
  EXPECT_THAT(log_.lines(), ElementsAre(StartsWith("warning: source: 41 of the newest 41 ")));
  EXPECT_EQ(to_.count, 41u);
}

TEST_F(RefusalWatchTest, FewRecordsOrNoneSayNothing) {
  EXPECT_TRUE(IsReady());
  Refuse(RefusalWatch::kLeast - 1);
  EXPECT_TRUE(IsReady());
  Refuse(1);
  EXPECT_FALSE(IsReady());
}

TEST_F(RefusalWatchTest, NineOfTenAreNotNearlyAllAndNineteenOfTwentyAre) {
  for (int i = 0; i < 100; ++i) {
    Refuse(90);
    Accept(10);
    ASSERT_TRUE(IsReady()) << i;
  }
  for (int i = 0; i < 10; ++i) {
    Refuse(95);
    Accept(5);
    (void)IsReady();
  }
  EXPECT_FALSE(IsReady());
}

TEST_F(RefusalWatchTest, AStreamThatTurnsBadAfterMillionsIsNoticedWithin200RecordsHoweverSlow) {
  Refuse(1, RefusalReason::kInvalidTime, "long ago");
  Accept(5'000'000);
  EXPECT_TRUE(IsReady());
  Accept(1000);
  EXPECT_TRUE(IsReady());
  int more = 0;
  for (; more < 1000 && IsReady(); ++more) Refuse(1);
  EXPECT_LE(more, 200);
  EXPECT_THAT(watch_.not_ready().value_or(""), HasSubstr("such as edges/3/5001001: /a is missing"));
}

TEST_F(RefusalWatchTest, IsOverAsSoonAsRecordsAreAcceptedAgain) {
  Refuse(100'000);
  EXPECT_FALSE(IsReady());
  EXPECT_FALSE(IsReady()) << "without records the state stays";
  int good = 0;
  for (; good < 1000 && !IsReady(); ++good) Accept(1);
  EXPECT_LE(good, 200);
  EXPECT_THAT(log_.lines(),
              ElementsAre(StartsWith("warning: "), "info: source: records are accepted again"));
}

TEST_F(RefusalWatchTest, LateEventsAreNotRefused) {
  Refuse(1000, RefusalReason::kLate, "late");
  EXPECT_TRUE(IsReady());
  EXPECT_EQ(watch_.WhyTooMany(records_, 0), std::nullopt);
  EXPECT_EQ(to_.count, 1000u) << "late events are passed on";
  EXPECT_THAT(log_.lines(), IsEmpty());
}

TEST_F(RefusalWatchTest, WhatIsRefusedBeforeItsRecordIsCountedDoesNoHarm) {
  Refuse(100);
  watch_.Look(0);
  EXPECT_THAT(watch_.not_ready().value_or(""), HasSubstr("100 of the newest 100"));
}

TEST_F(RefusalWatchTest, TooManyAreMoreThanTheShare) {
  EXPECT_EQ(watch_.WhyTooMany(0, 0), std::nullopt) << "the source is empty";
  Accept(71);
  Refuse(9, RefusalReason::kInvalidTime, "`x` is no time");
  Refuse(20);
  EXPECT_EQ(watch_.WhyTooMany(records_, 29), std::nullopt);
  EXPECT_EQ(watch_.WhyTooMany(records_, 28.9),
            "29 of 100 records were refused, more than 28.9% (20 missing_field, 9 invalid_time; "
            "such as edges/3/80: /a is missing)");
  EXPECT_EQ(watch_.WhyTooMany(records_, 100), std::nullopt);
}

}  // namespace
}  // namespace sash
