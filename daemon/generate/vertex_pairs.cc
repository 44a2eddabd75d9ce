#include "daemon/generate/vertex_pairs.h"

#include <algorithm>
#include <cmath>

#include "windows/base/check.h"

namespace sash {
namespace {

std::uint32_t Border(double share) {
  return static_cast<std::uint32_t>(std::llround(share * 65536.0));
}

}  // namespace

Scramble::Scramble(int scale, std::uint64_t seed)
    : mask_((std::uint64_t{1} << scale) - 1), shift_(std::max(1, scale / 2)) {
  SASH_CHECK(scale >= 1 && scale <= 32);
  SplitMix64 random(seed);
  for (std::uint64_t& factor : factors_) factor = random.Next() | 1;
  addend_ = random.Next();
}

VertexPairs::VertexPairs(GraphShape shape, int scale, double skew, std::uint64_t seed)
    : shape_(shape), scale_(scale), scramble_(scale, seed) {
  SASH_CHECK(skew >= 0.25 && skew < 1);
  const double beside = (1 - skew) * (0.19 / 0.43);  // b = c; the rest is d
  top_right_ = Border(skew);
  bottom_left_ = Border(skew + beside);
  bottom_right_ = Border(skew + 2 * beside);
}

DrawnPair VertexPairs::DrawRmat(Xoshiro256& random) const {
  DrawnPair pair;
  std::uint64_t bits = 0;
  for (int level = 0; level < scale_; ++level) {
    if (level % 4 == 0) bits = random.Next();
    const auto point = static_cast<std::uint32_t>(bits & 0xffff);
    bits >>= 16;
    // No branches: their outcome is random, and one misprediction costs more than all of this.
    const std::uint64_t lower = static_cast<std::uint64_t>(point >= bottom_left_);
    const std::uint64_t right = static_cast<std::uint64_t>(point >= top_right_) ^ lower ^
                                static_cast<std::uint64_t>(point >= bottom_right_);
    pair.source = pair.source << 1 | lower;
    pair.target = pair.target << 1 | right;
  }
  return {scramble_(pair.source), scramble_(pair.target)};
}

DrawnPair VertexPairs::DrawUniform(Xoshiro256& random) const {
  const std::uint64_t bits = random.Next();
  return {bits >> (64 - scale_), (bits & 0xffffffff) >> (32 - scale_)};
}

}  // namespace sash
