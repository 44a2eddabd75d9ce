#include "daemon/generate/pacer.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(PacerTest, TheFirstRecordIsDueAtTheStartAndNoneBefore) {
  const SteadyTime start(seconds(100));
  const Pacer pacer(10, start);
  EXPECT_EQ(pacer.DueBy(start - nanoseconds(1)), 0u);
  EXPECT_EQ(pacer.DueBy(start), 1u);
  EXPECT_EQ(pacer.DueBy(start + milliseconds(999)), 10u);
  EXPECT_EQ(pacer.DueBy(start + seconds(60)), 601u);
}

TEST(PacerTest, WhoWakesWhenARecordIsDueFindsItDue) {
  const SteadyTime start(seconds(100));
  for (const double rate : {0.3, 3.0, 7.0, 997.0, 333'333.3}) {
    const Pacer pacer(rate, start);
    for (std::uint64_t number = 0; number < 20'000; ++number) {
      ASSERT_GT(pacer.DueBy(pacer.DueAt(number)), number) << rate;
    }
  }
}

}  // namespace
}  // namespace sash
