// VertexPairs: draws the two ends of a fresh edge, from an R-MAT or a uniform graph.
//
// R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004): the adjacency matrix is halved in both directions
// `scale` times, and each time the edge falls into one quadrant with probability a, b, c or d. With
// a = 0.57 these are the Graph500 parameters; other values of a keep the proportion b : c : d.
//
// Thread safety: Draw() changes nothing but the generator it is given.
// Invariants:
// (1) Both ends are below 2^scale.
// (2) Numbers are scrambled by a bijection, so that hubs are neither small nor next to each other.
#pragma once

#include <cstdint>

#include "daemon/generate/random.h"

namespace sash {

enum class GraphShape : std::uint8_t { kRmat, kUniform };

struct DrawnPair {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
};

// A bijection of [0, 2^scale) that depends on the seed.
class Scramble {
 public:
  Scramble(int scale, std::uint64_t seed);

  std::uint64_t operator()(std::uint64_t number) const {
    for (const std::uint64_t factor : factors_) {
      number = (number * factor + addend_) & mask_;
      number ^= number >> shift_;
    }
    return number;
  }

 private:
  std::uint64_t mask_;
  int shift_;
  std::uint64_t factors_[3];  // odd, so that multiplying is a bijection
  std::uint64_t addend_;
};

class VertexPairs {
 public:
  // 1 ≤ scale ≤ 32; 0.25 ≤ skew < 1 is R-MAT's a, unused by a uniform graph.
  VertexPairs(GraphShape shape, int scale, double skew, std::uint64_t seed);

  DrawnPair Draw(Xoshiro256& random) const {
    return shape_ == GraphShape::kRmat ? DrawRmat(random) : DrawUniform(random);
  }

 private:
  DrawnPair DrawRmat(Xoshiro256& random) const;
  DrawnPair DrawUniform(Xoshiro256& random) const;

  GraphShape shape_;
  int scale_;
  std::uint32_t top_right_;     // quadrant borders in 2^-16 parts: a,
  std::uint32_t bottom_left_;   // a + b,
  std::uint32_t bottom_right_;  // a + b + c
  Scramble scramble_;
};

}  // namespace sash
