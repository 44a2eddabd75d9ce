#include "daemon/infer/csv_dialect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CsvDialectTest, TheDelimiterIsTheOneThatGivesTheSameNumberOfFields) {
  EXPECT_EQ(FindDialect("a,b\nb,c\n").delimiter, ',');
  EXPECT_EQ(FindDialect("a;1,5\nb;2,5\n").delimiter, ';');
  EXPECT_EQ(FindDialect("a\t1,2,3\nb\t4,5,6\n").delimiter, '\t');
  EXPECT_EQ(FindDialect("a|b\nb|c\n").delimiter, '|');
  EXPECT_EQ(FindDialect("a  b\n b\tc\n").delimiter, kBlanks);
  EXPECT_EQ(FindDialect("one\ntwo\n").columns, 0U);
  EXPECT_EQ(FindDialect("").columns, 0U);
}

TEST(CsvDialectTest, QuotesHaveNoMeaningInTabsWithoutThem) {
  EXPECT_FALSE(FindDialect("a\tb\n5\" disk\tc\n\"unclosed\td\n").quotes);
  EXPECT_TRUE(FindDialect("\"a\"\tb\n\"b\tc\"\td\n").quotes);
  EXPECT_TRUE(FindDialect("a,b\nb,\"c,d\"\n").quotes);
}

TEST(CsvDialectTest, TheFirstRowIsAHeaderIfItHasNamesAndNoValues) {
  const auto has_header = [](std::string_view text) { return FindDialect(text).has_header; };
  EXPECT_TRUE(has_header("from,to\na,b\nb,a\n"));
  EXPECT_TRUE(has_header("u,v\na,b\n"));
  EXPECT_TRUE(has_header("left,right,size\nx,y,1\ny,z,2\n"));
  EXPECT_FALSE(has_header("a,b\nb,c\nc,a\n"));
  EXPECT_FALSE(has_header("ann,bob\nbob,ann\nann,carl\n"));
  EXPECT_FALSE(has_header("user1,item3\nuser2,item4\nuser3,item4\n"));
  EXPECT_FALSE(has_header("1,2\n2,3\n"));
  EXPECT_FALSE(has_header("from,2026-01-01T00:00:00Z\nto,2026-01-01T00:00:01Z\n"));
  EXPECT_THAT(FindDialect("from,to\na,b\n").names, ElementsAre("from", "to"));
}

TEST(CsvDialectTest, CommentsAreSkippedAndMayNameTheColumns) {
  const CsvDialect snap = FindDialect("# a graph\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n");
  EXPECT_EQ(snap.comment, "#");
  EXPECT_FALSE(snap.has_header);
  EXPECT_THAT(snap.names, ElementsAre("FromNodeId", "ToNodeId"));
  const CsvDialect zeek = FindDialect("#unset_field\t-\n#fields\tts\tid.orig_h\n1\tb\n2\tc\n");
  EXPECT_THAT(zeek.names, ElementsAre("ts", "id.orig_h"));
  EXPECT_THAT(zeek.nulls, ElementsAre("-"));
  EXPECT_EQ(FindDialect("#one,#two\n#two,#three\n").comment, "");
  EXPECT_THAT(FindDialect("% of all\n1 2\n2 3\n").names, IsEmpty());
}

TEST(CsvDialectTest, LinesBeforeTheRowsAreSkipped) {
  const CsvDialect report = FindDialect("Report\n\nfrom,to,n\na,b,1\nb,c,2\nc,d,3\nd,e,4\n");
  EXPECT_EQ(report.skip_rows, 2U);
  EXPECT_TRUE(report.has_header);
  EXPECT_EQ(FindDialect("%%MatrixMarket matrix\n%\n3 3 2\n1 2 0.5\n2 3 1\n").skip_rows, 3U);
}

}  // namespace
}  // namespace sash
