// How many scripts or rounds a long test tries. Under a sanitizer, and with SASH_FEWER_SCRIPTS,
// which tests/rooms.py sets, it tries a seventh of them, unless SASH_ALL_ROUNDS is set:
// `tests/run.sh --slow` sets it. SASH_FIRST_SEED and SASH_SCRIPTS select the seeds of random
// scripts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "windows/base/sanitizers.h"

namespace sash::testing {

inline std::uint64_t NumberFromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Whether tests of many scripts should be short, because a sanitizer is slow or a person is
// waiting.
inline bool FewerScripts() { return kSanitized || std::getenv("SASH_FEWER_SCRIPTS") != nullptr; }

inline bool FewerRounds() { return FewerScripts() && std::getenv("SASH_ALL_ROUNDS") == nullptr; }
constexpr int kShare = 7;  // odd: steps through a file reach every byte of its 8-byte fields
// How many of `all` rounds a test tries. A test that enumerates tries every Stride()-th case.
inline int Rounds(int all) { return FewerRounds() ? (all + kShare - 1) / kShare : all; }
inline std::size_t Stride() { return FewerRounds() ? kShare : 1; }

struct SeedRange {
  std::uint64_t first = 1;
  std::uint64_t count = 0;
  std::uint64_t end() const { return first + count; }
};

inline SeedRange SeedsFromEnvironment(SeedRange otherwise) {
  if (FewerRounds()) otherwise.count = (otherwise.count + kShare - 1) / kShare;
  return {NumberFromEnvironment("SASH_FIRST_SEED", otherwise.first),
          NumberFromEnvironment("SASH_SCRIPTS", otherwise.count)};
}

}  // namespace sash::testing
