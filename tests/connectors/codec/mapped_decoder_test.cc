// Records that go through several mappings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/line_judge.h"
#include "connectors/codec/mapping_text.h"
#include "tests/connectors/codec/decoding.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

JsonMapping Pair(std::string source, std::string target) {
  JsonMapping mapping;
  mapping.source = std::move(source);
  mapping.target = std::move(target);
  return mapping;
}

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
  FormatSpec paid = OneMapping("paid", Pair("/from", "/to"));
  paid.where = "/type == \"paid\"";
  JsonMapping devices = Pair("$record/from", "");
  devices.each = "/devices";
  return Several({paid, OneMapping("device", devices)});
}

struct Outcome {
  std::vector<std::string> edges{};   // "paid:a>b"; "~" if it is filtered
  std::vector<std::string> places{};  // "device:1/0 wrong_type"
  std::string refused{};
  std::string detail{};
};

class Mappings {
 public:
  explicit Mappings(const FormatSpec& format, std::string_view header = {}) : keys_(format.keys) {
    auto made = MakeDecoder(format, header);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    if (made.ok()) decoder_ = std::move(made).value();
  }

  Outcome Decode(std::string_view record) { return Take(record, false); }
  Outcome DecodeAgain(std::string_view places, std::string_view record) {
    const RecordHeader header{"sash.places", places};
    envelope_.headers = {&header, 1};
    Outcome outcome = Take(record, false);
    envelope_.headers = {};
    return outcome;
  }
  Outcome DecodeTombstone(std::string_view key) { return Take(key, true); }
  void SetTopic(std::string_view topic) { envelope_.topic = topic; }

  // "paid 2/1/0": accepted, filtered and refused.
  std::vector<std::string> Counts() const {
    std::vector<std::string> texts;
    for (const MappingCount& count : decoder_->mapping_counts()) {
      texts.push_back(count.mapping + " " + std::to_string(count.accepted) + "/" +
                      std::to_string(count.filtered) + "/" + std::to_string(count.refused));
    }
    return texts;
  }
  Decoder& decoder() { return *decoder_; }

 private:
  Outcome Take(std::string_view record, bool tombstone) {
    const RecordPlace place{.partition = 3,
                            .offset = ++offset_,
                            .time = EventTime(std::chrono::seconds(offset_)),
                            .envelope = &envelope_};
    const std::size_t first = batch_.events().size();
    auto refused = tombstone ? decoder_->DecodeTombstone(record, place, batch_)
                             : decoder_->Decode(record, place, batch_);
    Outcome outcome;
    if (refused) {
      outcome.refused = Name(refused->reason);
      outcome.detail = refused->detail;
      for (const RefusedPlace& each : refused->places) {
        const MappedPlace place_of = each.mapped();
        outcome.places.push_back(MappedPlacesText({&place_of, 1}) + " " +
                                 std::string(Name(each.reason)));
      }
    }
    for (std::size_t i = first; i < batch_.events().size(); ++i) {
      const EdgeEvent& event = batch_.events()[i];
      EXPECT_EQ(event.further, i > first);
      EXPECT_EQ(event.offset, offset_);
      if (event.filtered) {
        outcome.edges.emplace_back("~");
        continue;
      }
      EXPECT_EQ(decoder_->mapping_counts()[event.mapping].mapping, decoder_->MappingOf(i - first));
      EXPECT_EQ(batch_.Text(event.payload), record);
      EXPECT_EQ(event.payload.begin, batch_.events()[first].payload.begin) << "stored once";
      outcome.edges.push_back(std::string(decoder_->MappingOf(i - first)) +
                              (event.operation == Operation::kRemove ? ":-" : ":") +
                              KeyText(event.source, keys_, batch_) + ">" +
                              KeyText(event.target, keys_, batch_));
    }
    return outcome;
  }

  const KeyKind keys_;
  std::unique_ptr<Decoder> decoder_;
  EventBatch batch_;
  RecordEnvelope envelope_{.topic = "orders"};
  std::int64_t offset_ = 0;
};

TEST(MappedDecoderTest, EdgesOfOneRecordAreInTheOrderOfTheMappings) {
  Mappings records(PaidAndDevice());
  const auto outcome =
      records.Decode(R"({"type": "paid", "from": "a", "to": "b", "devices": ["x", "y"]})");
  EXPECT_THAT(outcome.edges, ElementsAre("paid:a>b", "device:a>x", "device:a>y"));
  EXPECT_EQ(outcome.refused, "");
  // Keys with escapes are stored behind the payload, which later mappings share.
  const auto escaped =
      records.Decode(R"({"type": "paid", "from": "a\n", "to": "\u0062", "devices": ["\t", "y"]})");
  EXPECT_THAT(escaped.edges, ElementsAre("paid:a\n>b", "device:a\n>\t", "device:a\n>y"));
  EXPECT_THAT(records.Counts(), ElementsAre("paid 2/0/0", "device 4/0/0"));
}

TEST(MappedDecoderTest, EachMappingFiltersForItself) {
  Mappings records(PaidAndDevice());
  EXPECT_THAT(records.Decode(R"({"type": "free", "from": "a", "devices": ["x"]})").edges,
              ElementsAre("device:a>x"));
  EXPECT_THAT(records.Decode(R"({"type": "free", "from": "a", "devices": []})").edges,
              ElementsAre("~"));
  EXPECT_THAT(records.Counts(), ElementsAre("paid 0/2/0", "device 1/1/0"));
}

TEST(MappedDecoderTest, EachMappingRefusesForItself) {
  Mappings records(PaidAndDevice());
  const auto some = records.Decode(R"({"type": "paid", "from": "a", "devices": ["x", 1.5, "z"]})");
  EXPECT_THAT(some.edges, ElementsAre("device:a>x", "device:a>z"));
  EXPECT_THAT(some.places, ElementsAre("paid missing_field", "device:1/0 wrong_type"));
  EXPECT_EQ(some.refused, "missing_field");
  EXPECT_THAT(some.detail, HasSubstr("mapping paid: target /to is missing"));
  EXPECT_THAT(some.detail, HasSubstr("; mapping device: 1 of its 3 edges"));
  const auto none = records.Decode("not JSON");
  EXPECT_THAT(none.edges, IsEmpty());
  EXPECT_THAT(none.places, ElementsAre("paid invalid_syntax", "device invalid_syntax"));
  EXPECT_THAT(records.Counts(), ElementsAre("paid 0/0/2", "device 2/0/2"));
}

TEST(MappedDecoderTest, OnlyTheWantedPlacesAreTakenAgain) {
  Mappings records(PaidAndDevice());
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

TEST(MappedDecoderTest, AMappingTakesItsTopicsOnly) {
  CsvMapping rows;
  rows.source = 1u;
  rows.target = 2u;
  Mappings records(Several({OneMapping("logins", rows, {"logins"}),
                            OneMapping("orders", Pair("/a", "/b"), {"orders", "logins"})}));
  EXPECT_THAT(records.Decode(R"({"a": "1", "b": "2"})").edges, ElementsAre("orders:1>2"));
  records.SetTopic("logins");
  const auto row = records.Decode("u,v");
  EXPECT_THAT(row.edges, ElementsAre("logins:u>v"));
  EXPECT_THAT(row.places, ElementsAre("orders invalid_syntax"));
  EXPECT_TRUE(records.decoder().Takes("orders"));
  EXPECT_FALSE(records.decoder().Takes("other"));
}

TEST(MappedDecoderTest, ATombstoneGoesThroughAllMappings) {
  FormatSpec one = OneMapping("one", Pair("/a", "/b"));
  FormatSpec two = OneMapping("two", Pair("/b", "/c"));
  one.tombstone = two.tombstone = TombstonePolicy::kRemove;
  one.keys = two.keys = KeyKind::kInteger;
  Mappings records(Several({one, two}));
  EXPECT_THAT(records.DecodeTombstone(R"({"a": 1, "b": 2, "c": 3})").edges,
              ElementsAre("one:-1>2", "two:-2>3"));
}

TEST(MappedDecoderTest, ARecordGivesAtMost65536EdgesThroughAllMappingsTogether) {
  JsonMapping each = Pair("$record/s", "");
  each.each = "/t";
  Mappings records(Several({OneMapping("one", each), OneMapping("two", each)}));
  std::string list = "1";
  for (int i = 1; i < 32'768; ++i) list += ",1";
  EXPECT_EQ(records.Decode(R"({"s": "a", "t": [)" + list + "]}").edges.size(), 65'536u);
  const auto more = records.Decode(R"({"s": "a", "t": [)" + list + ",1]}");
  EXPECT_THAT(more.edges, IsEmpty());
  EXPECT_EQ(more.refused, "too_large");
  EXPECT_THAT(more.places, IsEmpty());
}

TEST(MappedDecoderTest, ALetterHasAtMost1000Places) {
  JsonMapping each = Pair("$record/s", "");
  each.each = "/t";
  Mappings records(Several({OneMapping("one", each), OneMapping("two", each)}));
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
  Mappings records(Several({OneMapping("payer", payer), OneMapping("shop", shop)}), "a,b,c,d");
  EXPECT_THAT(records.Decode("1,2,3,4").edges, ElementsAre("payer:1>2", "shop:1>3"));
  LineJudge* const judge = records.decoder().line_judge();
  ASSERT_NE(judge, nullptr);
  EXPECT_FALSE(judge->MayHoldLineBreak(2)) << "the second mapping reads it";
  EXPECT_TRUE(judge->MayHoldLineBreak(3));
  EXPECT_TRUE(judge->IsRow("1,2,3,4"));
  EXPECT_FALSE(judge->IsRow("1,2"));
}

TEST(MappedDecoderTest, OneMappingHasTheTextOfTheShortForm) {
  FormatSpec format = OneMapping("", Pair("/a", "/b"));
  format.where = "/x == 1";
  format.nulls = {"-"};
  FormatSpec named = format;
  named.name = "one";
  EXPECT_EQ(MappingText(Several({named})), MappingText(format));
  named.topics = {"t"};
  EXPECT_NE(MappingText(Several({named})), MappingText(format));
  FormatSpec other = named;
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
