// Records whose value has several lines, of which each is a record: lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/connectors/codec/record_edges.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

JsonMapping LinesOf(JsonMapping mapping) {
  mapping.lines = true;
  return mapping;
}

TEST(LinesOfRecordTest, EachLineIsARecord) {
  RecordEdges records(EdgesFormat(LinesOf(Edge("/s", "/t"))));
  EXPECT_THAT(
      records.Decode("{\"s\":\"a\",\"t\":\"b\"}\n\n \r\n{\"s\":\"c\",\"t\":\"d\"}\r\n").edges,
      ElementsAre("a>b", "c>d"));
  EXPECT_THAT(records.Decode(R"({"s":"a","t":"b"})").edges, ElementsAre("a>b"));
  EXPECT_EQ(records.Decode(" \n\n").refused, "invalid_syntax");
  EXPECT_EQ(records.Decode("").detail, "the record has no line that is not blank");
}

TEST(LinesOfRecordTest, ALineThatCannotBeReadIsRefusedAlone) {
  JsonMapping mapping = LinesOf(Edge("/s", "/t"));
  mapping.more_edges = {Edge("/t", "/s")};
  RecordEdges records(EdgesFormat(mapping));
  const std::string_view text = R"({"s":"a","t":"b"}
{"s":"c"

{"s":"d"}
{"s":"e","t":"f"})";
  const Became became = records.Decode(text);
  EXPECT_THAT(became.edges, ElementsAre("a>b", "b>a", "e>f", "f>e"));
  EXPECT_THAT(became.places, ElementsAre("1/0 invalid_syntax", "1/1 invalid_syntax",
                                         "3/0 missing_field", "3/1 missing_field"));
  EXPECT_THAT(became.detail,
              StartsWith("4 of its 8 edges: line 2: the record is not JSON: at byte 8"));
  const std::string_view corrected = R"({"s":"a","t":"b"}
{"s":"c","t":"x"}

{"s":"d","t":"y"}
{"s":"e","t":"f"})";
  EXPECT_THAT(records.DecodeAgain("1/0,1/1,3/1", corrected).edges,
              ElementsAre("c>x", "x>c", "y>d"));
  EXPECT_THAT(records.DecodeAgain("7/0", corrected).edges, IsEmpty());
}

TEST(LinesOfRecordTest, TheFilterReadsEachLine) {
  FormatSpec format = EdgesFormat(LinesOf(Edge("/s", "/t")));
  format.where = R"(/k == "yes")";
  RecordEdges records(format);
  const Became became = records.Decode(R"({"s":"a","t":"b","k":"yes"}
{"s":"c","t":"d","k":"no"}
{"s":"e","t":"f","k":"yes"})");
  EXPECT_THAT(became.edges, ElementsAre("a>b", "e>f"));
  EXPECT_THAT(records.Decode(R"({"s":"c","t":"d"})").edges, ElementsAre("~"));
}

TEST(LinesOfRecordTest, EveryLineHasTheKeyOfTheRecord) {
  RecordEdges records(EdgesFormat(LinesOf(Edge("$key", "/t"))));
  EXPECT_THAT(records.DecodeBehind("host", "{\"t\":\"a\"}\n{\"t\":\"b\"}").edges,
              ElementsAre("host>a", "host>b"));
}

TEST(LinesOfRecordTest, LinesBecomeWhatRecordsOfOneLineBecome) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    RecordEdges alone(EdgesFormat(Edge("/s", "/t")));
    RecordEdges together(EdgesFormat(LinesOf(Edge("/s", "/t"))));
    const char* const kinds[] = {R"({"s":"a","t":"b"})", R"({"s":"a"})", "{", "", "[]", "\r",
                                 R"({"t":"x","s":"\n"})"};
    std::string record;
    std::vector<std::string> edges;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < 20; ++i) {
      const std::string_view line = kinds[random() % std::size(kinds)];
      (record += line) += '\n';
      if (line.find_first_not_of(" \r") == std::string_view::npos) continue;
      const Became one = alone.Decode(line);
      edges.insert(edges.end(), one.edges.begin(), one.edges.end());
      refused += one.refused.empty() ? 0 : 1;
    }
    const Became all = together.Decode(record);
    EXPECT_EQ(all.edges, edges);
    EXPECT_EQ(all.places.size(), refused);
  }
}

}  // namespace
}  // namespace sash
