// Which seeds a test of random scripts tries: its own, or what SASH_FIRST_SEED and SASH_SCRIPTS say.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace sash::testing {

inline std::uint64_t NumberFromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct SeedRange {
  std::uint64_t first = 1;
  std::uint64_t count = 0;
  std::uint64_t end() const { return first + count; }
};

inline SeedRange SeedsFromEnvironment(SeedRange otherwise) {
  return {NumberFromEnvironment("SASH_FIRST_SEED", otherwise.first),
          NumberFromEnvironment("SASH_SCRIPTS", otherwise.count)};
}

}  // namespace sash::testing
