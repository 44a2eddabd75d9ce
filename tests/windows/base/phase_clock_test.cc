#include "windows/base/phase_clock.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/manual_clock.h"

namespace sash {

enum class Meal : std::uint8_t { kCooking, kEating, kWashing };
template <>
struct PhaseNames<Meal> {
  static constexpr std::array<std::string_view, 3> kAll = {"cooking", "eating", "washing"};
};

namespace {

using std::chrono::seconds;

TEST(PhaseClockTest, EveryInstantCountsInThePhaseThatWasUnderWay) {
  ManualClock clock;
  PhaseClock meal(clock, Meal::kCooking);
  clock.Advance(seconds(3));
  meal.Begin(Meal::kEating);
  clock.Advance(seconds(2));
  meal.Begin(Meal::kCooking);  // a second course
  clock.Advance(seconds(4));
  EXPECT_EQ(meal.Read()[Meal::kCooking], seconds(7));
  EXPECT_EQ(meal.Read()[Meal::kEating], seconds(2));
  EXPECT_EQ(meal.Read()[Meal::kWashing], seconds(0));
  clock.Advance(seconds(1));
  EXPECT_EQ(meal.Read()[Meal::kCooking], seconds(8)) << "reading does not end the phase";
  EXPECT_EQ(meal.Read().total(), seconds(10));
}

TEST(PhaseTimesTest, AddUpAndAreVisitedByNameInOrder) {
  PhaseTimes<Meal> times;
  times[Meal::kEating] = seconds(2);
  PhaseTimes<Meal> more;
  more[Meal::kEating] = seconds(1);
  more[Meal::kWashing] = seconds(4);
  times += more;
  std::vector<std::string> visited;
  times.ForEach([&](std::string_view name, Duration time) {
    visited.push_back(std::string(name) + " " + std::to_string(ToSeconds(time)));
  });
  EXPECT_EQ(visited,
            (std::vector<std::string>{"cooking 0.000000", "eating 3.000000", "washing 4.000000"}));
  EXPECT_EQ(times.total(), seconds(7));
  EXPECT_EQ(PhaseName(Meal::kWashing), "washing");
}

}  // namespace
}  // namespace sash
