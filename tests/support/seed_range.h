// Which seeds a test of random scripts tries: its own, or what SASH_FIRST_SEED and SASH_SCRIPTS say.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace sash::testing {

struct SeedRange {
  std::uint64_t first = 1;
  std::uint64_t count = 0;
  std::uint64_t end() const { return first + count; }
};

inline SeedRange SeedsFromEnvironment(SeedRange otherwise) {
  const auto from = [](const char* name, std::uint64_t number) {
    const char* text = std::getenv(name);
    return text == nullptr ? number : std::strtoull(text, nullptr, 10);
  };
  return {from("SASH_FIRST_SEED", otherwise.first), from("SASH_SCRIPTS", otherwise.count)};
}

}  // namespace sash::testing
