#include "connectors/kafka/span_intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace sash {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

EventTime EventAt(std::int64_t second) { return EventTime(seconds(second)); }

// The span is 1000 s to 2000 s, the pane 10 s, disorder 5 s, ahead_limit 60 s.
class SpanIntakeTest : public ::testing::Test {
 protected:
  void Say(std::int64_t second) {
    const auto before = SpanIntake::Before::Of(batch_);
    const std::string key = "key " + std::to_string(second);
    batch_.Add({.time = EventAt(second),
                .offset = offset_++,
                .source = KeyRef::Text(batch_.Store(key)),
                .target = KeyRef::Text(batch_.Store(key))});
    intake_.Take(before, batch_);
  }
  // A record of several edges, of which `refused` cannot be read.
  void SayRecord(const std::vector<std::int64_t>& times, std::size_t refused = 0) {
    const auto before = SpanIntake::Before::Of(batch_);
    const TextRef payload = batch_.Store("payload");
    for (const std::int64_t second : times) {
      const std::string key = "key " + std::to_string(second);
      batch_.Add({.time = EventAt(second),
                  .offset = offset_,
                  .source = KeyRef::Text(batch_.Store(key)),
                  .target = KeyRef::Text(batch_.Store(key)),
                  .payload = payload,
                  .further = second != times.front()});
    }
    batch_.AddRefused(refused, 0, offset_++, before.events);
    intake_.Take(before, batch_);
  }
  void Refuse() {
    const auto before = SpanIntake::Before::Of(batch_);
    batch_.AddMark(Mark::Kind::kRefused, 0, offset_++);
    intake_.Take(before, batch_);
  }
  void SayNothing() { intake_.Take(SpanIntake::Before::Of(batch_), batch_); }

  // Adds enough events for the first one to be decided.
  void Begin(std::int64_t second) {
    for (int i = 0; i < 12; ++i) Say(second);
    EXPECT_EQ(intake_.newest(), EventAt(second));
  }

  // The seconds of the events in the batch; negative for refused ones.
  std::vector<std::int64_t> Events() const {
    std::vector<std::int64_t> times;
    for (const EdgeEvent& event : batch_.events()) {
      const auto second = std::chrono::floor<seconds>(event.time).time_since_epoch().count();
      EXPECT_EQ(batch_.Text(event.source.text()), "key " + std::to_string(second));
      times.push_back(event.ahead ? -second : second);
    }
    return times;
  }
  std::vector<std::int64_t> RefusedOffsets() const {
    std::vector<std::int64_t> offsets;
    for (const Mark& mark : batch_.marks()) offsets.push_back(mark.offset);
    return offsets;
  }

  EventBatch batch_;
  SpanIntake intake_{{.from = EventAt(1000), .to = EventAt(2000), .pane = seconds(10)},
                     {.disorder = seconds(5), .ahead_limit = seconds(60)},
                     KeyKind::kString};
  std::int64_t offset_ = 0;
};

TEST_F(SpanIntakeTest, WhatLiesBeforeTheSpanIsLeftOutUnlessItIsLateInIt) {
  Begin(980);
  Refuse();
  SayNothing();
  Say(1001);
  Say(999);  // its pane is still open
  Say(1030);
  Say(999);
  Refuse();
  EXPECT_THAT(Events(), ElementsAre(1001, 1030, 999));
  EXPECT_THAT(RefusedOffsets(), ElementsAre(17));
  EXPECT_EQ(intake_.left_out(), 13u);
}

TEST_F(SpanIntakeTest, AnEventBehindTheSpanEndsItOnceDisorderReachesNoFurther) {
  Begin(980);
  for (std::int64_t second = 1000; second < 2000; second += 50) Say(second);
  Say(2004);
  EXPECT_FALSE(intake_.passed());
  Say(2005);
  EXPECT_TRUE(intake_.passed());
  EXPECT_THAT(Events(), SizeIs(22));
  EXPECT_EQ(Events().back(), 2005);
}

TEST_F(SpanIntakeTest, OfARecordTheEdgesInTheSpanStayTogether) {
  Begin(980);
  SayRecord({985, 1001, 990, 1002});
  SayRecord({1030, 1003, 999});  // 999 is not late: the newest record before it was of 1002
  EXPECT_THAT(Events(), ElementsAre(1001, 1002, 1030, 1003));
  EXPECT_EQ(batch_.RecordEnd(0), 2u);
  EXPECT_EQ(batch_.RecordEnd(2), 4u);
  for (const EdgeEvent& event : batch_.events()) {
    EXPECT_EQ(batch_.Text(event.payload), "payload");
  }
  EXPECT_EQ(intake_.left_out(), 15u);
}

TEST_F(SpanIntakeTest, TheRefusedEdgesOfARecordComeBeforeTheOthers) {
  Begin(1000);
  SayRecord({1001, 1002}, 2);
  EXPECT_THAT(RefusedOffsets(), ElementsAre(12, 12));
  EXPECT_EQ(batch_.marks()[1].before_event, 12u);
  Say(5000);  // it waits, and so does the record after it
  SayRecord({1003, 1004}, 1);
  EXPECT_THAT(RefusedOffsets(), SizeIs(2));
  for (int i = 0; i < 90; ++i) Say(1005);
  EXPECT_EQ(Events()[14], -5000);
  EXPECT_EQ(Events()[15], 1003);
  EXPECT_THAT(RefusedOffsets(), ElementsAre(12, 12, 14));
  EXPECT_EQ(batch_.marks()[2].before_event, 15u);
}

TEST_F(SpanIntakeTest, OfARecordOnlyTheEdgeFarAheadIsRefused) {
  Begin(1000);
  SayRecord({1001, 5000});
  for (int i = 0; i < 90; ++i) Say(1002);
  EXPECT_FALSE(intake_.passed());
  EXPECT_EQ(Events()[12], 1001);
  EXPECT_EQ(Events()[13], -5000);
  EXPECT_EQ(batch_.RecordEnd(12), 14u);
}

TEST_F(SpanIntakeTest, AnEventFarAheadOfTheNextHundredIsRefusedAndEndsNothing) {
  Begin(1000);
  Say(5000);
  Refuse();
  for (int i = 0; i < 90; ++i) Say(1002);
  EXPECT_FALSE(intake_.passed());
  EXPECT_THAT(Events(), SizeIs(12 + 1 + 90));
  EXPECT_EQ(Events()[12], -5000);
  EXPECT_THAT(RefusedOffsets(), ElementsAre(13));
  EXPECT_EQ(intake_.newest(), EventAt(1002));
}

TEST_F(SpanIntakeTest, AnEventFarAheadBeforeTheFirstOneInTheSpanIsLeftOut) {
  Begin(900);
  Say(5000);
  Refuse();
  for (int i = 0; i < 95; ++i) Say(901);
  EXPECT_THAT(Events(), IsEmpty());
  EXPECT_THAT(RefusedOffsets(), IsEmpty());
  EXPECT_FALSE(intake_.passed());
}

TEST_F(SpanIntakeTest, AJumpThatOthersFollowIsNoFault) {
  Begin(1000);
  Say(1500);
  EXPECT_THAT(Events(), SizeIs(12));
  for (int i = 0; i < 11; ++i) Say(1501);
  EXPECT_THAT(Events(), SizeIs(24));
  EXPECT_EQ(Events()[12], 1500);
}

TEST_F(SpanIntakeTest, AtTheEndWhatWaitsIsDecidedByWhatThereIs) {
  Say(1000);
  Say(1500);
  Say(1001);
  EXPECT_THAT(Events(), ElementsAre(1000));
  intake_.Finish(batch_);
  EXPECT_THAT(Events(), ElementsAre(1000, -1500, 1001));
}

TEST_F(SpanIntakeTest, NothingIsTakenBehindTheEventThatEndsTheSpan) {
  Begin(1000);
  Say(3000);
  for (int i = 0; i < 11; ++i) Say(3001);
  EXPECT_TRUE(intake_.passed());
  EXPECT_THAT(Events(), SizeIs(13));
  intake_.Finish(batch_);
  EXPECT_THAT(Events(), SizeIs(13));
}

}  // namespace
}  // namespace sash
