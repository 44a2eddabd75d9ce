// Records that go through several mappings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/line_judge.h"
#include "connectors/codec/mapping_text.h"
#include "tests/connectors/codec/record_edges.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FormatSpec OneMapping(std::string name, std::variant<JsonMapping, CsvMapping> mapping,
                      std::vector<std::string> topics = {}) {
  FormatSpec format;
  format.mapping = std::move(mapping);
  format.time_origin = TimeOrigin::kKafka;
  format.name = std::move(name);
  format.topics = std::move(topics);
  return format;
}

FormatSpec Several(std::vector<FormatSpec> mappings) {
  FormatSpec format;
  format.mapping = mappings.front().mapping;
  format.keys = mappings.front().keys;
  format.time_origin = mappings.front().time_origin;
  format.mappings = std::move(mappings);
  return format;
}

// `paid`: /from > /to of the records that have an amount. `device`: /from > an element of /devices.
FormatSpec PaidAndDevice() {
  FormatSpec paid = OneMapping("paid", Edge("/from", "/to"));
  paid.where = "/type == \"paid\"";
  JsonMapping devices = Edge("$record/from", "");
  devices.each = "/devices";
  return Several({paid, OneMapping("device", devices)});
}

TEST(MappedDecoderTest, EdgesOfOneRecordAreInTheOrderOfTheMappings) {
  RecordEdges records(PaidAndDevice());
  const auto outcome =
      records.Decode(R"({"type": "paid", "from": "a", "to": "b", "devices": ["x", "y"]})");
  EXPECT_THAT(outcome.edges, ElementsAre("paid:a>b", "device:a>x", "device:a>y"));
  EXPECT_EQ(outcome.refused, "");
  // Keys with escapes are stored behind the payload, which later mappings share.
  const auto escaped =
      records.Decode(R"({"type": "paid", "from": "a\n", "to": "\u0062", "devices": ["\t", "y"]})");
  EXPECT_THAT(escaped.edges, ElementsAre("paid:a\n>b", "device:a\n>\t", "device:a\n>y"));
  EXPECT_THAT(records.MappingCounts(), ElementsAre("paid 2/0/0", "device 4/0/0"));
}

TEST(MappedDecoderTest, EachMappingFiltersForItself) {
  RecordEdges records(PaidAndDevice());
  EXPECT_THAT(records.Decode(R"({"type": "free", "from": "a", "devices": ["x"]})").edges,
              ElementsAre("device:a>x"));
  EXPECT_THAT(records.Decode(R"({"type": "free", "from": "a", "devices": []})").edges,
              ElementsAre("~"));
  EXPECT_THAT(records.MappingCounts(), ElementsAre("paid 0/2/0", "device 1/1/0"));
}

TEST(MappedDecoderTest, EachMappingRefusesForItself) {
  RecordEdges records(PaidAndDevice());
  const auto some = records.Decode(R"({"type": "paid", "from": "a", "devices": ["x", 1.5, "z"]})");
  EXPECT_THAT(some.edges, ElementsAre("device:a>x", "device:a>z"));
  EXPECT_THAT(some.places, ElementsAre("paid missing_field", "device:1/0 wrong_type"));
  EXPECT_EQ(some.refused, "missing_field");
  EXPECT_THAT(some.detail, HasSubstr("mapping paid: target /to is missing"));
  EXPECT_THAT(some.detail, HasSubstr("; mapping device: 1 of its 3 edges"));
  const auto none = records.Decode("not JSON");
  EXPECT_THAT(none.edges, IsEmpty());
  EXPECT_THAT(none.places, ElementsAre("paid invalid_syntax", "device invalid_syntax"));
  EXPECT_THAT(records.MappingCounts(), ElementsAre("paid 0/0/2", "device 2/0/2"));
}

TEST(MappedDecoderTest, OnlyTheWantedPlacesAreTakenAgain) {
  RecordEdges records(PaidAndDevice());
  constexpr std::string_view kRecord =
      R"({"type": "paid", "from": "a", "to": "b", "devices": ["x", "y", "z"]})";
  EXPECT_THAT(records.DecodeAgain("paid,device:1/0", kRecord).edges,
              ElementsAre("paid:a>b", "device:a>y"));
  EXPECT_THAT(records.DecodeAgain("device", kRecord).edges,
              ElementsAre("device:a>x", "device:a>y", "device:a>z"));
  EXPECT_THAT(records.DecodeAgain("device:0/0,device:2/0", kRecord).edges,
              ElementsAre("device:a>x", "device:a>z"));
  const auto unknown = records.DecodeAgain("paid,gone", kRecord);
  EXPECT_THAT(unknown.edges, IsEmpty());
  EXPECT_THAT(unknown.detail, HasSubstr("no mapping gone takes records of this topic"));
  EXPECT_THAT(records.DecodeAgain("0/0", kRecord).detail, HasSubstr("must name mappings"));
  EXPECT_EQ(records.DecodeAgain("paid:x", kRecord).refused, "invalid_syntax");
}

// So a letter about an edge that comes late names what is wanted of the record.
TEST(MappedDecoderTest, ThePlaceOfAnEdgeGivesThisEdgeAgain) {
  FormatSpec format = PaidAndDevice();
  JsonMapping lines = Edge("/from", "/to");
  lines.lines = true;
  lines.more_edges = {Edge("/to", "/from")};
  format.mappings.push_back(OneMapping("line", lines));
  format.mappings.push_back(OneMapping("both", Edge("/from", "/type")));
  std::get<JsonMapping>(format.mappings.back().mapping).both_directions = true;
  RecordEdges records(format);
  constexpr std::string_view kRecord =
      R"({"type": "paid", "from": "a", "to": "b", "devices": [1.5, "y", "z"]})";
  const Became all = records.Decode(kRecord);
  EXPECT_THAT(all.at, ElementsAre("paid", "device:1/0", "device:2/0", "line:0/0", "line:0/1",
                                  "both", "both"));
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_THAT(records.DecodeAgain(all.at[i], kRecord).edges, ElementsAre(all.edges[i]));
  }
  EXPECT_THAT(records.DecodeAgain("both", kRecord).edges,
              ElementsAre("both:a>paid", "both:paid>a"));
  RecordEdges one(EdgesFormat(Edge("/from", "/to")));
  EXPECT_THAT(one.Decode(kRecord).at, ElementsAre(""));
}

TEST(MappedDecoderTest, AMappingTakesItsTopicsOnly) {
  CsvMapping rows;
  rows.source = 1u;
  rows.target = 2u;
  RecordEdges records(Several({OneMapping("logins", rows, {"logins"}),
                               OneMapping("orders", Edge("/a", "/b"), {"orders", "logins"})}));
  EXPECT_THAT(records.Decode(R"({"a": "1", "b": "2"})").edges, ElementsAre("orders:1>2"));
  records.SetTopic("logins");
  const auto row = records.Decode("u,v");
  EXPECT_THAT(row.edges, ElementsAre("logins:u>v"));
  EXPECT_THAT(row.places, ElementsAre("orders invalid_syntax"));
  EXPECT_TRUE(records.decoder().UseOf("orders").is_taken);
  EXPECT_FALSE(records.decoder().UseOf("other").is_taken);
}

TEST(MappedDecoderTest, APatternTakesTheTopicsThatMatch) {
  FormatSpec format = Several({OneMapping("pay", Edge("/a", "/b")),
                               OneMapping("login", Edge("/b", "/a"), {"pay-x", "login"})});
  format.mappings[0].topic_pattern = "^pay-";
  RecordEdges records(format);
  constexpr const char* kRecord = R"({"a": "1", "b": "2"})";
  EXPECT_FALSE(records.decoder().UseOf("orders").is_taken);
  for (int round = 0; round < 2; ++round) {
    records.SetTopic("pay-y");
    EXPECT_THAT(records.Decode(kRecord).edges, ElementsAre("pay:1>2"));
    records.SetTopic("login");
    EXPECT_THAT(records.Decode(kRecord).edges, ElementsAre("login:2>1"));
    records.SetTopic("pay-x");
    EXPECT_THAT(records.Decode(kRecord).edges, ElementsAre("pay:1>2", "login:2>1"));
  }
  EXPECT_FALSE(records.decoder().UseOf("re-pay-y").is_taken);
  format.mappings[0].topic_pattern = "[";
  EXPECT_THAT(MakeDecoder(format).error().message, HasSubstr("missing ]"));
}

TEST(MappedDecoderTest, EachMappingReadsAvroByItsOwnFields) {
  constexpr const char* kSchema = R"({"type":"record","name":"Call","fields":[
      {"name":"a","type":"string"},{"name":"b","type":"string"},{"name":"c","type":"string"}]})";
  const auto in_avro = [&](JsonMapping edge) {
    edge.avro = AvroSpec{.path = "call.avsc", .text = kSchema};
    return edge;
  };
  FormatSpec format = Several({OneMapping("calls", in_avro(Edge("/a", "/b")), {"calls"}),
                               OneMapping("cells", in_avro(Edge("/a", "/c")), {"calls"}),
                               OneMapping("text", Edge("/a", "/b"), {"text"})});
  RecordEdges records(format);
  records.SetTopic("calls");
  EXPECT_THAT(records.Decode("\x02x\x02y\x02z").edges, ElementsAre("calls:x>y", "cells:x>z"));
  EXPECT_THAT(records.Decode("\x02x").places,
              ElementsAre("calls invalid_syntax", "cells invalid_syntax"));
  EXPECT_TRUE(records.decoder().UseOf("calls").is_binary);
  EXPECT_FALSE(records.decoder().UseOf("text").is_binary);
  EXPECT_FALSE(records.decoder().UseOf("calls").has_schemas);
  format.mappings[1].registry = RegistrySpec{.url = "http://registry"};
  EXPECT_TRUE(RecordEdges(format).decoder().UseOf("calls").has_schemas);
}

TEST(MappedDecoderTest, ATombstoneGoesThroughAllMappings) {
  FormatSpec one = OneMapping("one", Edge("/a", "/b"));
  FormatSpec two = OneMapping("two", Edge("/b", "/c"));
  one.tombstone = two.tombstone = TombstonePolicy::kRemove;
  one.keys = two.keys = KeyKind::kInteger;
  RecordEdges records(Several({one, two}));
  EXPECT_THAT(records.DecodeTombstone(R"({"a": 1, "b": 2, "c": 3})").edges,
              ElementsAre("one:-1>2", "two:-2>3"));
}

TEST(MappedDecoderTest, ARecordGivesAtMost65536EdgesThroughAllMappingsTogether) {
  JsonMapping each = Edge("$record/s", "");
  each.each = "/t";
  RecordEdges records(Several({OneMapping("one", each), OneMapping("two", each)}));
  std::string list = "1";
  for (int i = 1; i < 32'768; ++i) list += ",1";
  EXPECT_EQ(records.Decode(R"({"s": "a", "t": [)" + list + "]}").edges.size(), 65'536u);
  const auto more = records.Decode(R"({"s": "a", "t": [)" + list + ",1]}");
  EXPECT_THAT(more.edges, IsEmpty());
  EXPECT_EQ(more.refused, "too_large");
  EXPECT_THAT(more.places, IsEmpty());
}

TEST(MappedDecoderTest, ALetterHasAtMost1000Places) {
  JsonMapping each = Edge("$record/s", "");
  each.each = "/t";
  RecordEdges records(Several({OneMapping("one", each), OneMapping("two", each)}));
  std::string list = "1.5";
  for (int i = 1; i < 600; ++i) list += ",1.5";
  const auto outcome = records.Decode(R"({"s": "a", "t": [1,)" + list + "]}");
  EXPECT_THAT(outcome.edges, ElementsAre("one:a>1"));
  ASSERT_EQ(outcome.places.size(), 601u);
  EXPECT_EQ(outcome.places.back(), "two wrong_type");
}

TEST(MappedDecoderTest, RowsOfFilesShareAHeaderAndAJudge) {
  CsvMapping payer;
  payer.source = std::string("a");
  payer.target = std::string("b");
  CsvMapping shop = payer;
  shop.target = std::string("c");
  RecordEdges records(Several({OneMapping("payer", payer), OneMapping("shop", shop)}), "a,b,c,d");
  EXPECT_THAT(records.Decode("1,2,3,4").edges, ElementsAre("payer:1>2", "shop:1>3"));
  LineJudge* const judge = records.decoder().line_judge();
  ASSERT_NE(judge, nullptr);
  EXPECT_FALSE(judge->MayHoldLineBreak(2)) << "the second mapping reads it";
  EXPECT_TRUE(judge->MayHoldLineBreak(3));
  EXPECT_TRUE(judge->IsRow("1,2,3,4"));
  EXPECT_FALSE(judge->IsRow("1,2"));
}

TEST(MappedDecoderTest, OneMappingHasTheTextOfTheShortForm) {
  FormatSpec format = OneMapping("", Edge("/a", "/b"));
  format.where = "/x == 1";
  format.nulls = {"-"};
  FormatSpec named = format;
  named.name = "one";
  EXPECT_EQ(MappingText(Several({named})), MappingText(format));
  named.topics = {"t"};
  EXPECT_NE(MappingText(Several({named})), MappingText(format));
  FormatSpec other = named;
  other.topics.clear();
  other.topic_pattern = "^t";
  EXPECT_NE(MappingText(Several({other})), MappingText(Several({named})));
  EXPECT_NE(MappingText(Several({other})), MappingText(format));
  other.topic_pattern.clear();
  other.topics = {"u"};
  EXPECT_EQ(
      MappingDifference(MappingText(Several({named, other})), MappingText(Several({named, named}))),
      R"(mappings[1].topics was "u" and is "t")");
}

TEST(MappedDecoderTest, EachEdgePassesTheFiltersOfWindowsThatItsRecordPasses) {
  FormatSpec format = PaidAndDevice();
  for (FormatSpec& mapping : format.mappings)
    mapping.window_filters = {"/amount > 5", "/amount < 9"};
  auto made = MakeDecoder(format, "");
  ASSERT_TRUE(made.ok()) << made.error().message;
  EventBatch batch;
  const RecordPlace place{.time = EventTime(std::chrono::seconds(1))};
  for (const char* record :
       {R"({"type": "paid", "from": "a", "to": "b", "amount": 3, "devices": ["x"]})",
        R"({"type": "", "from": "a", "to": "b", "amount": 9, "devices": ["x", "y"]})",
        R"({"type": "paid", "from": "a", "to": "b", "amount": 7, "devices": []})"}) {
    ASSERT_FALSE(made.value()->Decode(record, place, batch));
  }
  std::vector<FilterBits> passes;
  for (const EdgeEvent& event : batch.events()) passes.push_back(batch.PassesOf(event) & 3);
  EXPECT_THAT(passes, ElementsAre(2u, 2u, 1u, 1u, 3u));
}

}  // namespace
}  // namespace sash
