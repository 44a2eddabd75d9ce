#include "daemon/forecast/first_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/forecast/forecast_config.h"
#include "tests/daemon/probe/found.h"
#include "tests/support/engine_harness.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using testing::ForecastWindowSpec;
using ::testing::HasSubstr;
using testing::kSecond;
using testing::ShapeOf;

Config Live(WindowAxis by, std::int64_t length, std::int64_t slide, std::uint32_t every = 1) {
  Config config = testing::LiveConfig();
  config.windows = {ForecastWindowSpec("w", length, slide)};
  config.windows[0].by = by;
  config.jobs = {ShapeOf("w", every)};
  return config;
}

// Whether an engine publishes when an event comes `after` later than the first.
bool Publishes(const Config& config, std::int64_t first, std::int64_t after) {
  testing::EngineHarness harness(config.windows, config.source.time);
  harness.Start();
  testing::ScriptRecord record{.time = first, .source = 1, .target = 2};
  harness.Feed({record});
  record.offset = 1;
  record.time = first + after;
  harness.Feed({record});
  return !harness.advances.empty();
}

TEST(FirstResultTest, TheEngineKeepsToIt) {
  Config config = Live(WindowAxis::kEventTime, 10 * kSecond, 5 * kSecond);
  config.source.time.check_ahead = false;
  const std::int64_t within = FirstResultWithin(config, config.windows[0]);
  EXPECT_EQ(within, 7 * kSecond);
  // From the beginning of a slide it takes the full time; later in the slide, less.
  EXPECT_TRUE(Publishes(config, 100 * kSecond, within));
  EXPECT_FALSE(Publishes(config, 100 * kSecond, within - 1));
  EXPECT_TRUE(Publishes(config, 103 * kSecond, within));
}

TEST(FirstResultTest, ByEventsTheNextOneBringsIt) {
  const Config config = Live(WindowAxis::kEvents, 10, 5);
  testing::EngineHarness harness(config.windows, config.source.time);
  harness.Start();
  const std::int64_t within = FirstResultWithin(config, config.windows[0]);
  for (std::int64_t i = 0; i <= within; ++i) {
    EXPECT_TRUE(harness.advances.empty()) << i;
    testing::ScriptRecord record{.offset = i, .time = i, .source = 1, .target = 2};
    harness.Feed({record});
  }
  EXPECT_EQ(harness.advances.size(), 1U);
}

TEST(FirstResultTest, SaysWhatIsWaitedFor) {
  Config config = Live(WindowAxis::kEventTime, 300 * kSecond, 10 * kSecond);
  EXPECT_EQ(FirstResultText(config, config.windows[0]),
            "first result within 12s of event time after the first event (slide 10s, disorder 2s), "
            "of a whole window within 312s; every partition has to reach that time, unless it is "
            "read to its end and silent for 10s; when all are silent, time stops "
            "(on_silence: hold)");
  config.source.time.on_silence = SilencePolicy::kClock;
  EXPECT_THAT(FirstResultText(config, config.windows[0]), HasSubstr("follows the clock"));
  config.source.connector = ReplaySpec{.paths = {"f"}};
  EXPECT_THAT(FirstResultText(config, config.windows[0]),
              HasSubstr("; at the end of the file at the latest"));
  const Config clock = Live(WindowAxis::kProcessingTime, 60 * kSecond, 5 * kSecond, 3);
  EXPECT_EQ(FirstResultText(clock, clock.windows[0]),
            "first result within 15s after the first event has arrived (every 3 slides of 5s), of "
            "a whole window within 75s");
  Config moved = Live(WindowAxis::kEventTime, 60 * kSecond, 60 * kSecond);
  moved.windows[0].offset = 15 * kSecond;
  EXPECT_THAT(FirstResultText(moved, moved.windows[0]),
              HasSubstr("(slide 1m, offset 15s, disorder 2s)"));
  const Config events = Live(WindowAxis::kEvents, 1000, 100);
  EXPECT_EQ(FirstResultText(events, events.windows[0]),
            "first result after 100 events, with the next one or when all is read (slide 100 "
            "events), of a whole window within 1100 events");
}

TEST(FirstResultTest, AWindowThatNoJobLooksAtIsAWarning) {
  Config config = Live(WindowAxis::kEventTime, kSecond, kSecond);
  config.windows.push_back(ForecastWindowSpec("alone", kSecond, kSecond));
  testing::Found found;
  TellFirstResults(config, found.findings);
  EXPECT_THAT(found.lines,
              ElementsAre(HasSubstr("ok       windows[0] w: first result within 3s"),
                          "warning  windows[1] alone: no job uses it, so it has no results; "
                          "give a job `window: alone`, or leave it out"));
}

}  // namespace
}  // namespace sash
