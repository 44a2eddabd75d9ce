#include "connectors/codec/avro/decimal_text.h"

#include <algorithm>
#include <array>

namespace sash {
namespace {

constexpr std::size_t kWords = 8;
constexpr std::size_t kMostDigits = 81;
constexpr std::uint32_t kBillion = 1'000'000'000;

}  // namespace

std::size_t WriteDecimal(std::string_view bytes, std::uint32_t scale, char* to) {
  const bool is_negative = (static_cast<unsigned char>(bytes.front()) & 0x80) != 0;
  // The absolute value, least significant word first.
  std::array<std::uint32_t, kWords> words{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[bytes.size() - 1 - i]);
    const auto bits = static_cast<std::uint32_t>(is_negative ? byte ^ 0xFF : byte);
    words[i / 4] |= bits << (i % 4 * 8);
  }
  for (std::size_t i = 0; is_negative && i < kWords; ++i) {
    if (++words[i] != 0) break;
  }
  // The digits, the last one first, nine in each round.
  std::array<char, kMostDigits> digits{};
  std::size_t count = 0;
  std::size_t used = kWords;
  while (used > 0) {
    if (words[used - 1] == 0) {
      --used;
      continue;
    }
    std::uint64_t rest = 0;
    for (std::size_t i = used; i-- > 0;) {
      rest = rest << 32 | words[i];
      words[i] = static_cast<std::uint32_t>(rest / kBillion);
      rest %= kBillion;
    }
    for (int i = 0; i < 9; ++i, rest /= 10) digits[count++] = static_cast<char>('0' + rest % 10);
  }
  while (count > 0 && digits[count - 1] == '0') --count;
  while (count <= scale) digits[count++] = '0';  // a zero before the point
  char* end = to;
  if (is_negative) *end++ = '-';
  for (std::size_t i = count; i-- > 0;) {
    *end++ = digits[i];
    if (i == scale && scale > 0) *end++ = '.';
  }
  return static_cast<std::size_t>(end - to);
}

}  // namespace sash
