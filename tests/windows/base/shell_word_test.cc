#include "windows/base/shell_word.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

TEST(ShellWordTest, APathStaysAsItIs) {
  EXPECT_EQ(ShellWord("../a_b/c-1.Z"), "../a_b/c-1.Z");
  EXPECT_EQ(ShellQuoted("a"), "'a'");
}

TEST(ShellWordTest, OtherTextIsQuoted) {
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(ShellWord("a b"), "'a b'");
  EXPECT_EQ(ShellWord("$HOME;*"), "'$HOME;*'");
  EXPECT_EQ(ShellWord("\xC3\xA9"), "'\xC3\xA9'");
}

TEST(ShellWordTest, AQuoteEndsTheQuotedTextAndIsEscaped) {
  EXPECT_EQ(ShellWord("it's"), R"('it'\''s')");
  EXPECT_EQ(ShellQuoted("'"), R"(''\''')");
}

}  // namespace
}  // namespace sash
