#include "daemon/pipeline/bounded_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "daemon/log/exit_code.h"

namespace sash {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

EventTime At(int second) { return EventTime(seconds(second)); }

WindowSpec Window(int length, int slide) {
  WindowSpec window;
  window.name = "w";
  window.length = Duration(seconds(length)).count();
  window.slide = Duration(seconds(slide)).count();
  return window;
}

Config Live() {
  Config config;
  KafkaSpec kafka;
  kafka.brokers = "k:1";
  kafka.topics = {"t"};
  config.source.connector = kafka;
  config.source.dead_letters = {.path = "/nonexistent/letters"};
  config.source.dead_letters.kafka = KafkaDestination{.brokers = "k:1", .topic = "refused"};
  config.windows = {Window(60, 10)};
  config.recovery.kind = RecoveryConfig::Kind::kCheckpoint;
  return config;
}

bool Holds(const WindowSpec& spec, EventTime start, EventTime end) {
  Provenance window;
  window.window = "w";
  window.window_start = start;
  window.window_end = end;
  return HoldsWhole({.from = At(100), .to = At(200)}, {spec}, window);
}

TEST(BoundedReplayTest, EmitsTheWindowsThatLieWhollyInTheSpan) {
  EXPECT_TRUE(Holds(Window(60, 10), At(100), At(160)));
  EXPECT_TRUE(Holds(Window(60, 10), At(140), At(200)));
  EXPECT_FALSE(Holds(Window(60, 10), At(90), At(150)));
  EXPECT_FALSE(Holds(Window(60, 10), At(150), At(210)));
}

TEST(BoundedReplayTest, ALandmarkWindowBeginsWithTheSpan) {
  WindowSpec landmark = Window(60, 10);
  landmark.length.reset();
  EXPECT_TRUE(Holds(landmark, At(95), At(150)));  // its pane begins before the span
  EXPECT_FALSE(Holds(landmark, At(95), At(210)));
}

TEST(BoundedReplayTest, ALiveConfigurationBecomesOneOfASpan) {
  Config config = Live();
  config.windows.push_back(Window(30, 15));
  EXPECT_FALSE(MakeBoundedReplay({.from = At(100), .to = At(200)}, config).has_value());
  ASSERT_NE(config.source.span(), nullptr);
  EXPECT_EQ(config.source.span()->from, At(100));
  EXPECT_EQ(config.source.span()->pane, seconds(5));
  EXPECT_TRUE(config.source.is_finite());
  EXPECT_FALSE(config.source.is_replay());
  EXPECT_FALSE(config.source.dead_letters.kafka.has_value());
  EXPECT_EQ(config.recovery.kind, RecoveryConfig::Kind::kReplay);
  EXPECT_EQ(config.http.port, 0);
}

TEST(BoundedReplayTest, ASpanWithoutAnyWindowIsWrongUsage) {
  for (const auto& [from, to, good] :
       {std::tuple(100, 159, false), {100, 160, true}, {101, 161, false}, {101, 170, true}}) {
    Config config = Live();
    const auto refusal = MakeBoundedReplay({.from = At(from), .to = At(to)}, config);
    EXPECT_EQ(!refusal.has_value(), good) << from << " " << to;
    if (refusal) {
      EXPECT_EQ(refusal->exit_code, kExitUsage);
    }
  }
}

TEST(BoundedReplayTest, AnOffsetMovesTheWindowsOfASpanAndCutsItsPanes) {
  for (const auto& [from, to, good] :
       {std::tuple(100, 162, false), {100, 163, true}, {103, 163, true}, {104, 172, false}}) {
    Config config = Live();
    config.windows[0].offset = Duration(seconds(3)).count();
    const auto refusal = MakeBoundedReplay({.from = At(from), .to = At(to)}, config);
    EXPECT_EQ(!refusal.has_value(), good) << from << " " << to;
    if (!refusal) {
      EXPECT_EQ(config.source.span()->pane, seconds(1));
    }
  }
}

TEST(BoundedReplayTest, WhatHasNoHistoryIsRefused) {
  const auto why = [](auto change) {
    Config config = Live();
    change(config);
    const auto refusal = MakeBoundedReplay({.from = At(100), .to = At(200)}, config);
    if (!refusal) return std::string();
    EXPECT_EQ(refusal->exit_code, kExitConfiguration);
    return refusal->why;
  };
  EXPECT_EQ(why([](Config&) {}), "");
  EXPECT_THAT(why([](Config& config) { config.source.connector = ReplaySpec{}; }),
              HasSubstr("source.replay: "));
  EXPECT_THAT(why([](Config& config) {
                std::get<KafkaSpec>(config.source.connector).brokers = "embedded";
              }),
              HasSubstr("source.kafka.brokers: "));
  EXPECT_THAT(why([](Config& config) { config.source.format.time_origin = TimeOrigin::kClock; }),
              HasSubstr("source.time.from: "));
  EXPECT_THAT(why([](Config& config) { config.windows[0].by = WindowAxis::kProcessingTime; }),
              HasSubstr("windows[0].by: "));
}

TEST(BoundedReplayTest, TimesAreReadAsEverywhere) {
  const auto span = ParseSpan("2026-01-01T00:00:00Z", "1767225660000");
  ASSERT_TRUE(span.ok());
  EXPECT_EQ(span.value().to - span.value().from, seconds(60));
  EXPECT_THAT(ParseSpan("noon", "1").error().message, HasSubstr("--from: `noon` is not a time"));
  EXPECT_THAT(ParseSpan("1", "noon").error().message, HasSubstr("--to: `noon` is not a time"));
  EXPECT_THAT(ParseSpan("2", "2").error().message, HasSubstr("--from: must be before --to"));
}

}  // namespace
}  // namespace sash
