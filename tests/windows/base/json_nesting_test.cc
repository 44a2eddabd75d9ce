#include "windows/base/json_nesting.h"

#include <gtest/gtest.h>

#include <string>

namespace sash {
namespace {

std::string Lists(std::size_t count) { return std::string(count, '[') + std::string(count, ']'); }

TEST(JsonNestingTest, CountsTheListsAndObjectsThatAreOpenAtOnce) {
  EXPECT_FALSE(IsNestedTooDeeply(Lists(kMostJsonNesting)));
  EXPECT_TRUE(IsNestedTooDeeply(Lists(kMostJsonNesting + 1)));
  std::string objects;
  for (std::size_t i = 0; i <= kMostJsonNesting; ++i) objects += R"({"a": )";
  EXPECT_TRUE(IsNestedTooDeeply(objects));
  std::string beside = "[";
  for (int i = 0; i < 1000; ++i) beside += "[{}],";
  EXPECT_FALSE(IsNestedTooDeeply(beside));
}

TEST(JsonNestingTest, BracketsInTextDoNotCount) {
  EXPECT_FALSE(IsNestedTooDeeply('"' + std::string(1000, '[') + '"'));
  EXPECT_FALSE(IsNestedTooDeeply(R"("\")" + std::string(1000, '[') + '"'));
  EXPECT_TRUE(IsNestedTooDeeply(R"("\\")" + std::string(1000, '[')));
  EXPECT_TRUE(IsNestedTooDeeply(R"({"]": )" + std::string(1000, '[')));
  EXPECT_FALSE(IsNestedTooDeeply("\"\\"));
  EXPECT_FALSE(IsNestedTooDeeply("]]]"));
}

}  // namespace
}  // namespace sash
