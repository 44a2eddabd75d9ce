#include "connectors/replay/event_pace.h"

#include <gtest/gtest.h>

#include <chrono>

namespace sash {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr EventTime kFirst(hours(24));
constexpr SteadyTime kNow(seconds(1000));

TEST(EventPaceTest, EventsAreDueAsFarApartAsTheyHappened) {
  EventPace pace;
  EXPECT_EQ(pace.DueOf(kFirst, kNow), kNow);
  EXPECT_EQ(pace.DueOf(kFirst + milliseconds(1500), kNow + hours(1)), kNow + milliseconds(1500));
  EXPECT_EQ(pace.DueOf(kFirst + seconds(1), kNow + hours(2)), kNow + seconds(1));
}

TEST(EventPaceTest, AnEventBeforeTheFirstOneIsDueAtOnce) {
  EventPace pace;
  EXPECT_EQ(pace.DueOf(kFirst, kNow), kNow);
  EXPECT_EQ(pace.DueOf(kFirst - hours(3), kNow + seconds(5)), kNow);
}

TEST(EventPaceTest, TimesThatAreFarApartDoNotOverflow) {
  EventPace pace;
  EXPECT_EQ(pace.DueOf(EventTime::min(), kNow), kNow);
  EXPECT_EQ(pace.DueOf(EventTime::max(), kNow), kNow + std::chrono::years(100));
}

}  // namespace
}  // namespace sash
