#include "connectors/codec/csv_row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using ::testing::ElementsAre;

TEST(CsvRowTest, SplitsAtDelimitersOutsideQuotes) {
  CsvRow row(',');
  EXPECT_EQ(row.Split("a,b,c"), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(row.Split("\"a,b\",c"), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre("a,b", "c"));
}

TEST(CsvRowTest, KeepsEmptyFieldsAndBlanks) {
  CsvRow row(',');
  EXPECT_EQ(row.Split(""), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre(""));
  EXPECT_EQ(row.Split(",\"\", a ,"), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre("", "", " a ", ""));
}

TEST(CsvRowTest, HalvesDoubledQuotesInEveryField) {
  CsvRow row(',');
  EXPECT_EQ(row.Split(R"("say ""a""","""","b""c",plain)"), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre("say \"a\"", "\"", "b\"c", "plain"));
}

TEST(CsvRowTest, QuotedFieldsHoldLineBreaks) {
  CsvRow row(',');
  EXPECT_EQ(row.Split("\"a\r\nb\",\"\n\"\r\n"), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre("a\r\nb", "\n"));
}

TEST(CsvRowTest, DropsOneLineBreakAtTheEnd) {
  CsvRow row(',');
  EXPECT_EQ(row.Split("a,b\n"), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre("a", "b"));
  EXPECT_EQ(row.Split("a,b\r\n"), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre("a", "b"));
  EXPECT_NE(row.Split("a,b\n\n"), std::nullopt);
}

TEST(CsvRowTest, AnyCharacterMayDelimit) {
  CsvRow tabs('\t');
  EXPECT_EQ(tabs.Split("a,b\t\"c\td\""), std::nullopt);
  EXPECT_THAT(tabs.fields(), ElementsAre("a,b", "c\td"));
}

TEST(CsvRowTest, RefusesBrokenQuotesAndLineBreaks) {
  CsvRow row(',');
  for (const char* text : {"\"a", "a,\"b,c", "\"a\"b,c", "\"a\" ,c", "a\"b,c", "a,b\"", "\"\"\"",
                           "a\nb", "a\rb", "a,b\r", "\"a\"\rb", "\"a\"\"", " \"a\",b"}) {
    EXPECT_NE(row.Split(text), std::nullopt) << text;
  }
}

TEST(CsvRowTest, SaysWhichFieldIsBroken) {
  CsvRow row(',');
  EXPECT_EQ(row.Split("a,\"b"), "the quoted field 2 does not end");
  EXPECT_EQ(row.Split("a,b,\"c\"d"), "text follows the closing quote of field 3");
  EXPECT_EQ(row.Split("a\"b"), "there is a quote inside the unquoted field 1");
}

}  // namespace
}  // namespace sash
