// Mappings by which a record gives several edges: each, edges, direction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/decoder.h"
#include "tests/connectors/codec/decoding.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

JsonMapping Edge(std::string source, std::string target) {
  JsonMapping edge;
  edge.source = std::move(source);
  edge.target = std::move(target);
  return edge;
}

JsonMapping EachOf(std::string array, std::string source, std::string target) {
  JsonMapping edge = Edge(std::move(source), std::move(target));
  edge.each = std::move(array);
  return edge;
}

FormatSpec Format(JsonMapping mapping, KeyKind keys = KeyKind::kString) {
  FormatSpec format;
  format.mapping = std::move(mapping);
  format.keys = keys;
  format.time_origin = TimeOrigin::kKafka;
  return format;
}

// What one record becomes.
struct Became {
  std::vector<std::string>
      edges{};            // "a>b", "-a>b", "--a", "~" (filtered), with weights other than 1
  std::string refused{};  // the reason
  std::string detail{};
  std::vector<std::string> places{};  // of the edges that are refused: "element/edge reason"
};

class Records {
 public:
  explicit Records(const FormatSpec& format) : keys_(format.keys) {
    auto made = MakeDecoder(format);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    if (made.ok()) decoder_ = std::move(made).value();
  }

  Became Decode(std::string_view record) { return Take(record, false); }
  Became DecodeBehind(std::string_view key, std::string_view record) {
    envelope_.key = key;
    return Take(record, false);
  }
  // The record as it is sent again: only these places of it are wanted.
  Became DecodeAgain(std::string_view places, std::string_view record) {
    const RecordHeader header{"sash.places", places};
    envelope_.headers = {&header, 1};
    Became became = Take(record, false);
    envelope_.headers = {};
    return became;
  }
  Became DecodeTombstone(std::string_view key) { return Take(key, true); }
  std::string TimeAsWritten() { return decoder_->TimeAsWritten(); }
  DecodeCounts counts() const { return decoder_->counts(); }
  EventBatch& batch() { return batch_; }

 private:
  Became Take(std::string_view record, bool tombstone) {
    const std::size_t first = batch_.events().size();
    const std::size_t bytes = batch_.bytes();
    const RecordPlace place{
        .partition = 3, .offset = offset_++, .time = {}, .envelope = &envelope_};
    const auto refused = tombstone ? decoder_->DecodeTombstone(record, place, batch_)
                                   : decoder_->Decode(record, place, batch_);
    Became became;
    if (refused) {
      became.refused = Name(refused->reason);
      became.detail = refused->detail;
      for (const RefusedPlace& one : refused->places) {
        became.places.push_back(PlacesText({&one.place, 1}) + " " + std::string(Name(one.reason)));
      }
      if (batch_.events().size() == first) {
        EXPECT_EQ(batch_.bytes(), bytes) << "a refused record left something in the batch";
      }
    }
    for (std::size_t i = first; i < batch_.events().size(); ++i) {
      const EdgeEvent& event = batch_.events()[i];
      EXPECT_EQ(event.further, i > first);
      EXPECT_EQ(event.offset, place.offset);
      EXPECT_EQ(event.partition, 3u);
      if (!event.filtered) {
        EXPECT_EQ(batch_.Text(event.payload), record);
        EXPECT_EQ(event.payload.begin, batch_.events()[first].payload.begin) << "stored once";
      }
      became.edges.push_back(Text(event));
    }
    return became;
  }

  std::string Text(const EdgeEvent& event) const {
    if (event.filtered) return "~";
    const std::string source = KeyText(event.source, keys_, batch_);
    if (event.operation == Operation::kRemoveVertex) return "--" + source;
    std::string text = event.operation == Operation::kRemove ? "-" : "";
    text += source + ">" + KeyText(event.target, keys_, batch_);
    if (event.weight != Weight()) text += "*" + std::to_string(event.weight.integer());
    return text;
  }

  const KeyKind keys_;
  std::unique_ptr<Decoder> decoder_;
  EventBatch batch_;
  RecordEnvelope envelope_{.topic = "orders"};
  std::int64_t offset_ = 0;
};

TEST(EdgesOfRecordTest, EachElementOfAnArrayIsAnEdge) {
  JsonMapping mapping = EachOf("/items", "$record/user", "/product");
  mapping.weight = "/count";
  Records records(Format(mapping));
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
  Records records(Format(EachOf("/to", "$record/from", "")));
  EXPECT_THAT(records.Decode(R"({"from":"a","to":["b","c\n",4]})").edges,
              ElementsAre("a>b", "a>c\n", "a>4"));
  const Became wrong = records.Decode(R"({"from":"a","to":["b",["c"]]})");
  EXPECT_EQ(wrong.refused, "wrong_type");
  EXPECT_THAT(wrong.detail,
              StartsWith("1 of its 2 edges: element /to/1: target \"\" is an array;"));
  EXPECT_THAT(wrong.edges, ElementsAre("a>b"));
}

TEST(EdgesOfRecordTest, TheRecordMayBeTheArray) {
  Records records(Format(EachOf("", "/s", "/t")));
  EXPECT_THAT(records.Decode(R"( [ {"s":"a","t":"b"} , {"s":"c","t":"d"} ] )").edges,
              ElementsAre("a>b", "c>d"));
  const Became object = records.Decode(R"({"s":"a","t":"b"})");
  EXPECT_EQ(object.refused, "wrong_type");
  EXPECT_EQ(object.detail, "each \"\" is an object; it must be an array");
}

TEST(EdgesOfRecordTest, AnEmptyArrayIsFilteredAndAMissingOneIsRefused) {
  JsonMapping mapping = EachOf("/l", "/s", "/t");
  mapping.time = "$record/ts";
  FormatSpec format = Format(mapping);
  format.time_origin = TimeOrigin::kField;
  Records records(format);
  EXPECT_THAT(records.Decode(R"({"ts":5,"l":[]})").edges, ElementsAre("~"));
  EXPECT_EQ(records.batch().events().back().time, EventTime(std::chrono::milliseconds(5)));
  EXPECT_THAT(records.Decode(R"({"l":[]})").edges, IsEmpty()) << "its time cannot be read";
  EXPECT_EQ(records.Decode(R"({"ts":5})").refused, "missing_field");
  EXPECT_EQ(records.Decode(R"({"ts":5,"l":null})").detail, "each /l is missing or null");
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
  Records records(Format(mapping));
  EXPECT_THAT(records.Decode(R"({"l":[{"s":"a","t":"b","w":9},{"s":"c","t":"d"}]})").edges,
              ElementsAre("a>b*9", "c>d"));
  const Became lacks = records.Decode(R"({"l":[{"s":"a","t":"b"},{"s":"c"}]})");
  EXPECT_EQ(lacks.refused, "missing_field");
  EXPECT_EQ(lacks.detail, "1 of its 2 edges: element /l/1: target /t is missing or null");
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
  Records records(Format(mapping));
  EXPECT_THAT(records.Decode(R"({"from":"a","to":"b","w":3,"device":"d","ip":"i"})").edges,
              ElementsAre("a>b*3", "a>d", "d>i"));
  const Became lacks = records.Decode(R"({"from":"a","to":"b","device":"d"})");
  EXPECT_EQ(lacks.detail, "1 of its 3 edges: edges[2]: target /ip is missing or null");
  EXPECT_THAT(lacks.edges, ElementsAre("a>b", "a>d"));
}

TEST(EdgesOfRecordTest, ListsAndElementsGoTogether) {
  JsonMapping mapping = EachOf("/l", "$record/u", "/p");
  mapping.more_edges = {Edge("/p", "/shop")};
  Records records(Format(mapping));
  EXPECT_THAT(
      records.Decode(R"({"l":[{"p":"p1","shop":"x"},{"p":"p2","shop":"y"}],"u":"u"})").edges,
      ElementsAre("u>p1", "p1>x", "u>p2", "p2>y"));
  EXPECT_EQ(records.Decode(R"({"l":[{"p":"p1","shop":"x"},{"p":"p2"}],"u":"u"})").detail,
            "1 of its 4 edges: element /l/1, edges[1]: target /shop is missing or null");
}

TEST(EdgesOfRecordTest, BothDirectionsAreTwoEdgesAndASelfLoopIsOne) {
  JsonMapping mapping = Edge("/a", "/b");
  mapping.both_directions = true;
  mapping.weight = "/w";
  mapping.operation = "/op";
  Records records(Format(mapping));
  EXPECT_THAT(records.Decode(R"({"a":"x","b":"y","w":2})").edges, ElementsAre("x>y*2", "y>x*2"));
  EXPECT_THAT(records.Decode(R"({"a":"x","b":"x"})").edges, ElementsAre("x>x"));
  EXPECT_THAT(records.Decode(R"({"a":"7","b":7})").edges, ElementsAre("7>7"));
  EXPECT_THAT(records.Decode(R"({"a":"x","b":"y","op":"remove"})").edges,
              ElementsAre("-x>y", "-y>x"));
  EXPECT_THAT(records.Decode(R"({"a":"x","op":"remove_vertex"})").edges, ElementsAre("--x"));
  EXPECT_THAT(records.DecodeTombstone(R"({"a":"x","b":"y"})").edges, ElementsAre("-x>y", "-y>x"));
  Records integers(Format(mapping, KeyKind::kInteger));
  EXPECT_THAT(integers.Decode(R"({"a":1,"b":2})").edges, ElementsAre("1>2", "2>1"));
  EXPECT_THAT(integers.Decode(R"({"a":2,"b":2})").edges, ElementsAre("2>2"));
}

TEST(EdgesOfRecordTest, ARowMayGiveBothDirections) {
  FormatSpec format;
  CsvMapping csv{.source = 1u, .target = 2u, .weight = {}, .time = {}, .operation = {}};
  csv.both_directions = true;
  format.mapping = csv;
  format.time_origin = TimeOrigin::kClock;
  Records records(format);
  EXPECT_THAT(records.Decode("a,b").edges, ElementsAre("a>b", "b>a"));
  EXPECT_THAT(records.Decode("a,a").edges, ElementsAre("a>a"));
}

TEST(EdgesOfRecordTest, EdgesThatAreSkippedAreLeftOutOfTheRecord) {
  JsonMapping mapping = EachOf("/l", "/s", "/t");
  mapping.operation = "/op";
  mapping.operation_words = {.add = {"c"}, .remove = {"d"}, .remove_vertex = {}, .skip = {"t"}};
  Records records(Format(mapping));
  const std::string some =
      R"({"l":[{"op":"t"},{"s":"a","t":"b","op":"c"},{"op":"t"},{"s":"a","t":"b","op":"d"}]})";
  EXPECT_THAT(records.Decode(some).edges, ElementsAre("a>b", "-a>b"));
  EXPECT_THAT(records.Decode(R"({"l":[{"op":"t"},{"op":"t"}]})").edges, ElementsAre("~"));
}

TEST(EdgesOfRecordTest, WhereIsAskedOnceForTheRecord) {
  FormatSpec format = Format(EachOf("/l", "/s", "/t"));
  format.where = R"(/kind == "good")";
  Records records(format);
  EXPECT_THAT(records.Decode(R"({"l":[{"s":"a","t":"b"}],"kind":"good"})").edges,
              ElementsAre("a>b"));
  EXPECT_THAT(records.Decode(R"({"l":[{"s":"a","t":"b","kind":"good"}]})").edges, ElementsAre("~"));
}

TEST(EdgesOfRecordTest, TimesAndCountsAreThoseOfEdges) {
  JsonMapping mapping = EachOf("/l", "/s", "/t");
  mapping.time = "/ts";
  mapping.weight = "/w";
  mapping.weight_text.invalid = InvalidWeight::kZero;
  FormatSpec format = Format(mapping);
  format.time_origin = TimeOrigin::kField;
  Records records(format);
  const std::string record =
      R"({"l":[{"s":"a","t":"b","ts":"7","w":"?"},{"s":"c","t":"d","ts":9,"w":"?"}]})";
  EXPECT_THAT(records.Decode(record).edges, ElementsAre("a>b*0", "c>d*0"));
  EXPECT_EQ(records.batch().events()[0].time, EventTime(std::chrono::milliseconds(7)));
  EXPECT_EQ(records.batch().events()[1].time, EventTime(std::chrono::milliseconds(9)));
  EXPECT_EQ(records.counts().replaced_weights, 2u);
  // A refused edge is not counted.
  EXPECT_EQ(records.Decode(R"({"l":[{"s":"a","t":"b","ts":7,"w":"?"},{"w":"?"}]})").refused,
            "missing_field");
  EXPECT_EQ(records.counts().replaced_weights, 3u);
}

TEST(EdgesOfRecordTest, ARecordOfMoreThan65536EdgesIsRefused) {
  const auto array = [](std::size_t elements) {
    std::string text = "[";
    for (std::size_t i = 0; i < elements; ++i) text += i == 0 ? "1" : ",1";
    return text + "]";
  };
  Records records(Format(EachOf("", "", "")));
  EXPECT_EQ(records.Decode(array(65'536)).edges.size(), 65'536u);
  const Became refused = records.Decode(array(65'537));
  EXPECT_EQ(refused.refused, "too_large");
  EXPECT_EQ(refused.detail, "the record gives more than 65536 edges");
  JsonMapping twice = EachOf("", "", "");
  twice.more_edges = {Edge("", "")};
  Records pairs(Format(twice));
  EXPECT_EQ(pairs.Decode(array(32'768)).edges.size(), 65'536u);
  EXPECT_EQ(pairs.Decode(array(32'769)).refused, "too_large");
  // What is not an edge is not refused for its size.
  Records others(Format(EachOf("/l", "/s", "/t")));
  EXPECT_THAT(others.Decode(R"({"x":)" + array(70'000) + R"(,"l":[{"s":"a","t":"b"}]})").edges,
              ElementsAre("a>b"));
}

JsonMapping LinesOf(JsonMapping mapping) {
  mapping.lines = true;
  return mapping;
}

TEST(LinesOfRecordTest, EachLineIsARecord) {
  Records records(Format(LinesOf(Edge("/s", "/t"))));
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
  Records records(Format(mapping));
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
  FormatSpec format = Format(LinesOf(Edge("/s", "/t")));
  format.where = R"(/k == "yes")";
  Records records(format);
  const Became became = records.Decode(R"({"s":"a","t":"b","k":"yes"}
{"s":"c","t":"d","k":"no"}
{"s":"e","t":"f","k":"yes"})");
  EXPECT_THAT(became.edges, ElementsAre("a>b", "e>f"));
  EXPECT_THAT(records.Decode(R"({"s":"c","t":"d"})").edges, ElementsAre("~"));
}

TEST(LinesOfRecordTest, EveryLineHasTheKeyOfTheRecord) {
  Records records(Format(LinesOf(Edge("$key", "/t"))));
  EXPECT_THAT(records.DecodeBehind("host", "{\"t\":\"a\"}\n{\"t\":\"b\"}").edges,
              ElementsAre("host>a", "host>b"));
}

TEST(LinesOfRecordTest, LinesBecomeWhatRecordsOfOneLineBecome) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Records alone(Format(Edge("/s", "/t")));
    Records together(Format(LinesOf(Edge("/s", "/t"))));
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

TEST(EdgesOfRecordTest, WhatCannotBeMappedIsAnErrorAtTheStart) {
  const auto why = [](FormatSpec format) {
    const auto made = MakeDecoder(format);
    return made.ok() ? std::string("nothing") : made.error().message;
  };
  EXPECT_THAT(why(Format(EachOf("/l", "/s", "$record/l/0/t"))),
              HasSubstr("each: another field leads into its elements (\"/l/0\")"));
  JsonMapping second = Edge("/a", "/b");
  second.more_edges = {Edge("/a", "b")};
  EXPECT_THAT(why(Format(second)), HasSubstr("edges[1]: target"));
  FormatSpec tombstones = Format(EachOf("/l", "/s", "/t"));
  tombstones.tombstone = TombstonePolicy::kRemove;
  EXPECT_THAT(why(tombstones),
              HasSubstr("tombstone is `remove`, which cannot be used with `each`"));
  JsonMapping many = Edge("/0", "/1");
  for (int i = 2; i < 70; ++i) {
    many.more_edges.push_back(Edge("/0", "/" + std::to_string(i)));
  }
  EXPECT_THAT(why(Format(many)), HasSubstr("names more than 58 different fields"));
  FormatSpec timeless = Format(second);
  timeless.time_origin = TimeOrigin::kField;
  EXPECT_THAT(why(timeless), HasSubstr("none is mapped to it"));
}

TEST(EdgesOfRecordTest, OfARecordOnlyTheBadEdgesAreRefused) {
  JsonMapping mapping = EachOf("/l", "/s", "/t");
  mapping.more_edges = {Edge("/t", "/x")};
  Records records(Format(mapping));
  const Became some = records.Decode(
      R"({"l":[{"s":"a","t":"b"},{"s":"c","t":5.5,"x":"y"},{"s":"d","t":"e","x":"f"}]})");
  EXPECT_THAT(some.edges, ElementsAre("a>b", "d>e", "e>f"));
  EXPECT_THAT(some.places, ElementsAre("0/1 missing_field", "1/0 wrong_type", "1/1 wrong_type"));
  EXPECT_EQ(some.refused, "missing_field");
  EXPECT_EQ(some.detail, "3 of its 6 edges: element /l/0, edges[1]: target /x is missing or null");
  const Became all = records.Decode(R"({"l":[{},{}]})");
  EXPECT_THAT(all.edges, IsEmpty());
  EXPECT_EQ(all.places.size(), 4u);
}

TEST(EdgesOfRecordTest, ARecordThatIsSentAgainGivesOnlyTheEdgesThatWereNotUsed) {
  JsonMapping mapping = EachOf("/l", "$record/s", "/t");
  mapping.more_edges = {Edge("/t", "/x")};
  Records records(Format(mapping));
  const std::string record = R"({"s":"s","l":[{"t":"a"},{"t":"b","x":"c"},{"x":"d"}]})";
  EXPECT_THAT(records.DecodeAgain("1/0", record).edges, ElementsAre("s>b"));
  EXPECT_THAT(records.DecodeAgain("0/0,1/1", record).edges, ElementsAre("s>a", "b>c"));
  const Became still = records.DecodeAgain("1/1,2/0", record);
  EXPECT_THAT(still.edges, ElementsAre("b>c"));
  EXPECT_THAT(still.places, ElementsAre("2/0 missing_field"));
  EXPECT_THAT(records.DecodeAgain("7/0", record).edges, IsEmpty()) << "it has no such element";
  for (const char* const wrong : {"", "1", "1/", "1/0,", "1/0,0/0", "1/0,1/0", "x", "1/0 "}) {
    EXPECT_EQ(records.DecodeAgain(wrong, record).refused, "invalid_syntax") << wrong;
  }
}

TEST(EdgesOfRecordTest, ARecordOfMoreThan1000BadEdgesIsRefusedWhole) {
  Records records(Format(EachOf("", "", "")));
  const auto array = [](std::size_t bad) {
    std::string text = "[1";
    for (std::size_t i = 0; i < bad; ++i) text += ",1.5";
    return text + "]";
  };
  const Became some = records.Decode(array(1000));
  EXPECT_THAT(some.edges, ElementsAre("1>1"));
  EXPECT_EQ(some.places.size(), 1000u);
  const Became none = records.Decode(array(1001));
  EXPECT_THAT(none.edges, IsEmpty());
  EXPECT_THAT(none.places, IsEmpty());
  EXPECT_THAT(none.detail, StartsWith("more than 1000 of its edges are refused, so none is used"));
}

TEST(EdgesOfRecordTest, ElementsMayBeInAnEnvelopeOrInAString) {
  const std::string content = R"({"u":"a","l":[{"v":"b"},{"v":"c\n"},{"v":"d"}]})";
  JsonMapping mapping = EachOf("/l", "$record/u", "/v");
  mapping.unwrap = Unwrap::kConnect;
  Records connect(Format(mapping));
  EXPECT_THAT(connect.Decode(R"({"schema":{},"payload":)" + content + "}").edges,
              ElementsAre("a>b", "a>c\n", "a>d"));
  EXPECT_THAT(connect.Decode(R"({"payload":{"u":"e","l":[{"v":"f"}]}})").edges, ElementsAre("e>f"));
  EXPECT_EQ(connect.Decode(R"({"payload":{"u":"e"}})").refused, "missing_field");
  mapping.unwrap = Unwrap::kCloudEvents;
  Records event(Format(mapping));
  EXPECT_THAT(event.Decode(R"({"specversion":"1.0","data":)" + content + "}").edges,
              ElementsAre("a>b", "a>c\n", "a>d"));
  mapping.unwrap = Unwrap::kNone;
  mapping.text_at = "/m";
  Records text(Format(mapping));
  EXPECT_THAT(text.Decode(R"({"m":"{\"u\":\"a\",\"l\":[{\"v\":\"b\"},{\"v\":\"c\"}]}"})").edges,
              ElementsAre("a>b", "a>c"));
}

TEST(EdgesOfRecordTest, FieldsBesideTheValueAreThoseOfAllElements) {
  JsonMapping mapping = EachOf("/l", "$key", "/v");
  mapping.more_edges = {Edge("$topic", "$key")};
  Records records(Format(mapping));
  EXPECT_THAT(records.DecodeBehind("k", R"({"l":[{"v":"b"},{"v":"c"}]})").edges,
              ElementsAre("k>b", "orders>k", "k>c", "orders>k"));
  const Became wrong = records.DecodeBehind("\xFF", R"({"l":[{"v":"b"}]})");
  EXPECT_EQ(wrong.refused, "invalid_utf8");
  EXPECT_THAT(wrong.detail,
              StartsWith("2 of its 2 edges: element /l/0, edges[0]: source: the record key"));
}

// Another parser reads the same records: arrays of any elements, at any place, with members that
// come twice.
TEST(EdgesOfRecordTest, RandomRecordsGiveWhatAnotherParserReads) {
  JsonMapping mapping = EachOf("/l", "$record/u", "/v");
  Records records(Format(mapping));
  std::size_t decoded = 0;
  std::size_t edges = 0;
  const auto rounds = static_cast<unsigned>(testing::Rounds(20'000));
  for (unsigned seed = 1; seed <= rounds; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](int limit) { return std::uniform_int_distribution(0, limit)(random); };
    const auto blanks = [&] { return std::string(draw(5) == 0 ? " \n" : ""); };
    const auto element = [&]() -> std::string {
      switch (draw(19)) {
        case 0:
          return "null";
        case 1:
          return "[{\"v\":\"deep\"}]";
        case 2:
          return "{\"v\":[]}";
        case 3:
          return "{\"v\":\"first\",\"v\":\"last\"}";
        case 4:
          return "{\"x\":{\"v\":\"deep\"},\"v\":\"k\\u0041\\n\"}";
        default:
          return "{\"v\":\"k" + std::to_string(draw(99)) + "\"}";
      }
    };
    std::string record = "{" + blanks();
    for (int i = 1 + draw(2); i >= 0; --i) {
      const int what = draw(4);
      if (what == 0) record += R"("u":"user)" + std::to_string(draw(9)) + "\"";
      if (what == 1) record += R"("x":[{"v":"no"}])";
      if (what >= 2) {
        record += "\"l\":" + blanks() + "[";
        for (int k = draw(5); k > 0; --k) record += element() + blanks() + (k > 1 ? "," : "");
        record += "]";
      }
      record += i > 0 ? "," + blanks() : "";
    }
    record += "}";
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << record);
    const nlohmann::json parsed = nlohmann::json::parse(record);
    std::vector<std::string> expected;
    std::size_t bad = 0;
    for (std::size_t i = 0; parsed.contains("l") && i < parsed["l"].size(); ++i) {
      const nlohmann::json& each = parsed["l"][i];
      const bool is_fine =
          parsed.contains("u") && each.is_object() && each.contains("v") && each["v"].is_string();
      if (is_fine) {
        expected.push_back(parsed["u"].get<std::string>() + ">" + each["v"].get<std::string>());
      } else {
        ++bad;
      }
    }
    const Became became = records.Decode(record);
    ASSERT_EQ(became.refused.empty(), parsed.contains("l") && bad == 0) << became.detail;
    ASSERT_EQ(became.places.size(), bad);
    if (became.refused.empty() && expected.empty()) expected.push_back("~");
    ASSERT_EQ(became.edges, expected);
    if (expected.empty()) continue;
    ++decoded;
    edges += expected.size();
  }
  EXPECT_GT(decoded, rounds / 20);
  EXPECT_GT(edges, decoded);
}

}  // namespace
}  // namespace sash
