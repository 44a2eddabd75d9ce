// Keys that an attacker can compute offline when a hash has no secret. Each kind collides by
// construction under a public hash: the finaliser of MurmurHash3 for integers, libstdc++'s
// std::hash for texts, a public mixer for pairs of ids, and the remainder by a prime.
//
// Thread safety: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "windows/base/ids.h"

namespace sash::testing {

// The inverse of `odd` modulo 2^64, by Newton's method.
constexpr std::uint64_t Inverse(std::uint64_t odd) {
  std::uint64_t inverse = odd;
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

// MurmurHash3's finaliser.
inline constexpr std::uint64_t kFirstFactor = 0xff51afd7ed558ccd;
inline constexpr std::uint64_t kSecondFactor = 0xc4ceb9fe1a85ec53;
constexpr std::uint64_t PublicIntegerHash(std::uint64_t key) {
  key = (key ^ (key >> 33)) * kFirstFactor;
  key = (key ^ (key >> 33)) * kSecondFactor;
  return key ^ (key >> 33);
}

// Different integers whose PublicIntegerHash() ends in 32 bits of 0.
inline std::vector<std::int64_t> ChosenIntegers(std::size_t count) {
  std::vector<std::int64_t> keys;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t hash = (i + 1) << 32;
    hash = (hash ^ (hash >> 33)) * Inverse(kSecondFactor);
    hash = (hash ^ (hash >> 33)) * Inverse(kFirstFactor);
    keys.push_back(static_cast<std::int64_t>(hash ^ (hash >> 33)));
  }
  return keys;
}

// How libstdc++'s std::hash mixes 8 bytes before they enter the state (MurmurHash64A).
inline constexpr std::uint64_t kTextFactor = 0xc6a4a7935bd1e995;
constexpr std::uint64_t MixedBlock(std::uint64_t block) {
  block *= kTextFactor;
  return (block ^ (block >> 47)) * kTextFactor;
}
constexpr std::uint64_t UnmixedBlock(std::uint64_t mixed) {
  mixed *= Inverse(kTextFactor);
  return (mixed ^ (mixed >> 47)) * Inverse(kTextFactor);
}

// Different ASCII texts of equal length with the same std::hash. If two mixed blocks differ only in
// the highest bit, they change only that bit of the state, and it survives the multiplication. The
// next block changes the bit back. So each pair of such blocks doubles the number of texts.
class ChosenBlocks {
 public:
  // Two texts of 16 bytes. Replacing one by the other never changes the hash of a text.
  std::array<std::string, 2> Next() {
    const std::array<std::string, 2> first = Twins();
    const std::array<std::string, 2> second = Twins();
    return {first[0] + second[0], first[1] + second[1]};
  }

 private:
  static bool IsAscii(std::uint64_t block) {
    for (; block != 0; block >>= 8) {
      if ((block & 0xff) == 0 || (block & 0xff) > 0x7e) return false;
    }
    return true;
  }
  static std::string Text(std::uint64_t block) {
    std::string text(sizeof(block), ' ');
    std::memcpy(text.data(), &block, sizeof(block));
    return text;
  }
  std::array<std::string, 2> Twins() {
    for (;;) {
      const std::uint64_t block = random_() & 0x7f7f'7f7f'7f7f'7f7f;
      const std::uint64_t twin = UnmixedBlock(MixedBlock(block) ^ std::uint64_t{1} << 63);
      if (block >> 56 != 0 && twin >> 56 != 0 && IsAscii(block) && IsAscii(twin)) {
        return {Text(block), Text(twin)};
      }
    }
  }

  std::mt19937_64 random_{1};
};

inline std::vector<std::string> ChosenTexts(std::size_t count) {
  ChosenBlocks blocks;
  std::vector<std::string> keys = {""};
  while (keys.size() < count) {
    const std::array<std::string, 2> ends = blocks.Next();
    std::vector<std::string> longer;
    for (const std::string& key : keys) {
      for (const std::string& end : ends) longer.push_back(key + end);
    }
    keys = std::move(longer);
  }
  keys.resize(count);
  return keys;
}

// A public mixer of two numbers.
constexpr std::uint64_t PublicPairHash(std::uint32_t high, VertexId low) {
  std::uint64_t h = std::uint64_t{high} << 32 | low;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93;
  return h ^ (h >> 32);
}

// The least ids whose places would all be in one of `share` parts of a table of up to 512 places,
// if the table used the lower bits of the upper half of PublicPairHash(0, id). Ids are assigned in
// the order of keys, so an attacker can choose any ids.
inline std::vector<VertexId> ChosenNeighbours(std::size_t count, std::uint32_t share) {
  std::vector<VertexId> ids;
  for (VertexId id = 0; ids.size() < count; ++id) {
    if ((PublicPairHash(0, id) >> 32 & 511) < 512 / share) ids.push_back(id);
  }
  return ids;
}

// The least ids that would all be in the first of `share` parts of a filter, if the filter used the
// upper bits of PublicPairHash(list, id).
inline std::vector<VertexId> ChosenForFilter(std::size_t count, std::uint32_t list,
                                             std::uint32_t share) {
  std::vector<VertexId> ids;
  for (VertexId id = 0; ids.size() < count; ++id) {
    if (PublicPairHash(list, id) >> 32 < (std::uint64_t{1} << 32) / share) ids.push_back(id);
  }
  return ids;
}

// Pairs (source, target) of ids below 65,536 that, as one number, have the same remainder by
// `prime`. They collide in a table of `prime` buckets that does not hash.
inline std::vector<std::pair<VertexId, VertexId>> ChosenPairs(std::size_t count,
                                                              std::uint64_t prime) {
  constexpr std::uint64_t kIds = 65'536;
  std::vector<std::pair<VertexId, VertexId>> pairs;
  for (VertexId source = 0; pairs.size() < count; ++source) {
    const std::uint64_t begin = std::uint64_t{source} << 32;
    for (std::uint64_t target = (prime - begin % prime) % prime; target < kIds; target += prime) {
      pairs.emplace_back(source, static_cast<VertexId>(target));
      if (pairs.size() == count) break;
    }
  }
  return pairs;
}

}  // namespace sash::testing
