#include "windows/ingest/type_table.h"

#include <gtest/gtest.h>

#include <string>

namespace sash {
namespace {

std::string WordNumber(std::size_t number) {
  return std::string(number % 300, 'x') + std::to_string(number);
}

TEST(TypeTableTest, NumbersAreGivenInTheOrderOfFirstUse) {
  TypeTable table;
  EXPECT_EQ(table.Intern(""), kNoType);
  EXPECT_EQ(table.Intern("paid"), 1u);
  EXPECT_EQ(table.Intern("logged-in"), 2u);
  EXPECT_EQ(table.Intern("paid"), 1u);
  EXPECT_EQ(table.WordOf(kNoType), "");
  EXPECT_EQ(table.WordOf(2), "logged-in");
  EXPECT_EQ(table.Words(), (TypeWords{"paid", "logged-in"}));
}

TEST(TypeTableTest, TheWordAfterTheLastPlaceHasNoNumberAndKnownOnesKeepTheirs) {
  TypeTable table;
  for (std::size_t i = 1; i <= TypeTable::kMostTypes; ++i) {
    ASSERT_EQ(table.Intern(WordNumber(i)), i);
  }
  EXPECT_EQ(table.Intern("one more"), std::nullopt);
  EXPECT_EQ(table.Intern(""), kNoType);
  EXPECT_EQ(table.size(), TypeTable::kMostTypes);
  const TypeWords words = table.Words();
  for (std::size_t i = 1; i <= TypeTable::kMostTypes; ++i) {
    ASSERT_EQ(table.Intern(WordNumber(i)), i);
    ASSERT_EQ(words[i - 1], WordNumber(i));
  }
  EXPECT_GT(table.bytes(), 65'536u * 150);
}

TEST(TypeColumnTest, TakesAByteAnEdgeAndWidensWithTheNumbers) {
  TypeColumn column(1000, TypeWidth::kNone);
  EXPECT_EQ(column.bytes(), 0u);
  EXPECT_EQ(column[999], kNoType);
  const std::size_t grown = column.Widen(1000, WidthOf(255));
  EXPECT_EQ(grown, column.bytes());
  EXPECT_LE(column.bytes(), 1'200u);
  column.Set(3, 255);
  column.Widen(1000, WidthOf(256));
  EXPECT_LE(column.bytes(), 2'400u);
  column.Set(4, 65'535);
  column.Widen(1000, WidthOf(TypeTable::kMostTypes));
  column.Set(5, TypeTable::kMostTypes);
  EXPECT_EQ(column.Widen(1000, WidthOf(1)), 0u) << "it is wider already";
  EXPECT_EQ(column[2], kNoType);
  EXPECT_EQ(column[3], 255u);
  EXPECT_EQ(column[4], 65'535u);
  EXPECT_EQ(column[5], TypeTable::kMostTypes);
}

}  // namespace
}  // namespace sash
