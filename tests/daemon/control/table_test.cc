#include "daemon/control/table.h"

#include <gtest/gtest.h>

#include "daemon/control/printable.h"

namespace sash {
namespace {

TEST(Table, ColumnsAlignByWhatIsShown) {
  Table table({{"KEY"}, {"SCORE", Align::kRight}});
  table.Add({"v1", "0.5"});
  table.Add({"Zürich", "12"});
  table.Add({"北京", "7"});
  EXPECT_EQ(table.Text(),
            "KEY     SCORE\n"
            "v1        0.5\n"
            "Zürich     12\n"
            "北京        7\n");
  for (const std::string& line : table.Lines()) EXPECT_EQ(WidthOf(line), 13U);
}

TEST(Table, NoLineEndsInSpaces) {
  Table table({{"A"}, {"LONG TITLE"}});
  table.Add({"x", ""});
  EXPECT_EQ(table.Text(), "A  LONG TITLE\nx\n");
}

TEST(Fields, NamesAlign) {
  EXPECT_EQ(FieldsText({{"edges", "3"}, {"größe", "4"}, {"x", "5"}}),
            "edges  3\ngröße  4\nx      5\n");
  EXPECT_EQ(FieldsText({}), "");
}

}  // namespace
}  // namespace sash
