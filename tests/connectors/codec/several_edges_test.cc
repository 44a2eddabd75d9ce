// Records that give several edges: which of them are refused, sent again, or in an envelope.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/connectors/codec/absent_field.h"
#include "tests/connectors/codec/record_edges.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(EdgesOfRecordTest, WhatCannotBeMappedIsAnErrorAtTheStart) {
  const auto why = [](FormatSpec format) {
    const auto made = MakeDecoder(format);
    return made.ok() ? std::string("nothing") : made.error().message;
  };
  EXPECT_THAT(why(EdgesFormat(EachOf("/l", "/s", "$record/l/0/t"))),
              HasSubstr("each: another field leads into its elements (\"/l/0\")"));
  JsonMapping second = Edge("/a", "/b");
  second.more_edges = {Edge("/a", "b")};
  EXPECT_THAT(why(EdgesFormat(second)), HasSubstr("edges[1]: target"));
  FormatSpec tombstones = EdgesFormat(EachOf("/l", "/s", "/t"));
  tombstones.tombstone = TombstonePolicy::kRemove;
  EXPECT_THAT(why(tombstones),
              HasSubstr("tombstone is `remove`, which cannot be used with `each`"));
  JsonMapping many = Edge("/0", "/1");
  for (int i = 2; i < 70; ++i) {
    many.more_edges.push_back(Edge("/0", "/" + std::to_string(i)));
  }
  EXPECT_THAT(why(EdgesFormat(many)), HasSubstr("names more than 58 different fields"));
  FormatSpec timeless = EdgesFormat(second);
  timeless.time_origin = TimeOrigin::kField;
  EXPECT_THAT(why(timeless), HasSubstr("none is mapped to it"));
}

TEST(EdgesOfRecordTest, OfARecordOnlyTheBadEdgesAreRefused) {
  JsonMapping mapping = EachOf("/l", "/s", "/t");
  mapping.more_edges = {Edge("/t", "/x")};
  RecordEdges records(EdgesFormat(mapping));
  const Became some = records.Decode(
      R"({"l":[{"s":"a","t":"b"},{"s":"c","t":5.5,"x":"y"},{"s":"d","t":"e","x":"f"}]})");
  EXPECT_THAT(some.edges, ElementsAre("a>b", "d>e", "e>f"));
  EXPECT_THAT(some.places, ElementsAre("0/1 missing_field", "1/0 wrong_type", "1/1 wrong_type"));
  EXPECT_EQ(some.refused, "missing_field");
  EXPECT_EQ(some.detail,
            "3 of its 6 edges: element /l/0, edges[1]: target /x is missing or null" + kAbsent);
  const Became all = records.Decode(R"({"l":[{},{}]})");
  EXPECT_THAT(all.edges, IsEmpty());
  EXPECT_EQ(all.places.size(), 4u);
}

TEST(EdgesOfRecordTest, ARecordThatIsSentAgainGivesOnlyTheEdgesThatWereNotUsed) {
  JsonMapping mapping = EachOf("/l", "$record/s", "/t");
  mapping.more_edges = {Edge("/t", "/x")};
  RecordEdges records(EdgesFormat(mapping));
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
  RecordEdges records(EdgesFormat(EachOf("", "", "")));
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

TEST(EdgesOfRecordTest, AFilterMayTellObjectsFromARecordThatIsTheArray) {
  FormatSpec format = EdgesFormat(EachOf("", "/s", "/t"));
  format.where = "!has(/data) && !has(/list/0)";
  RecordEdges records(format);
  EXPECT_THAT(records.Decode(R"([{"s":"a","t":"b"},{"s":"c","t":"d","data":1}])").edges,
              ElementsAre("a>b", "c>d"));
  EXPECT_THAT(records.Decode(R"({"data":[{"s":"a","t":"b"}]})").edges, ElementsAre("~"));
  EXPECT_THAT(records.Decode(R"({"list":[{"s":"a","t":"b"}]})").edges, ElementsAre("~"));
  EXPECT_EQ(records.Decode(R"({"s":"a","t":"b"})").refused, "wrong_type");
}

TEST(EdgesOfRecordTest, ElementsMayBeInAnEnvelopeOrInAString) {
  const std::string content = R"({"u":"a","l":[{"v":"b"},{"v":"c\n"},{"v":"d"}]})";
  JsonMapping mapping = EachOf("/l", "$record/u", "/v");
  mapping.unwrap = Unwrap::kConnect;
  RecordEdges connect(EdgesFormat(mapping));
  EXPECT_THAT(connect.Decode(R"({"schema":{},"payload":)" + content + "}").edges,
              ElementsAre("a>b", "a>c\n", "a>d"));
  EXPECT_THAT(connect.Decode(R"({"payload":{"u":"e","l":[{"v":"f"}]}})").edges, ElementsAre("e>f"));
  EXPECT_EQ(connect.Decode(R"({"payload":{"u":"e"}})").refused, "missing_field");
  mapping.unwrap = Unwrap::kCloudEvents;
  RecordEdges event(EdgesFormat(mapping));
  EXPECT_THAT(event.Decode(R"({"specversion":"1.0","data":)" + content + "}").edges,
              ElementsAre("a>b", "a>c\n", "a>d"));
  mapping.unwrap = Unwrap::kNone;
  mapping.text_at = "/m";
  RecordEdges text(EdgesFormat(mapping));
  EXPECT_THAT(text.Decode(R"({"m":"{\"u\":\"a\",\"l\":[{\"v\":\"b\"},{\"v\":\"c\"}]}"})").edges,
              ElementsAre("a>b", "a>c"));
}

TEST(EdgesOfRecordTest, FieldsBesideTheValueAreThoseOfAllElements) {
  JsonMapping mapping = EachOf("/l", "$key", "/v");
  mapping.more_edges = {Edge("$topic", "$key")};
  RecordEdges records(EdgesFormat(mapping));
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
  RecordEdges records(EdgesFormat(mapping));
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
