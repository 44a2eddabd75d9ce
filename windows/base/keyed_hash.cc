#include "windows/base/keyed_hash.h"

#include <sys/random.h>

#include <cstddef>
#include <cstring>

#include "windows/base/check.h"

namespace sash {
namespace {

template <typename Word>
std::uint64_t WordAt(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// The last `size` < 8 bytes before `end`, the lowest first. It uses overlapping loads, because a
// loop, or a copy of a size unknown to the compiler, costs more than the rest of the hash.
std::uint64_t LastBytes(const char* end, std::size_t size, std::size_t whole_size) {
  if (size == 0) return 0;
  if (whole_size >= 8) return WordAt<std::uint64_t>(end - 8) >> (64 - 8 * size);
  const char* const begin = end - size;
  if (size >= 4) {
    return WordAt<std::uint32_t>(begin) | WordAt<std::uint32_t>(end - 4) << (8 * size - 32);
  }
  return WordAt<std::uint8_t>(begin) | WordAt<std::uint8_t>(begin + size / 2) << (size / 2 * 8) |
         WordAt<std::uint8_t>(end - 1) << (8 * size - 8);
}

KeyedHash::Secret DrawSecret() {
  KeyedHash::Secret secret;
  SASH_CHECK(getentropy(&secret, sizeof(secret)) == 0);
  return secret;
}

}  // namespace

const KeyedHash::Secret& KeyedHash::OfProcess() {
  static const Secret secret = DrawSecret();
  return secret;
}

std::uint64_t KeyedHash::operator()(std::string_view text) const {
  State state(secret_);
  const char* const end = text.data() + text.size();
  const std::size_t rest = text.size() % 8;
  for (const char* word = text.data(); word != end - rest; word += 8) {
    state.Take(WordAt<std::uint64_t>(word));
  }
  return state.Finish(text.size(), LastBytes(end, rest, text.size()));
}

}  // namespace sash
