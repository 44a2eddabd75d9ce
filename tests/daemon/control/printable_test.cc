#include "daemon/control/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace sash {
namespace {

TEST(Printable, PlainTextOfAnyLanguageStaysAsItIs) {
  for (const std::string text : {"", "v17", "a b", "Zürich", "北京", "🦊", "a\\b\"c'"}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(Printable, ControlCharactersAreWrittenOut) {
  EXPECT_EQ(Printable("\x1b[2J"), "\\u001b[2J");
  EXPECT_EQ(Printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(Printable(std::string("\0\x7f", 2)), "\\u0000\\u007f");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m")
      << "CSI as one character";
  EXPECT_EQ(Printable("\xe2\x80\xae"
                      "cod"),
            "\\u202ecod")
      << "right to left from here on";
  EXPECT_EQ(Printable("\xf3\xa0\x81\x81"), "\\udb40\\udc41") << "a tag, which is invisible";
}

TEST(Printable, BytesThatAreNoCharactersAreWrittenOut) {
  EXPECT_EQ(Printable("\xff"), "\\xff");
  EXPECT_EQ(Printable("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a pair";
  EXPECT_EQ(Printable("\xf5\x80\x80\x80x"), "\\xf5\\x80\\x80\\x80x") << "beyond Unicode";
}

TEST(Printable, EveryByteAndEveryCharacterComesOutWithoutControls) {
  for (unsigned code = 0; code < 0x3000; ++code) {
    std::string text;
    if (code < 0x80) {
      text += static_cast<char>(code);
    } else if (code < 0x800) {
      text += {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
    } else {
      text += {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
               static_cast<char>(0x80 | (code & 0x3f))};
    }
    const std::string shown = Printable(text);
    for (const char c : shown) EXPECT_FALSE((c >= 0 && c < 0x20) || c == 0x7f) << code;
    EXPECT_FALSE(shown.size() == 2 && shown[0] == '\xc2' && shown[1] < '\xa0') << code;
  }
}

TEST(PrintableJson, SaysTheSameInCharactersThatAreShown) {
  EXPECT_EQ(PrintableJson("{\"a\": \"\xc2\x9b\x7f\"}\n"), "{\"a\": \"\\u009b\\u007f\"}\n");
  EXPECT_EQ(PrintableJson("[\n\t\"\xff\"]"), "[\n\t\"\\ufffd\"]");
}

TEST(Width, IsThatOfATerminal) {
  EXPECT_EQ(WidthOf("v17"), 3U);
  EXPECT_EQ(WidthOf("Zürich"), 6U);
  EXPECT_EQ(WidthOf("北京"), 4U);
  EXPECT_EQ(WidthOf("e\xcc\x81"), 1U) << "a combining accent";
  EXPECT_EQ(WidthOf("µs – ▲"), 6U);
}

TEST(Cut, FitsAndSaysThatSomethingIsMissing) {
  EXPECT_EQ(CutTo("abcdef", 6), "abcdef");
  EXPECT_EQ(CutTo("abcdef", 4), "abc…");
  EXPECT_EQ(CutTo("北京市", 4), "北…") << "a wide character is not cut in half";
  EXPECT_EQ(CutTo("abc", 1), "…");
  EXPECT_EQ(CutTo("abc", 0), "");
}

}  // namespace
}  // namespace sash
