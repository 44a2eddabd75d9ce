#include "daemon/infer/window_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr EventTime kNewYear = EventTime(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1));

std::vector<EventTime> Every(Duration step, int count) {
  std::vector<EventTime> times;
  for (int i = 0; i < count; ++i) times.push_back(kNewYear + i * step);
  return times;
}

TEST(WindowPlanTest, TheWindowIsAThirdOfTheSpanAtMost) {
  EXPECT_EQ(WindowKeysText(PlanWindow(Every(1s, 100))), "name: last-10s, length: 10s, slide: 1s");
  EXPECT_EQ(WindowKeysText(PlanWindow(Every(1s, 1000))), "name: last-5m, length: 5m, slide: 30s");
  EXPECT_EQ(WindowKeysText(PlanWindow(Every(1h, 1000))), "name: last-7d, length: 7d, slide: 1d");
  EXPECT_EQ(WindowKeysText(PlanWindow({kNewYear})), "name: last-10s, length: 10s, slide: 1s");
}

TEST(WindowPlanTest, SlidesAreNotShorterThanTheStepOfTheTimes) {
  EXPECT_EQ(WindowName(PlanWindow(Every(1h, 5))), "last-1d");
  EXPECT_EQ(WindowName(PlanWindow(Every(0s, 5))), "last-10s");
  EXPECT_EQ(WindowName(PlanWindow(Every(1ms, 500))), "last-100ms");
  EXPECT_EQ(WindowName(PlanWindow(Every(24h * 3000, 5))), "last-1820d");
}

TEST(WindowPlanTest, WithoutTimesTheWindowKeepsAllEdges) {
  const WindowPlan plan = PlanWindow({});
  EXPECT_EQ(WindowKeysText(plan), "name: all, by: events, length: forever, slide: 10000");
  EXPECT_EQ(WindowName(plan), "all");
}

TEST(WindowPlanTest, DisorderIsTheLongestWayBack) {
  std::vector<EventTime> times = Every(1s, 1000);
  EXPECT_EQ(PlanWindow(times).disorder, 2s);
  std::swap(times[500], times[530]);
  EXPECT_EQ(PlanWindow(times).disorder, 30s);
  EXPECT_THAT(PlanWindow(times).reason, HasSubstr("up to 30s behind earlier ones"));
}

TEST(WindowPlanTest, AFewTimesFarOutsideDoNotDecide) {
  std::vector<EventTime> times = Every(1s, 1000);
  times[10] = kNewYear + 24h * 3000;
  times[20] = EventTime();
  const WindowPlan plan = PlanWindow(times);
  EXPECT_EQ(plan.disorder, 2s);
  EXPECT_EQ(plan.length, 5min);
  EXPECT_THAT(plan.reason, HasSubstr("2 times are far outside"));
}

TEST(WindowPlanTest, TimesOfOtherCenturiesDoNotOverflow) {
  const auto year = [](int number) {
    return EventTime(std::chrono::sys_days(std::chrono::year(number) / 1 / 1));
  };
  std::vector<EventTime> times = Every(1s, 1000);
  for (const int number : {1700, 1700, 2199, 2199}) times.push_back(year(number));
  EXPECT_EQ(PlanWindow(times).length, 5min);
  EXPECT_THAT(PlanWindow(times).reason, HasSubstr("4 times are far outside"));
  EXPECT_THAT(PlanWindow({year(1700), year(2199)}).reason, HasSubstr("is their unit right?"));
  EXPECT_THAT(PlanWindow({year(1931), year(2149)}).reason, HasSubstr("in order"));
}

TEST(WindowPlanTest, AFileThatIsNotSortedIsSaidToBe) {
  std::vector<EventTime> times = Every(1h, 1000);
  std::swap(times.front(), times.back());
  const WindowPlan plan = PlanWindow(times);
  EXPECT_EQ(plan.disorder, 24h * 42);  // 999 hours in whole days
  EXPECT_THAT(plan.reason, HasSubstr("sort the file by time"));
}

}  // namespace
}  // namespace sash
