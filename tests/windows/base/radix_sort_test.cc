#include "windows/base/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
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

// Pairs of ids: the bits in which keys differ have unused bits between them.
TEST(RadixSortTest, OrdersByBitsThatLieApart) {
  std::mt19937_64 random(7);
  for (const std::uint64_t mask : std::initializer_list<std::uint64_t>{
           0x0000'0000'0000'0000u, 0x000F'FFFF'000F'FFFFu, 0x8000'0000'0000'0001u,
           0x0101'0101'0101'0101u, 0xFFFF'FFFF'FFFF'FFFFu}) {
    SCOPED_TRACE(mask);
    std::vector<Numbered<std::uint64_t>> elements(5000);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i] = {(random() & mask) | (~mask & 0x5555'5555'5555'5555u), i};
    }
    auto expected = elements;
    std::ranges::stable_sort(expected, {}, &Numbered<std::uint64_t>::key);
    RadixSort(elements, [](const auto& element) { return element.key; });
    EXPECT_EQ(elements, expected);
  }
}

TEST(RadixSortTest, OrdersAsAStableSortDoes) {
  ExpectStableOrder<std::uint32_t>();
  ExpectStableOrder<std::uint64_t>();
}

}  // namespace
}  // namespace sash
