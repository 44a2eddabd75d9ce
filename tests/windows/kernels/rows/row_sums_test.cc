#include "windows/kernels/rows/row_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace sash {
namespace {

// Runs of all lengths up to 40 and one long run, of random entries below `size`; three lists of
// each length; lists split at every position.
struct RandomRuns {
  RandomRuns(std::uint64_t seed, std::uint32_t size) {
    std::mt19937_64 random(seed);
    entries.resize(40 * 41 / 2 + 5'000);
    for (std::uint32_t& entry : entries) entry = static_cast<std::uint32_t>(random() % size);
    low.assign(entries.begin(), entries.end());
    const std::uint32_t* next = entries.data();
    for (std::uint32_t count = 0; count <= 40; ++count) {
      runs.push_back({next, count, count});
      equal.push_back({entries.data() + count, count, 3});
      split.push_back({low.data() + count, 40 - count, count, next});
      next += count;
    }
    runs.push_back({next, 5'000, 41});
    for (std::uint32_t i = 0; i < size; ++i) {
      doubles.push_back(std::ldexp(static_cast<double>(random()), -64));
      singles.push_back(static_cast<float>(doubles.back()));
      shorts.emplace_back(doubles.back());
      numbers.push_back(static_cast<std::uint32_t>(random()));
    }
    shorts.emplace_back();  // lookups may read one past the last
  }

  std::vector<std::uint32_t> entries;
  std::vector<std::uint16_t> low;  // the same
  std::vector<RowRun> runs;
  std::vector<EqualLists> equal;
  std::vector<SplitList> split;
  std::vector<double> doubles;
  std::vector<float> singles;
  std::vector<Bfloat16> shorts;
  std::vector<std::uint32_t> numbers;
};

// The sums of all runs, then the sums of all lists.
template <typename Number>
std::vector<double> Sums(const RandomRuns& random, const std::vector<Number>& values) {
  const std::span<const Number> all(values);
  const std::size_t runs = random.runs.size();
  const std::size_t equal = random.equal.size() * 3;
  std::vector<double> sums(runs + equal + random.split.size());
  SumRuns<Number>(random.runs, all, sums.data());
  SumLists<Number>(std::span(random.equal), all, sums.data() + runs);
  SumLists<Number>(std::span(random.split), all, sums.data() + runs + equal);
  return sums;
}

// The same as Sums() of doubles, added one by one in order.
std::vector<double> PlainSums(const RandomRuns& random, const std::vector<double>& values) {
  std::vector<double> sums;
  const auto add = [&](const auto* entries, std::uint32_t count) {
    double sum = 0;
    for (std::uint32_t k = 0; k < count; ++k) sum += values[entries[k]];
    return sum;
  };
  for (const RowRun& run : random.runs) sums.push_back(add(run.entries, run.count));
  for (const EqualLists& lists : random.equal) {
    for (std::uint32_t i = 0; i < lists.count; ++i) {
      sums.push_back(add(lists.entries + i * lists.length, lists.length));
    }
  }
  for (const SplitList& list : random.split) {
    sums.push_back(add(list.low, list.low_count) + add(list.entries, list.count));
  }
  return sums;
}

void ExpectNear(const std::vector<double>& sums, const std::vector<double>& expected) {
  ASSERT_EQ(sums.size(), expected.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_NEAR(sums[i], expected[i], 1e-12 * (1 + expected[i])) << i;
  }
}

class RowSumsTest : public ::testing::Test {
 protected:
  ~RowSumsTest() override { UseWideLookups(used_); }
  const bool used_ = UsesWideLookups();
  const RandomRuns random_{11, 1'000};
};

TEST_F(RowSumsTest, SumsAreThoseOfTheEntries) {
  ExpectNear(Sums(random_, random_.doubles), PlainSums(random_, random_.doubles));
}

TEST_F(RowSumsTest, SumsOfShortNumbersAreExactForWhatTheyHold) {
  std::vector<double> held;
  for (const Bfloat16 value : random_.shorts) held.push_back(static_cast<double>(value));
  ExpectNear(Sums(random_, random_.shorts), PlainSums(random_, held));
}

TEST_F(RowSumsTest, WideLookupsChangeNoBit) {
  UseWideLookups(true);
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
