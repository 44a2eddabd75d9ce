#include "windows/base/percent.h"

#include <gtest/gtest.h>

#include <string>

namespace sash {
namespace {

TEST(PercentTest, UnreservedCharactersStay) {
  EXPECT_EQ(PercentEncoded(""), "");
  EXPECT_EQ(PercentEncoded("azAZ09-._~"), "azAZ09-._~");
}

TEST(PercentTest, EveryOtherByteIsEncoded) {
  EXPECT_EQ(PercentEncoded("a/b c%+&=?#"), "a%2Fb%20c%25%2B%26%3D%3F%23");
  EXPECT_EQ(PercentEncoded("\xC3\xA9\xFF"), "%C3%A9%FF");
  EXPECT_EQ(PercentEncoded(std::string("\0\n", 2)), "%00%0A");
}

}  // namespace
}  // namespace sash
