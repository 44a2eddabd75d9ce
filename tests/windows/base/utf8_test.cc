#include "windows/base/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace sash {
namespace {

bool IsSurrogate(std::uint32_t code) { return code >= 0xD800 && code < 0xE000; }

TEST(Utf8Test, EveryCharacterReadsBackTheSame) {
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    if (IsSurrogate(code)) continue;
    std::string text;
    AppendCharacter(code, text);
    const Utf8Character first = FirstCharacter(text + "x");
    ASSERT_EQ(first.code, code);
    ASSERT_EQ(first.length, text.size());
    ASSERT_EQ(CountCharacters(text), 1u) << code;
    ASSERT_TRUE(IsUtf8(text)) << code;
    ASSERT_FALSE(IsUtf8(text.substr(0, text.size() - 1) + (text.size() > 1 ? "" : "\xff"))) << code;
  }
}

TEST(Utf8Test, ByteSequencesThatAreNotCharactersAreRefused) {
  for (const char* wrong : {"\x80", "\xbf", "\xc0\xaf", "\xc1\xbf", "\xc3", "\xc3x", "\xe0\x9f\xbf",
                            "\xe2\x82", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf",
                            "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(FirstCharacter(wrong).code.has_value()) << wrong;
    EXPECT_EQ(FirstCharacter(wrong).length, 1u) << wrong;
    EXPECT_FALSE(IsUtf8(std::string("a") + wrong)) << wrong;
  }
  EXPECT_TRUE(IsUtf8(""));
}

TEST(Utf8Test, ABeginningCutsNoCharacter) {
  const std::string text = "a\xc3\xbc\xe2\x82\xac\xf0\x9f\x8c\x8d";  // 1, 2, 3 and 4 bytes
  const std::size_t whole[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
  for (std::size_t most = 0; most <= text.size(); ++most) {
    EXPECT_EQ(Beginning(text, most), text.substr(0, whole[most])) << most;
  }
  EXPECT_EQ(Beginning(text, 100), text);
  EXPECT_EQ(CountCharacters(text), 4u);
  EXPECT_EQ(Beginning(std::string(9, '\x80'), 6).size(), 3u) << "bytes without characters";
}

}  // namespace
}  // namespace sash
