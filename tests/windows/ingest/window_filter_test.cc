#include "windows/ingest/window_filter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sash {
namespace {

using Types = std::vector<std::string>;

TEST(WindowFilterTest, EqualFiltersHaveEqualTexts) {
  EXPECT_EQ(FilterText({}, ""), "");
  EXPECT_EQ(FilterText({}, "/a > 1"), "/a > 1");
  EXPECT_EQ(FilterText(Types{"paid"}, ""), "types: \"paid\"");
  EXPECT_EQ(FilterText(Types{"paid", "login", "paid"}, "/a > 1"),
            "types: \"login\", \"paid\"; /a > 1");
  EXPECT_EQ(FilterText(Types{"login", "paid"}, "/a > 1"),
            FilterText(Types{"paid", "login"}, "/a > 1"));
}

TEST(WindowFilterTest, ATextGivesItsFilter) {
  for (const Types& types :
       {Types{}, Types{"paid"}, Types{"\", \"", "\\", "a\\\"; b", "types: "}}) {
    for (const std::string where : {"", "/a > 1", "types == \"x\"", "; \""}) {
      if (types.empty() && where.empty()) continue;
      const std::string text = FilterText(types, where);
      const WindowFilter filter = ParseFilterText(text);
      EXPECT_EQ(FilterText(filter.types, filter.where), text);
      EXPECT_EQ(filter.where, where);
      EXPECT_EQ(filter.types.size(), types.size()) << text;
    }
  }
}

TEST(WindowFilterTest, ABrokenTextIsAnExpression) {
  for (const std::string text : {"types: ", "types: paid", "types: \"paid", "types: \"paid\\",
                                 "types: \"a\", b", "types: \"a\" /b"}) {
    const WindowFilter filter = ParseFilterText(text);
    EXPECT_TRUE(filter.types.empty()) << text;
    EXPECT_EQ(filter.where, text);
  }
}

}  // namespace
}  // namespace sash
