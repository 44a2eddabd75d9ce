#include "windows/kernels/rows/copied_rows.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sash {
namespace {

using Row = CopiedRows::Row;

constexpr Row kFirst = 1'000;
constexpr std::uint32_t kSources = 100'000;  // most of them fit in two bytes

// Lists of random lengths, some of them long, with random sources: all kinds of sources, or only
// some.
struct RandomRows {
  RandomRows(std::uint64_t seed, std::size_t size, Row from = 0, Row until = kSources) {
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t most = random() % 16 == 0 ? 300 : 20;
      counts.push_back(static_cast<std::uint32_t>(random() % most));
    }
    rows = CopiedRows(kFirst, counts);
    sums.resize(size);
    rows.ForEachList([&](Row row, Row* list) {
      order.push_back(row);
      places.push_back(list);
      for (std::uint32_t k = 0; k < counts[row - kFirst]; ++k) {
        list[k] = from + static_cast<Row>(random() % (until - from));
        sums[row - kFirst] += Value(list[k]);
      }
    });
  }
  static double Value(Row source) { return source * 3.0 + 1; }  // integers: exact in any order

  std::vector<std::uint32_t> counts;
  CopiedRows rows;
  std::vector<Row> order;          // the order of the lists
  std::vector<const Row*> places;  // in that order
  std::vector<double> sums;        // by row
};

void ExpectSums(RandomRows random) {
  std::vector<double> values;
  for (Row source = 0; source < kSources; ++source) values.push_back(RandomRows::Value(source));
  random.rows.Pack();
  std::vector<double> sums;
  random.rows.SumRows(std::span<const double>(values), [&](Row row, double sum) {
    EXPECT_EQ(row, kFirst + sums.size());
    sums.push_back(sum);
  });
  EXPECT_EQ(sums, random.sums);
}

TEST(CopiedRowsTest, EachRowIsFinishedOnceAscendingWithTheSumOfItsList) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{77}, CopiedRows::kMost}) {
    ExpectSums(RandomRows(size, size));
  }
}

TEST(CopiedRowsTest, ListsMayHaveSourcesOfOneKindOnly) {
  ExpectSums(RandomRows(4, CopiedRows::kMost, 0, 1 << 16));
  ExpectSums(RandomRows(5, CopiedRows::kMost, 1 << 16, kSources));
  ExpectSums(RandomRows(6, CopiedRows::kMost, (1 << 16) - 1, (1 << 16) + 1));
}

TEST(CopiedRowsTest, ListsDescendByLengthAndLieWithoutAHole) {
  const RandomRows random(3, CopiedRows::kMost);
  ASSERT_EQ(random.order.size(), CopiedRows::kMost);
  for (std::size_t i = 1; i < random.order.size(); ++i) {
    const std::uint32_t before = random.counts[random.order[i - 1] - kFirst];
    const std::uint32_t count = random.counts[random.order[i] - kFirst];
    EXPECT_EQ(random.places[i], random.places[i - 1] + before);
    if (count >= CopiedRows::kLong) continue;
    EXPECT_LE(count, before);
    if (count == before) {
      EXPECT_LT(random.order[i - 1], random.order[i]);
    }
  }
}

}  // namespace
}  // namespace sash
