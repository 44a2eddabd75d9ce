#include "windows/slide/sliding_fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <random>
#include <string>

namespace sash {
namespace {

struct Total {
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();

  void Take(std::int64_t element) { Take({1, element, element, element}); }
  void Take(const Total& other) {
    count += other.count;
    sum += other.sum;
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
  friend bool operator==(const Total&, const Total&) = default;
};

using Fold = SlidingFold<std::int64_t, Total>;

Total Naive(const std::deque<std::int64_t>& elements, std::size_t newest) {
  Total total;
  for (std::size_t i = elements.size() - newest; i < elements.size(); ++i) total.Take(elements[i]);
  return total;
}

TEST(SlidingFoldTest, EqualsANaiveFoldHoweverElementsComeAndGo) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::uint64_t usual = 1 + random() % 150;  // about how many elements are in it
    std::deque<std::int64_t> elements;               // all elements so far; they stay in place
    Fold fold;
    for (int step = 0; step < 1000; ++step) {
      const bool push = random() % (2 * usual) >= fold.size();
      if (push) {
        elements.push_back(static_cast<std::int64_t>(random() % 2001) - 1000);
        fold.PushNewest(elements.back());
      } else {
        fold.PopOldest();
      }
      ASSERT_EQ(fold.Sum(), Naive(elements, fold.size())) << "step " << step;
      if (fold.size() > 0) {
        ASSERT_EQ(&fold.oldest(), &elements[elements.size() - fold.size()]);
      }
    }
  }
}

TEST(SlidingFoldTest, ASlideCostsAConstantWhateverTheLength) {
  for (const std::size_t length : {1u, 100u, 20'000u}) {
    const std::size_t slides = 3 * length + 100;
    std::deque<std::int64_t> elements(length + slides, 1);
    Fold fold;
    for (std::size_t i = 0; i < length; ++i) fold.PushNewest(elements[i]);
    const std::uint64_t before = fold.takes();
    for (std::size_t i = 0; i < slides; ++i) {
      fold.PushNewest(elements[length + i]);
      fold.PopOldest();
      ASSERT_EQ(fold.Sum().count, length);
    }
    const std::uint64_t cost = fold.takes() - before;
    EXPECT_LE(cost, slides * (Fold::kStride + 2) + length) << "length " << length;
  }
}

}  // namespace
}  // namespace sash
