// Random numbers that are the same on every machine.
//
// SplitMix64 and xoshiro256** are the public-domain generators of Sebastiano Vigna and David
// Blackman (prng.di.unimi.it). This folder does not use the standard library's distributions: their
// results differ between implementations. All sampling uses the integer arithmetic below.
//
// Thread safety: none; a generator belongs to one thread.
// Invariants:
// (1) The same seed gives the same sequence, whatever the machine, compiler or locale.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sash {

class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// A probability in units of 2^-32: a double is converted once, before any draw.
class Chance {
 public:
  constexpr Chance() = default;
  explicit Chance(double share)
      : parts_(static_cast<std::uint64_t>(std::llround(share * 4294967296.0))) {}
  static constexpr Chance Parts(std::uint64_t parts) { return Chance(parts, 0); }

  constexpr std::uint64_t parts() const { return parts_; }  // 0: never, 2^32: always
  constexpr explicit operator bool() const { return parts_ != 0; }

 private:
  constexpr Chance(std::uint64_t parts, int) : parts_(parts) {}
  std::uint64_t parts_ = 0;
};

class Xoshiro256 {
 public:
  explicit constexpr Xoshiro256(std::uint64_t seed) {
    SplitMix64 filler(seed);
    for (std::uint64_t& word : state_) word = filler.Next();
  }

  constexpr std::uint64_t Next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound), bound ≤ 2^32: multiply and shift. The bias is below bound / 2^32.
  constexpr std::uint64_t Below(std::uint64_t bound) { return ((Next() >> 32) * bound) >> 32; }

  constexpr bool Happens(Chance chance) { return (Next() >> 32) < chance.parts(); }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace sash
