#include "windows/kernels/rows/bfloat16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sash {
namespace {

double Rounded(double value) { return static_cast<double>(Bfloat16(value)); }

TEST(Bfloat16Test, HoldsWhatEightBitsHold) {
  for (const double value : {0.0, 1.0, -1.0, 255.0, -0.00390625, std::ldexp(1.0, 127),
                             std::ldexp(1.0, -126), std::ldexp(-129.0, -60)}) {
    EXPECT_EQ(Rounded(value), value);
  }
}

TEST(Bfloat16Test, RoundsToNearestAndTiesToEven) {
  EXPECT_EQ(Rounded(256.9), 256.0);
  EXPECT_EQ(Rounded(257.0), 256.0);  // halfway between 256 and 258
  EXPECT_EQ(Rounded(259.0), 260.0);
  EXPECT_EQ(Rounded(-257.1), -258.0);
}

TEST(Bfloat16Test, IsOffByHalfTheLastBitAtMost) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100'000; ++i) {
    const double value = std::ldexp(1 + std::ldexp(static_cast<double>(random() >> 11), -53),
                                    static_cast<int>(random() % 200) - 100) *
                         ((random() & 1) != 0 ? 1 : -1);
    ASSERT_LE(std::abs(Rounded(value) - value), std::abs(value) * (std::ldexp(1.0, -8) + 1e-7));
  }
}

}  // namespace
}  // namespace sash
