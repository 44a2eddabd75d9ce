#include "connectors/codec/byte_word.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "connectors/codec/number_text.h"

namespace sash {
namespace {

// Eight bytes, many of which are near the bounds of what is looked for.
std::string RandomBytes(std::mt19937& random) {
  constexpr std::string_view kNear = "0129/:;\"\\!#\x1F\x20\x21\x7F\x80\xA2\xB0\xFF,";
  std::string bytes;
  while (bytes.size() < kBytesOfWord) {
    const auto any = static_cast<char>(random() % 256);
    bytes += random() % 4 == 0 ? any : kNear[random() % kNear.size()];
  }
  return bytes;
}

TEST(ByteWordTest, TheFirstMarkIsThatOfTheFirstSuchByte) {
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::string bytes = RandomBytes(random);
    SCOPED_TRACE(::testing::PrintToString(bytes));
    const ByteWord word = LoadWord(bytes.data());
    for (const char wanted : {'"', '\\', '\0', '\xFF', '\x80'}) {
      const ByteWord marks = MarkByte(word, wanted) & kHighBits;
      const std::size_t place = bytes.find(wanted);
      ASSERT_EQ(marks != 0, place != std::string::npos);
      if (marks != 0) {
        ASSERT_EQ(FirstMark(marks), place);
      }
    }
    const auto is_below = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
    const auto below = std::ranges::find_if(bytes, is_below);
    const ByteWord marks = MarkBelow(word, 0x20) & kHighBits;
    ASSERT_EQ(marks != 0, below != bytes.end());
    if (marks != 0) {
      ASSERT_EQ(FirstMark(marks), static_cast<std::size_t>(below - bytes.begin()));
    }
  }
}

TEST(ByteWordTest, EightDigitsAreTheirNumber) {
  std::mt19937 random(2);
  for (int i = 0; i < 100'000; ++i) {
    const std::string digits = std::to_string(100'000'000 + random() % 100'000'000).substr(1);
    ASSERT_TRUE(AreDigits(LoadWord(digits.data()))) << digits;
    ASSERT_EQ(EightDigits(LoadWord(digits.data())), std::stoul(digits));
  }
}

TEST(ByteWordTest, OtherBytesAreNotDigits) {
  for (std::size_t place = 0; place < kBytesOfWord; ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string bytes = "90123456";
      bytes[place] = static_cast<char>(byte);
      ASSERT_EQ(AreDigits(LoadWord(bytes.data())), IsDigit(bytes[place])) << bytes;
    }
  }
}

}  // namespace
}  // namespace sash
