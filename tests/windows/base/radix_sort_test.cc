#include "windows/base/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

namespace sash {
namespace {

template <typename Number>
struct Numbered {
  Number key;
  std::size_t place;
  bool operator==(const Numbered&) const = default;
};

template <typename Number>
void ExpectStableOrder() {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<Numbered<Number>> elements(random() % 3000);
    const unsigned shift = random() % (8 * sizeof(Number));
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i] = {static_cast<Number>(static_cast<Number>(random()) >> shift), i};
    }
    auto expected = elements;
    std::ranges::stable_sort(expected, {}, &Numbered<Number>::key);
    LargeArray<Numbered<Number>> others(elements.size());
    std::ranges::copy(elements, others.begin());
    const auto key = [](const Numbered<Number>& element) { return element.key; };
    RadixSort(elements, key);
    EXPECT_EQ(elements, expected);
    RadixSort(others, key);
    EXPECT_TRUE(std::ranges::equal(others, expected));
  }
}

TEST(RadixSortTest, OrdersAsAStableSortDoes) {
  ExpectStableOrder<std::uint32_t>();
  ExpectStableOrder<std::uint64_t>();
}

}  // namespace
}  // namespace sash
