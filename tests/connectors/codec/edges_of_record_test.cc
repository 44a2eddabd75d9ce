// Mappings by which a record gives several edges: each, edges, direction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/connectors/codec/absent_field.h"
#include "tests/connectors/codec/record_edges.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(EdgesOfRecordTest, EachElementOfAnArrayIsAnEdge) {
  JsonMapping mapping = EachOf("/items", "$record/user", "/product");
  mapping.weight = "/count";
  RecordEdges records(EdgesFormat(mapping));
  const std::string order =
      R"({"user":"u1","items":[{"product":"p1","count":2},{"count":1,"product":"p2"}],"x":[1]})";
  EXPECT_THAT(records.Decode(order).edges, ElementsAre("u1>p1*2", "u1>p2"));
  // The field of the record may come behind the array.
  EXPECT_THAT(records.Decode(R"({"items":[{"product":"p3"},{"product":"p4"}],"user":"u2"})").edges,
              ElementsAre("u2>p3", "u2>p4"));
  EXPECT_THAT(records.Decode(R"({"user":"u3","items":[{"product":7}]})").edges,
              ElementsAre("u3>7"));
}

TEST(EdgesOfRecordTest, ElementsMayBeKeysThemselves) {
  RecordEdges records(EdgesFormat(EachOf("/to", "$record/from", "")));
  EXPECT_THAT(records.Decode(R"({"from":"a","to":["b","c\n",4]})").edges,
              ElementsAre("a>b", "a>c\n", "a>4"));
  const Became wrong = records.Decode(R"({"from":"a","to":["b",["c"]]})");
  EXPECT_EQ(wrong.refused, "wrong_type");
  EXPECT_THAT(wrong.detail,
              StartsWith("1 of its 2 edges: element /to/1: target \"\" is an array;"));
  EXPECT_THAT(wrong.edges, ElementsAre("a>b"));
}

TEST(EdgesOfRecordTest, TheRecordMayBeTheArray) {
  RecordEdges records(EdgesFormat(EachOf("", "/s", "/t")));
  EXPECT_THAT(records.Decode(R"( [ {"s":"a","t":"b"} , {"s":"c","t":"d"} ] )").edges,
              ElementsAre("a>b", "c>d"));
  const Became object = records.Decode(R"({"s":"a","t":"b"})");
  EXPECT_EQ(object.refused, "wrong_type");
  EXPECT_EQ(object.detail, "each \"\" is an object; it must be an array");
}

TEST(EdgesOfRecordTest, AnEmptyArrayIsFilteredAndAMissingOneIsRefused) {
  JsonMapping mapping = EachOf("/l", "/s", "/t");
  mapping.time = "$record/ts";
  FormatSpec format = EdgesFormat(mapping);
  format.time_origin = TimeOrigin::kField;
  RecordEdges records(format);
  EXPECT_THAT(records.Decode(R"({"ts":5,"l":[]})").edges, ElementsAre("~"));
  EXPECT_EQ(records.batch().events().back().time, EventTime(std::chrono::milliseconds(5)));
  EXPECT_THAT(records.Decode(R"({"l":[]})").edges, IsEmpty()) << "its time cannot be read";
  EXPECT_EQ(records.Decode(R"({"ts":5})").refused, "missing_field");
  EXPECT_EQ(records.Decode(R"({"ts":5,"l":null})").detail, "each /l is missing or null" + kAbsent);
  EXPECT_EQ(records.Decode(R"({"ts":5,"l":3})").refused, "wrong_type");
  // The last of two members counts.
  EXPECT_THAT(records.Decode(R"({"ts":5,"l":[{"s":"a","t":"b"}],"l":[]})").edges, ElementsAre("~"));
  EXPECT_THAT(records.Decode(R"({"ts":5,"l":[1,2,3],"l":[{"s":"a","t":"b"}]})").edges,
              ElementsAre("a>b"));
  EXPECT_EQ(records.Decode(R"({"ts":5,"l":[{"s":"a","t":"b"}],"l":null})").refused,
            "missing_field");
}

TEST(EdgesOfRecordTest, AFieldOfOneElementIsNotThatOfTheNext) {
  JsonMapping mapping = EachOf("/l", "/s", "/t");
  mapping.weight = "/w";
  RecordEdges records(EdgesFormat(mapping));
  EXPECT_THAT(records.Decode(R"({"l":[{"s":"a","t":"b","w":9},{"s":"c","t":"d"}]})").edges,
              ElementsAre("a>b*9", "c>d"));
  const Became lacks = records.Decode(R"({"l":[{"s":"a","t":"b"},{"s":"c"}]})");
  EXPECT_EQ(lacks.refused, "missing_field");
  EXPECT_EQ(lacks.detail, "1 of its 2 edges: element /l/1: target /t is missing or null" + kAbsent);
  EXPECT_THAT(lacks.places, ElementsAre("1/0 missing_field"));
  EXPECT_THAT(lacks.edges, ElementsAre("a>b"));
  EXPECT_EQ(records.Decode(R"({"l":[null]})").refused, "missing_field");
  // Outside the array the names mean nothing.
  EXPECT_EQ(records.Decode(R"({"s":"a","t":"b","l":[{}]})").refused, "missing_field");
}

TEST(EdgesOfRecordTest, ARecordMayGiveEveryEdgeOfAList) {
  JsonMapping mapping = Edge("/from", "/to");
  mapping.weight = "/w";
  mapping.more_edges = {Edge("/from", "/device"), Edge("/device", "/ip")};
  RecordEdges records(EdgesFormat(mapping));
  EXPECT_THAT(records.Decode(R"({"from":"a","to":"b","w":3,"device":"d","ip":"i"})").edges,
              ElementsAre("a>b*3", "a>d", "d>i"));
  const Became lacks = records.Decode(R"({"from":"a","to":"b","device":"d"})");
  EXPECT_EQ(lacks.detail, "1 of its 3 edges: edges[2]: target /ip is missing or null" + kAbsent);
  EXPECT_THAT(lacks.edges, ElementsAre("a>b", "a>d"));
}

TEST(EdgesOfRecordTest, ListsAndElementsGoTogether) {
  JsonMapping mapping = EachOf("/l", "$record/u", "/p");
  mapping.more_edges = {Edge("/p", "/shop")};
  RecordEdges records(EdgesFormat(mapping));
  EXPECT_THAT(
      records.Decode(R"({"l":[{"p":"p1","shop":"x"},{"p":"p2","shop":"y"}],"u":"u"})").edges,
      ElementsAre("u>p1", "p1>x", "u>p2", "p2>y"));
  EXPECT_EQ(records.Decode(R"({"l":[{"p":"p1","shop":"x"},{"p":"p2"}],"u":"u"})").detail,
            "1 of its 4 edges: element /l/1, edges[1]: target /shop is missing or null" + kAbsent);
}

TEST(EdgesOfRecordTest, BothDirectionsAreTwoEdgesAndASelfLoopIsOne) {
  JsonMapping mapping = Edge("/a", "/b");
  mapping.both_directions = true;
  mapping.weight = "/w";
  mapping.operation = "/op";
  RecordEdges records(EdgesFormat(mapping));
  EXPECT_THAT(records.Decode(R"({"a":"x","b":"y","w":2})").edges, ElementsAre("x>y*2", "y>x*2"));
  EXPECT_THAT(records.Decode(R"({"a":"x","b":"x"})").edges, ElementsAre("x>x"));
  EXPECT_THAT(records.Decode(R"({"a":"7","b":7})").edges, ElementsAre("7>7"));
  EXPECT_THAT(records.Decode(R"({"a":"x","b":"y","op":"remove"})").edges,
              ElementsAre("-x>y", "-y>x"));
  EXPECT_THAT(records.Decode(R"({"a":"x","op":"remove_vertex"})").edges, ElementsAre("--x"));
  EXPECT_THAT(records.DecodeTombstone(R"({"a":"x","b":"y"})").edges, ElementsAre("-x>y", "-y>x"));
  RecordEdges integers(EdgesFormat(mapping, KeyKind::kInteger));
  EXPECT_THAT(integers.Decode(R"({"a":1,"b":2})").edges, ElementsAre("1>2", "2>1"));
  EXPECT_THAT(integers.Decode(R"({"a":2,"b":2})").edges, ElementsAre("2>2"));
}

TEST(EdgesOfRecordTest, ARowMayGiveBothDirections) {
  FormatSpec format;
  CsvMapping csv{.source = 1u, .target = 2u, .weight = {}, .time = {}, .operation = {}};
  csv.both_directions = true;
  format.mapping = csv;
  format.time_origin = TimeOrigin::kClock;
  RecordEdges records(format);
  EXPECT_THAT(records.Decode("a,b").edges, ElementsAre("a>b", "b>a"));
  EXPECT_THAT(records.Decode("a,a").edges, ElementsAre("a>a"));
}

TEST(EdgesOfRecordTest, EdgesThatAreSkippedAreLeftOutOfTheRecord) {
  JsonMapping mapping = EachOf("/l", "/s", "/t");
  mapping.operation = "/op";
  mapping.operation_words = {.add = {"c"}, .remove = {"d"}, .remove_vertex = {}, .skip = {"t"}};
  RecordEdges records(EdgesFormat(mapping));
  const std::string some =
      R"({"l":[{"op":"t"},{"s":"a","t":"b","op":"c"},{"op":"t"},{"s":"a","t":"b","op":"d"}]})";
  EXPECT_THAT(records.Decode(some).edges, ElementsAre("a>b", "-a>b"));
  EXPECT_THAT(records.Decode(R"({"l":[{"op":"t"},{"op":"t"}]})").edges, ElementsAre("~"));
}

TEST(EdgesOfRecordTest, WhereIsAskedOnceForTheRecord) {
  FormatSpec format = EdgesFormat(EachOf("/l", "/s", "/t"));
  format.where = R"(/kind == "good")";
  RecordEdges records(format);
  EXPECT_THAT(records.Decode(R"({"l":[{"s":"a","t":"b"}],"kind":"good"})").edges,
              ElementsAre("a>b"));
  EXPECT_THAT(records.Decode(R"({"l":[{"s":"a","t":"b","kind":"good"}]})").edges, ElementsAre("~"));
}

TEST(EdgesOfRecordTest, TimesAndCountsAreThoseOfEdges) {
  JsonMapping mapping = EachOf("/l", "/s", "/t");
  mapping.time = "/ts";
  mapping.weight = "/w";
  mapping.weight_text.invalid = InvalidWeight::kZero;
  FormatSpec format = EdgesFormat(mapping);
  format.time_origin = TimeOrigin::kField;
  RecordEdges records(format);
  const std::string record =
      R"({"l":[{"s":"a","t":"b","ts":"7","w":"?"},{"s":"c","t":"d","ts":9,"w":"?"}]})";
  EXPECT_THAT(records.Decode(record).edges, ElementsAre("a>b*0", "c>d*0"));
  EXPECT_EQ(records.batch().events()[0].time, EventTime(std::chrono::milliseconds(7)));
  EXPECT_EQ(records.batch().events()[1].time, EventTime(std::chrono::milliseconds(9)));
  EXPECT_EQ(records.decoder().counts().replaced_weights, 2u);
  // A refused edge is not counted.
  EXPECT_EQ(records.Decode(R"({"l":[{"s":"a","t":"b","ts":7,"w":"?"},{"w":"?"}]})").refused,
            "missing_field");
  EXPECT_EQ(records.decoder().counts().replaced_weights, 3u);
}

TEST(EdgesOfRecordTest, ARecordOfMoreThan65536EdgesIsRefused) {
  const auto array = [](std::size_t elements) {
    std::string text = "[";
    for (std::size_t i = 0; i < elements; ++i) text += i == 0 ? "1" : ",1";
    return text + "]";
  };
  RecordEdges records(EdgesFormat(EachOf("", "", "")));
  EXPECT_EQ(records.Decode(array(65'536)).edges.size(), 65'536u);
  const Became refused = records.Decode(array(65'537));
  EXPECT_EQ(refused.refused, "too_large");
  EXPECT_EQ(refused.detail, "the record gives more than 65536 edges");
  JsonMapping twice = EachOf("", "", "");
  twice.more_edges = {Edge("", "")};
  RecordEdges pairs(EdgesFormat(twice));
  EXPECT_EQ(pairs.Decode(array(32'768)).edges.size(), 65'536u);
  EXPECT_EQ(pairs.Decode(array(32'769)).refused, "too_large");
  // What is not an edge is not refused for its size.
  RecordEdges others(EdgesFormat(EachOf("/l", "/s", "/t")));
  EXPECT_THAT(others.Decode(R"({"x":)" + array(70'000) + R"(,"l":[{"s":"a","t":"b"}]})").edges,
              ElementsAre("a>b"));
}

}  // namespace
}  // namespace sash
