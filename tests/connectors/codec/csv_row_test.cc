#include "connectors/codec/csv_row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connectors/codec/format_spec.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST(CsvRowTest, RunsOfBlanksDelimit) {
  CsvRow row(kBlanks);
  EXPECT_EQ(row.Split(" a  b\t \tc \r\n"), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(row.Split(R"(a "b ""c"" d"  "")"), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre("a", "b \"c\" d", ""));
  EXPECT_EQ(row.Split(" \t"), std::nullopt);
  EXPECT_THAT(row.fields(), IsEmpty());
  EXPECT_EQ(row.Split(std::string_view("a\0b c", 5)), std::nullopt);
  EXPECT_EQ(row.fields().size(), 2u) << "the delimiter is not the byte that stands for it";
  for (const char* text : {"a\"b", "\"a\"b c", "\"a b", "a\nb", "a b\rc"}) {
    EXPECT_NE(row.Split(text), std::nullopt) << text;
  }
}

TEST(CsvRowTest, WithoutQuotesAQuoteIsAnOrdinaryCharacter) {
  CsvRow row('\t', false);
  EXPECT_EQ(row.Split("\"a\tb\"\t5\" c\t\"\"\n"), std::nullopt);
  EXPECT_THAT(row.fields(), ElementsAre("\"a", "b\"", "5\" c", "\"\""));
  EXPECT_EQ(row.Split("a\n\tb"), "there is a line break in the row");
  EXPECT_EQ(row.Split("a\tb\r"), "there is a line break in the row");
  CsvRow blanks(kBlanks, false);
  EXPECT_EQ(blanks.Split("\"a  b\"c"), std::nullopt);
  EXPECT_THAT(blanks.fields(), ElementsAre("\"a", "b\"c"));
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
