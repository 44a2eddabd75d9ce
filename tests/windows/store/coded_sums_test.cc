#include "windows/store/coded_sums.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace sash {
namespace {

using Sums = std::vector<std::optional<std::int64_t>>;
using Limits = std::numeric_limits<std::int64_t>;

CodedSums CodedOf(const Sums& sums) {
  CodedSums coded;
  for (const auto& sum : sums) coded.Append(sum);
  return coded;
}

Sums ReadBack(const CodedSums& coded, std::size_t size) {
  CodedSums::Reader reader(coded);
  Sums sums;
  while (sums.size() < size) sums.push_back(reader.Next());
  return sums;
}

TEST(CodedSumsTest, ReadsBackWhatWasAppended) {
  std::mt19937_64 random(3);
  Sums sums;
  for (int i = 0; i < 10'000; ++i) {
    const auto bits = static_cast<std::int64_t>(random()) >> (random() % 64);
    sums.push_back(random() % 8 == 0 || bits == Limits::min() ? std::nullopt : std::optional(bits));
  }
  EXPECT_EQ(ReadBack(CodedOf(sums), sums.size()), sums);
}

TEST(CodedSumsTest, HoldsTheExtremes) {
  const Sums sums{0, -1, 1, std::nullopt, Limits::max(), Limits::min() + 1};
  EXPECT_EQ(ReadBack(CodedOf(sums), sums.size()), sums);
}

TEST(CodedSumsTest, TheLeastNumberIsTakenForUnknown) {
  EXPECT_EQ(ReadBack(CodedOf({Limits::min(), 5}), 2), (Sums{std::nullopt, 5}));
}

TEST(CodedSumsTest, ASmallSumOfEitherSignTakesAByte) {
  Sums sums;
  for (std::int64_t sum = -32; sum < 32; ++sum) sums.emplace_back(sum);
  CodedSums coded = CodedOf(sums);
  coded.ShrinkToFit();
  EXPECT_LE(coded.bytes(), sums.size());
}

}  // namespace
}  // namespace sash
