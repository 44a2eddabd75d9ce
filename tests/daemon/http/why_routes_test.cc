// Why a window has no new result: every reason, with a real engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "tests/daemon/http/watched_stream.h"
#include "windows/ingest/axis_position.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

WatchedStream::Options Tumbling(std::uint32_t partitions = 1) {
  return WatchedStream::Tumbling(partitions);
}

WatchedStream::Options By(WindowAxis axis, std::int64_t length) {
  WatchedStream::Options options = Tumbling();
  options.windows[0].length = length;
  options.windows[0].slide = length;
  options.windows[0].by = axis;
  return options;
}

TEST(WhyRouteTest, OfAWindowThatIsNotThereItNamesThoseThatAre) {
  const WatchedStream stream(Tumbling());
  EXPECT_THAT(stream.routes().ErrorMessage("/api/v1/windows/other/why", 404),
              HasSubstr("no window 'other'; there are: w"));
}

TEST(WhyRouteTest, BeforeTheSourceIsConnectedItSaysWhatTheSourceSays) {
  WatchedStream stream(Tumbling());
  ExpectReason(stream.Why(), "no_partition", "no partition assigned yet");
  stream.source.not_ready = {"kafka: connecting to broker:9092"};
  stream.not_ready = stream.source.not_ready;
  const Json why = stream.Why();
  ExpectReason(why, "source", "the source cannot be read: kafka: connecting to broker:9092");
  EXPECT_EQ(why.at("not_ready"), Json::parse(R"(["kafka: connecting to broker:9092"])"));
  EXPECT_TRUE(why.at("next_end").is_null());
  EXPECT_TRUE(why.at("watermark").is_null());
}

TEST(WhyRouteTest, BeforeAnyEventItTellsSilenceFromRecordsThatWaitAndThoseRefused) {
  WatchedStream stream(Tumbling());
  stream.engine.Start();
  ExpectReason(stream.Why(), "no_event",
               "Window 'w' has no next result in sight: no event has come yet.");
  stream.source.partitions = {{.topic = "replay", .partition = 0, .position = 5, .end = 12}};
  ExpectReason(stream.Why(), "unread", "the source has 7 records still to be read");
  stream.Refuse(0);
  stream.Process();
  ExpectReason(stream.Why(), "refused",
               "the newest record of replay/0 was refused; the dead letters say why");
}

TEST(WhyRouteTest, NamesThePartitionThatIsFurthestBehindAndTheEventItNeeds) {
  WatchedStream stream(Tumbling(3));
  stream.engine.Start();
  stream.Add(0, 11);
  stream.Add(1, 3.5);
  stream.Add(2, 25);
  stream.Process();
  const Json why = stream.Why();
  ExpectReason(
      why, "events",
      "Window 'w' has its next result when the watermark reaches 2026-01-01T00:00:10.000Z; "
      "it is at 2026-01-01T00:00:01.500Z, 8.5 s short: replay/1 needs an event of "
      "2026-01-01T00:00:12.000Z or later (disorder: 2 s), its newest event is of "
      "2026-01-01T00:00:03.500Z; so does 1 other partition.");
  EXPECT_EQ(why.at("by"), "event_time");
  EXPECT_EQ(why.at("next_end"), "2026-01-01T00:00:10.000Z");
  EXPECT_EQ(why.at("watermark"), "2026-01-01T00:00:01.500Z");
  EXPECT_EQ(why.at("needed_event"), "2026-01-01T00:00:12.000Z");
  EXPECT_EQ(why.at("missing_seconds"), 8.5);
  EXPECT_TRUE(why.at("missing_events").is_null());
  EXPECT_EQ(why.at("held_by"), Json::parse(R"({
    "topic":"replay","partition":1,"state":"active","holds":true,
    "newest_event":"2026-01-01T00:00:03.500Z","watermark":"2026-01-01T00:00:01.500Z",
    "caught_up":false,"silent_seconds":0.0,"late_in_a_row":0,"refused_in_a_row":0,"lag":null})"));
  std::vector<int> order;
  for (const Json& partition : why.at("partitions")) order.push_back(partition.at("partition"));
  EXPECT_THAT(order, ElementsAre(1, 0, 2));
  EXPECT_EQ(why.at("partitions")[2].at("holds"), false);
}

TEST(WhyRouteTest, EventsThatOnlyTheDisorderIsWaitedForAreToldApart) {
  WatchedStream stream(Tumbling());
  stream.engine.Start();
  stream.Add(0, 1);
  stream.Add(0, 11);
  stream.Process();
  ExpectReason(stream.Why(), "disorder",
               "replay/0 has an event of 2026-01-01T00:00:11.000Z, but it waits for out-of-order "
               "events, until an event of 2026-01-01T00:00:12.000Z comes (disorder: 2 s)");
  stream.Add(0, 12);
  stream.Process();
  const Json why = stream.Why();
  EXPECT_EQ(why.at("snapshot"), 1);
  EXPECT_EQ(why.at("newest_end"), "2026-01-01T00:00:10.000Z");
  EXPECT_EQ(why.at("next_end"), "2026-01-01T00:00:20.000Z");
}

TEST(WhyRouteTest, APartitionWithoutAnEventHoldsUntilItIsIdle) {
  WatchedStream stream(Tumbling(2));
  stream.engine.Start();
  stream.Add(0, 25);
  stream.Process();
  Json why = stream.Why();
  ExpectReason(why, "silent_partition",
               "there is no watermark yet: replay/1 has never had an event; it counts as idle once "
               "it is read to its end (idle_after: 10 s)");
  EXPECT_EQ(why.at("held_by").at("state"), "no_event");
  stream.CaughtUp(1);
  stream.Process();
  stream.Pass(seconds(4));
  ExpectReason(stream.Why(), "silent_partition", "it counts as idle in 6 s");
  stream.Pass(seconds(6));
  why = stream.Why();
  ExpectReason(why, "events", "replay/0 needs an event of 2026-01-01T00:00:32.000Z or later");
  EXPECT_EQ(why.at("partitions")[1].at("state"), "idle");
  EXPECT_EQ(why.at("partitions")[1].at("silent_seconds"), 10.0);
}

TEST(WhyRouteTest, OnePartitionThatIsSilentHoldsTheOthersUntilItIsIdle) {
  WatchedStream stream(Tumbling(2));
  stream.engine.Start();
  stream.Add(1, 3);
  stream.CaughtUp(1);
  stream.Add(0, 25);
  stream.Process();
  stream.Pass(seconds(1));
  ExpectReason(stream.Why(), "silent_partition",
               "replay/1 is silent, its newest event is of 2026-01-01T00:00:03.000Z; it counts as "
               "idle in 9 s (idle_after: 10 s)");
}

TEST(WhyRouteTest, APartitionThatComesBackWithLateEventsHoldsUntilNewerOnesCome) {
  WatchedStream stream(Tumbling(2));
  stream.engine.Start();
  stream.CaughtUp(1);
  stream.Process();
  stream.Pass(seconds(10));
  stream.Add(0, 25);
  stream.Process();
  for (int i = 0; i < 12; ++i) stream.Add(1, 3);
  stream.Process();
  const Json why = stream.Why();
  ExpectReason(why, "late", "the newest 12 events of replay/1 came after their slices had closed");
  EXPECT_EQ(why.at("held_by").at("late_in_a_row"), 12);
  stream.Add(1, 24);
  stream.Process();
  EXPECT_EQ(stream.Why().at("held_by").at("late_in_a_row"), 0);
}

TEST(WhyRouteTest, RecordsRefusedInARowAreAReasonFewAreNot) {
  WatchedStream stream(Tumbling());
  stream.engine.Start();
  stream.Add(0, 1);
  for (int i = 0; i < 9; ++i) stream.Refuse(0);
  stream.Process();
  ExpectReason(stream.Why(), "events", "replay/0 needs an event");
  EXPECT_EQ(stream.Why().at("held_by").at("refused_in_a_row"), 9);
  stream.Refuse(0);
  stream.Process();
  ExpectReason(stream.Why(), "refused", "the newest 10 records of replay/0 were refused");
}

TEST(WhyRouteTest, WhatTheSourceSaysOfThePartitionThatHoldsIsTheReason) {
  WatchedStream stream(Tumbling(2));
  stream.engine.Start();
  stream.Add(0, 25);
  stream.Add(1, 3);
  stream.Process();
  stream.source.partitions = {
      {.topic = "replay", .partition = 0, .position = 1, .end = 1},
      {.topic = "replay", .partition = 1, .position = 1, .end = 90, .paused = true}};
  Json why = stream.Why();
  ExpectReason(why, "paused",
               "replay/1 is paused, because it was ahead of others by more than "
               "max_drift (60 s)");
  EXPECT_EQ(why.at("held_by").at("state"), "paused");
  EXPECT_EQ(why.at("held_by").at("lag"), 89);
  stream.source.partitions[1].paused = false;
  ExpectReason(stream.Why(), "unread", "replay/1 has 89 records still to be read");
  stream.source.partitions[1].readable = false;
  stream.source.not_ready = {"kafka: one partition is not read", "kafka: replay/1: no leader"};
  why = stream.Why();
  ExpectReason(why, "source", "replay/1 cannot be read: kafka: replay/1: no leader.");
  EXPECT_EQ(why.at("held_by").at("state"), "unreadable");
}

TEST(WhyRouteTest, APartitionWhoseNextEventIsAheadOfTheClockSaysSo) {
  WatchedStream::Options options = Tumbling(2);
  options.policy.check_ahead = true;
  // Real events of this test stay below the limit; only the simulated partition status exceeds it.
  options.policy.ahead_limit = std::chrono::hours(24 * 365 * 100);
  WatchedStream stream(options);
  stream.engine.Start();
  const auto hold = [&] {
    stream.source.partitions = {{.topic = "replay", .partition = 0, .position = 1, .end = 1},
                                {.topic = "replay",
                                 .partition = 1,
                                 .position = 1,
                                 .end = 90,
                                 .paused = true,
                                 .held_ahead = 89,
                                 .ahead_time = EventTime(std::chrono::hours(24 * 365 * 200))}};
  };
  hold();
  ExpectReason(stream.Why(), "ahead", "89 events of replay/1 wait");
  stream.Add(0, 25);
  stream.Add(1, 3);
  stream.Process();
  hold();
  const Json why = stream.Why();
  ExpectReason(why, "ahead", "is the clock behind?");
  EXPECT_EQ(why.at("held_by").at("state"), "ahead");
}

TEST(WhyRouteTest, MemoryThatIsFullStopsReading) {
  WatchedStream stream(Tumbling());
  stream.engine.Start();
  stream.Add(0, 1);
  stream.Process();
  stream.engine.progress.intake_held = true;
  ExpectReason(stream.Why(), "memory", "reading has stopped, because memory is full");
}

TEST(WhyRouteTest, WhenAllAreSilentThePolicyDecides) {
  for (const SilencePolicy policy : {SilencePolicy::kHold, SilencePolicy::kClock}) {
    WatchedStream::Options options = Tumbling(2);
    options.policy.on_silence = policy;
    WatchedStream stream(std::move(options));
    stream.engine.Start();
    stream.Add(0, 5);
    stream.Add(1, 5);
    stream.CaughtUp(0);
    stream.CaughtUp(1);
    stream.Process();
    stream.Pass(seconds(10));
    const Json why = stream.Why();
    EXPECT_TRUE(why.at("held_by").is_null()) << why.at("held_by");
    if (policy == SilencePolicy::kHold) {
      ExpectReason(
          why, "all_idle",
          "the watermark does not move until an event of 2026-01-01T00:00:12.000Z or later "
          "comes (on_silence: hold)");
    } else {
      ExpectReason(why, "clock", "follows the clock (on_silence: clock) and gets there in 2 s");
      stream.Pass(seconds(2));
      EXPECT_EQ(stream.Why().at("snapshot"), 1);
      stream.Pass(seconds(10));
      ExpectReason(stream.Why(), "silence", "the window is empty, and it waits for an event");
      stream.source.records = 40;
      stream.source.filtered = 30;
      ExpectReason(stream.Why(), "silence", "where and skip have left out 30 of 40 records");
    }
  }
}

TEST(WhyRouteTest, AWindowByEventsCountsWhatIsMissing) {
  WatchedStream stream(By(WindowAxis::kEvents, 4));
  stream.engine.Start();
  for (int i = 0; i < 6; ++i) stream.Add(0, i);
  stream.Process();
  Json why = stream.Why();
  ExpectReason(why, "events",
               "has its next result at event 8, 2 events from now: they have not come yet");
  EXPECT_EQ(why.at("newest_end"), 4);
  EXPECT_EQ(why.at("next_end"), 8);
  EXPECT_EQ(why.at("missing_events"), 2);
  EXPECT_TRUE(why.at("needed_event").is_null());
  stream.Add(0, 7);
  stream.Add(0, 8);
  stream.Process();
  why = stream.Why();
  ExpectReason(why, "events", "it is published when one more event comes");
  EXPECT_EQ(why.at("missing_events"), 0);
}

TEST(WhyRouteTest, AWindowByProcessingTimeWaitsForTheClockWhateverTheSourceDoes) {
  WatchedStream stream(By(WindowAxis::kProcessingTime, 10'000'000'000));
  stream.engine.Start();
  stream.engine.clock.Advance(seconds(3));
  stream.Add(0, 100);
  stream.Process();
  stream.engine.progress.intake_held = true;
  const Json why = stream.Why();
  ExpectReason(why, "clock", "when the clock reaches 2026-01-01T00:00:10.000Z: that is in 7 s");
  EXPECT_EQ(why.at("missing_seconds"), 7.0);
}

TEST(WhyRouteTest, WhileWindowsAreMadeItSaysSo) {
  WatchedStream stream(Tumbling());
  stream.engine.Start();
  std::vector<Json> meanwhile;
  stream.engine.on_advance = [&](const AdvancePtr&) { meanwhile.push_back(stream.Why()); };
  stream.Add(0, 1);
  stream.Add(0, 11);
  stream.Add(0, 35);
  stream.Process();
  ASSERT_GE(meanwhile.size(), 2u);
  ExpectReason(meanwhile[0], "advancing", "it is being made now");
  EXPECT_EQ(meanwhile[0].at("next_end"), "2026-01-01T00:00:20.000Z");
}

TEST(WhyRouteTest, AfterARestartItSaysUpToWhereTheWindowIsRebuilt) {
  WatchedStream stream(Tumbling());
  RewindPoint resumed;
  resumed.published["w"] = ToPosition(kStart + seconds(30));
  stream.engine.Start(resumed);
  stream.Add(0, 1);
  stream.Process();
  const Json why = stream.Why();
  ExpectReason(
      why, "events",
      "Window 'w' is being rebuilt after a restart, up to 2026-01-01T00:00:30.000Z, and has "
      "its next result when the watermark reaches 2026-01-01T00:00:40.000Z");
  EXPECT_EQ(why.at("rebuilt_until"), "2026-01-01T00:00:30.000Z");
  EXPECT_EQ(why.at("missing_seconds"), 41.0);
}

TEST(WhyRouteTest, AfterTheEndOfASourceThereIsNothingToWaitFor) {
  WatchedStream stream(Tumbling());
  stream.engine.Start();
  stream.Add(0, 1);
  stream.Process();
  stream.engine.End();
  ExpectReason(stream.Why(), "end_of_source",
               "Window 'w' has no further result: the source has ended.");
}

}  // namespace
}  // namespace sash
