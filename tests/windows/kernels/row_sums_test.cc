#include "windows/kernels/row_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace sash {
namespace {

// Runs of all lengths to 40 and a long one, of random entries below `size`; kRunsAhead that are none.
struct RandomRuns {
  RandomRuns(std::uint64_t seed, std::uint32_t size) {
    std::mt19937_64 random(seed);
    entries.resize(40 * 41 / 2 + 5'000);
    for (std::uint32_t& entry : entries) entry = static_cast<std::uint32_t>(random() % size);
    const std::uint32_t* next = entries.data();
    for (std::uint32_t count = 0; count <= 40; ++count) {
      runs.push_back({next, count, count});
      next += count;
    }
    runs.push_back({next, 5'000, 41});
    runs.resize(runs.size() + kRunsAhead);
    for (std::uint32_t i = 0; i < size; ++i) {
      doubles.push_back(std::ldexp(static_cast<double>(random()), -64));
      singles.push_back(static_cast<float>(doubles.back()));
      shorts.emplace_back(doubles.back());
      numbers.push_back(static_cast<std::uint32_t>(random()));
    }
    shorts.emplace_back();  // may be read with the last
  }
  std::span<const RowRun> visited() const {
    return std::span(runs).first(runs.size() - kRunsAhead);
  }

  std::vector<std::uint32_t> entries;
  std::vector<RowRun> runs;
  std::vector<double> doubles;
  std::vector<float> singles;
  std::vector<Bfloat16> shorts;
  std::vector<std::uint32_t> numbers;
};

template <typename Number>
std::vector<double> Sums(const RandomRuns& random, const std::vector<Number>& values) {
  std::vector<double> sums(random.visited().size());
  SumRuns(random.visited(), std::span<const Number>(values), sums.data());
  return sums;
}

class RowSumsTest : public ::testing::Test {
 protected:
  ~RowSumsTest() override { UseWideLookups(true); }
  const RandomRuns random_{11, 1'000};
};

TEST_F(RowSumsTest, SumsAreThoseOfTheEntries) {
  const std::vector<double> sums = Sums(random_, random_.doubles);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    double expected = 0;
    for (std::uint32_t k = 0; k < random_.runs[i].count; ++k) {
      expected += random_.doubles[random_.runs[i].entries[k]];
    }
    EXPECT_NEAR(sums[i], expected, 1e-12 * (1 + expected)) << i;
  }
}

TEST_F(RowSumsTest, SumsOfShortNumbersAreExactForWhatTheyHold) {
  const std::vector<double> sums = Sums(random_, random_.shorts);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    double expected = 0;
    for (std::uint32_t k = 0; k < random_.runs[i].count; ++k) {
      expected += static_cast<double>(random_.shorts[random_.runs[i].entries[k]]);
    }
    EXPECT_NEAR(sums[i], expected, 1e-12 * (1 + expected)) << i;
  }
}

TEST_F(RowSumsTest, WideLookupsChangeNoBit) {
  if (!UsesWideLookups()) GTEST_SKIP() << "this machine has no AVX-512";
  const std::vector<double> of_doubles = Sums(random_, random_.doubles);
  const std::vector<double> of_singles = Sums(random_, random_.singles);
  const std::vector<double> of_shorts = Sums(random_, random_.shorts);
  std::vector<std::uint32_t> translated(random_.entries.size() + 1, 77);
  Translate(random_.entries, random_.numbers, translated.data());
  UseWideLookups(false);
  EXPECT_EQ(of_doubles, Sums(random_, random_.doubles));
  EXPECT_EQ(of_singles, Sums(random_, random_.singles));
  EXPECT_EQ(of_shorts, Sums(random_, random_.shorts));
  std::vector<std::uint32_t> narrow(random_.entries.size() + 1, 77);
  Translate(random_.entries, random_.numbers, narrow.data());
  EXPECT_EQ(translated, narrow);
}

TEST_F(RowSumsTest, TranslatesEveryEntryAndNothingBehind) {
  for (std::size_t count = 0; count <= 40; ++count) {
    std::vector<std::uint32_t> to(count + 1, 77);
    Translate(std::span(random_.entries).first(count), random_.numbers, to.data());
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(to[i], random_.numbers[random_.entries[i]]);
    }
    ASSERT_EQ(to[count], 77u);
  }
}

}  // namespace
}  // namespace sash
