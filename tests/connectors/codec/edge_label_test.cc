// The types and ids of edges, in every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/edge_id_text.h"
#include "tests/connectors/codec/absent_field.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FormatSpec TypedJson(JsonMapping mapping) {
  mapping.source = "/s";
  mapping.target = "/t";
  FormatSpec format;
  format.mapping = std::move(mapping);
  format.time_origin = TimeOrigin::kKafka;
  return format;
}

FormatSpec WithTypeField(std::string field) {
  JsonMapping mapping;
  mapping.type = std::move(field);
  return TypedJson(std::move(mapping));
}

// The types of the edges of records, in one batch.
class Typed {
 public:
  explicit Typed(const FormatSpec& format, std::string_view header = {}) {
    auto made = MakeDecoder(format, header);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    if (made.ok()) decoder_ = std::move(made).value();
  }

  // "a>b paid" for each edge, "~" for a filtered event, and the reason and detail of a refusal.
  std::vector<std::string> Take(std::string_view record, bool is_tombstone = false) {
    const std::size_t before = batch_.events().size();
    const RecordPlace place{.offset = 7, .time = EventTime(std::chrono::seconds(1))};
    const auto refused = is_tombstone ? decoder_->DecodeTombstone(record, place, batch_)
                                      : decoder_->Decode(record, place, batch_);
    std::vector<std::string> edges;
    for (std::size_t i = before; i < batch_.events().size(); ++i) {
      const EdgeEvent& event = batch_.events()[i];
      edges.push_back(event.filtered ? "~" : Written(event));
    }
    if (refused) edges.push_back(std::string(Name(refused->reason)) + ": " + refused->detail);
    return edges;
  }

  const EventBatch& batch() const { return batch_; }

 private:
  std::string Written(const EdgeEvent& event) const {
    std::string text(batch_.Text(event.source.text()));
    text += event.operation == Operation::kAdd ? '>' : '-';
    text += batch_.Text(event.target.text());
    text += ' ';
    return text += batch_.Text(batch_.TypeOf(event));
  }

  std::unique_ptr<Decoder> decoder_;
  EventBatch batch_;
};

TEST(EdgeTypeTest, AWordIsTheTypeOfEveryEdge) {
  JsonMapping mapping;
  mapping.type_word = "paid";
  mapping.operation = "/op";
  mapping.both_directions = true;
  FormatSpec format = TypedJson(mapping);
  format.tombstone = TombstonePolicy::kRemove;
  Typed typed(format);
  EXPECT_THAT(typed.Take(R"({"s":"a","t":"b"})"), ElementsAre("a>b paid", "b>a paid"));
  EXPECT_THAT(typed.Take(R"({"s":"a","t":"a","op":"remove"})"), ElementsAre("a-a paid"));
  EXPECT_THAT(typed.Take(R"({"s":"a","t":"c"})", true), ElementsAre("a-c paid", "c-a paid"));
}

TEST(EdgeTypeTest, AFieldIsTheTypeOfItsRecord) {
  FormatSpec format = WithTypeField("/kind");
  format.nulls = {"-"};
  format.where = "/s != 'left out'";
  Typed typed(format);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("paid")", "paid"}, {"7", "7"},   {"-0", "0"},   {R"("p\u00e4id")", "p\u00e4id"},
      {R"("")", ""},         {"null", ""}, {R"("-")", ""}};
  for (const auto& [json, type] : cases) {
    EXPECT_THAT(typed.Take(R"({"s":"a","t":"b","kind":)" + json + "}"), ElementsAre("a>b " + type));
  }
  EXPECT_THAT(typed.Take(R"({"s":"a","t":"b"})"), ElementsAre("a>b "));
  EXPECT_THAT(typed.Take(R"({"s":"left out","t":"b","kind":"paid"})"), ElementsAre("~"));
  EXPECT_THAT(typed.Take(R"({"s":"a","kind":"paid"})"),
              ElementsAre("missing_field: target /t is missing or null" + kAbsent));
  for (const char* json : {"true", "[1]", "{}", "7.0"}) {
    EXPECT_THAT(typed.Take(std::string(R"({"s":"a","t":"b","kind":)") + json + "}"),
                ElementsAre(HasSubstr("; types are strings or integers")));
  }
  const std::string longest(kMostTypeBytes, 'x');
  EXPECT_THAT(typed.Take(R"({"s":"a","t":"b","kind":")" + longest + "\"}"),
              ElementsAre("a>b " + longest));
  EXPECT_THAT(typed.Take(R"({"s":"a","t":"b","kind":")" + longest + "x\"}"),
              ElementsAre(::testing::AllOf(HasSubstr("wrong_type: type /kind: \"xxx"),
                                           HasSubstr("has 256 bytes; a type has at most 255"))));
}

TEST(EdgeTypeTest, PartsAreMadeAsThoseOfKeys) {
  JsonMapping mapping;
  mapping.type = "/kind";
  mapping.type_parts = {{{"/way"}, ":"}, {true, LetterCase::kLower, "t-"}};
  Typed typed(TypedJson(mapping));
  EXPECT_THAT(typed.Take(R"({"s":"a","t":"b","kind":" PAID ","way":3})"),
              ElementsAre("a>b t-paid:3"));
  EXPECT_THAT(typed.Take(R"({"s":"a","t":"b","kind":"paid"})"), ElementsAre("a>b "));
  EXPECT_THAT(typed.Take(R"({"s":"a","t":"b","kind":" ","way":3})"), ElementsAre("a>b "));
}

TEST(EdgeTypeTest, EachEdgeOfARecordHasItsOwn) {
  JsonMapping mapping;
  mapping.type = "/kind";
  mapping.each = "/items";
  FormatSpec elements = TypedJson(mapping);
  Typed typed(elements);
  EXPECT_THAT(
      typed.Take(R"({"items":[{"s":"a","t":"b","kind":"x"},{"s":"a","t":"c"},)"
                 R"({"s":"a","t":"d","kind":[]},{"s":"a","t":"e","kind":"y"}]})"),
      ElementsAre("a>b x", "a>c ", "a>e y", HasSubstr("element /items/2: type /kind is an array")));

  JsonMapping first;
  first.type_word = "paid";
  FormatSpec list = TypedJson(first);
  JsonMapping second;
  second.source = "/s";
  second.target = "/device";
  std::get<JsonMapping>(list.mapping).more_edges = {second};
  EXPECT_THAT(Typed(list).Take(R"({"s":"a","t":"b","device":"d"})"),
              ElementsAre("a>b paid", "a>d "));
}

TEST(EdgeTypeTest, TypesOfSeveralMappingsAreFoundInTheirBatch) {
  FormatSpec paid = WithTypeField("/kind");
  paid.name = "paid";
  JsonMapping constant;
  constant.type_word = "seen";
  FormatSpec seen = TypedJson(constant);
  seen.name = "seen";
  FormatSpec untyped = TypedJson({});
  untyped.name = "untyped";
  FormatSpec format = paid;
  format.mappings = {paid, untyped, seen};
  Typed typed(format);
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(typed.Take(R"({"s":"a","t":"b","kind":"x"})"),
                ElementsAre("a>b x", "a>b ", "a>b seen"));
  }
}

TEST(EdgeTypeTest, AColumnIsTheTypeOfItsRow) {
  CsvMapping mapping{.source = 1u, .target = 2u, .weight = {}, .time = {}, .operation = {}};
  mapping.type = 3u;
  FormatSpec format;
  format.mapping = mapping;
  format.time_origin = TimeOrigin::kKafka;
  format.nulls = {"-"};
  format.tombstone = TombstonePolicy::kRemove;
  Typed typed(format);
  EXPECT_THAT(typed.Take("a,b,\"pa\"\"id\""), ElementsAre("a>b pa\"id"));
  EXPECT_THAT(typed.Take("a,b,"), ElementsAre("a>b "));
  EXPECT_THAT(typed.Take("a,b,-"), ElementsAre("a>b "));
  EXPECT_THAT(typed.Take("a,b,c,d"), ElementsAre(HasSubstr("has 4 fields where 3 are expected")))
      << "the first row that is an edge says how many fields rows have";
  EXPECT_THAT(typed.Take("a,b", true), ElementsAre("a-b "));
  EXPECT_THAT(typed.Take("a,b,paid", true), ElementsAre("a-b paid"));

  mapping.source = EnvelopeName("$partition");
  mapping.target = EnvelopeName("$topic");
  format.mapping = mapping;
  auto made = MakeDecoder(format);
  ASSERT_TRUE(made.ok());
  EventBatch batch;
  const RecordEnvelope envelope{.topic = "t", .partition = 3};
  const RecordPlace place{.offset = 7, .time = {}, .envelope = &envelope};
  ASSERT_FALSE(made.value()->Decode("x,y,paid", place, batch));
  ASSERT_FALSE(made.value()->DecodeTombstone("any key", place, batch));
  EXPECT_EQ(batch.Text(batch.TypeOf(batch.events()[0])), "paid");
  EXPECT_EQ(batch.Text(batch.TypeOf(batch.events()[1])), "") << "it is not in the record";
}

TEST(EdgeTypeTest, TheRowBeforeAChangeMustHaveIts) {
  FormatSpec format = WithTypeField("/kind");
  std::get<JsonMapping>(format.mapping).unwrap = Unwrap::kDebezium;
  Typed typed(format);
  EXPECT_THAT(typed.Take(R"({"op":"u","before":{"s":"a","t":"b","kind":"x"},)"
                         R"("after":{"s":"a","t":"b"}})"),
              ElementsAre("a-b x", "a>b "));
  EXPECT_THAT(typed.Take(R"({"op":"d","before":{"s":"a","t":"b","kind":null},"after":null})"),
              ElementsAre(::testing::AllOf(
                  HasSubstr("type /kind is missing or null in before of the delete, so the edge"),
                  HasSubstr("REPLICA IDENTITY FULL"))));
}

FormatSpec WithId(std::string field) {
  JsonMapping mapping;
  mapping.id = std::move(field);
  return TypedJson(std::move(mapping));
}

// The ids of the edges of a record.
std::vector<EdgeId> IdsOf(const FormatSpec& format, std::string_view record) {
  Typed typed(format);
  typed.Take(record);
  std::vector<EdgeId> ids;
  for (const EdgeEvent& event : typed.batch().events()) ids.push_back(typed.batch().IdOf(event));
  return ids;
}

EdgeId IdOf(const FormatSpec& format, std::string_view record) {
  const std::vector<EdgeId> ids = IdsOf(format, record);
  EXPECT_EQ(ids.size(), 1u) << record;
  return ids.empty() ? EdgeId() : ids[0];
}

TEST(EdgeIdTest, EqualTextsAreEqualIds) {
  const FormatSpec format = WithId("/id");
  const EdgeId seven = IdOf(format, R"({"s":"a","t":"b","id":7})");
  EXPECT_TRUE(seven.is_set());
  EXPECT_EQ(IdOf(format, R"({"id":"7","t":"x","s":"y"})"), seven);
  EXPECT_EQ(IdOf(format, R"({"id":"\u0037","t":"x","s":"y"})"), seven);
  for (const char* other : {"7.0", "\"07\"", "-7", "\" 7\"", "8"}) {
    const EdgeId id = IdOf(format, R"({"s":"a","t":"b","id":)" + std::string(other) + "}");
    EXPECT_TRUE(id.is_set());
    EXPECT_FALSE(id == seven) << other;
  }
  // The ids are in checkpoints, so they must stay what they are.
  EXPECT_EQ(seven.high, EdgeIdOf("7", 0).high);
}

TEST(EdgeIdTest, WithoutAValueThereIsNoId) {
  FormatSpec format = WithId("/id");
  format.nulls = {"-"};
  for (const char* record : {R"({"s":"a","t":"b"})", R"({"s":"a","t":"b","id":null})",
                             R"({"s":"a","t":"b","id":""})", R"({"s":"a","t":"b","id":"-"})"}) {
    EXPECT_FALSE(IdOf(format, record).is_set()) << record;
  }
  EXPECT_THAT(Typed(format).Take(R"({"s":"a","t":"b","id":[7]})"),
              ElementsAre("wrong_type: id /id is an array; ids are strings or numbers"));
  std::get<JsonMapping>(format.mapping).id_parts = {{{"/s"}, ":"}, {}};
  EXPECT_TRUE(IdOf(format, R"({"s":"a","t":"b","id":7})").is_set());
  EXPECT_FALSE(IdOf(format, R"({"s":"a","t":"b"})").is_set()) << "a part is absent";
}

TEST(EdgeIdTest, AnIdBelongsToOneEntryOfOneMapping) {
  FormatSpec format = WithId("/id");
  auto& mapping = std::get<JsonMapping>(format.mapping);
  mapping.both_directions = true;
  mapping.more_edges = {mapping};
  format.name = "a";
  FormatSpec several = format;
  several.mappings = {format, format};
  several.mappings[1].name = "b";
  const std::vector<EdgeId> ids = IdsOf(several, R"({"s":"a","t":"b","id":7})");
  ASSERT_EQ(ids.size(), 8u);
  for (std::size_t i = 0; i < ids.size(); i += 2) {
    EXPECT_EQ(ids[i], ids[i + 1]) << "both directions";
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(ids[i] == ids[j]) << i << " and " << j;
  }
  const std::vector<EdgeId> alone = IdsOf(format, R"({"s":"a","t":"b","id":7})");
  EXPECT_EQ(alone[0], ids[0]) << "of one form of the mapping or of the other";
}

TEST(EdgeIdTest, AColumnIsAnIdToo) {
  CsvMapping mapping{.source = 1u, .target = 2u, .weight = {}, .time = {}, .operation = {}};
  mapping.id = 3u;
  FormatSpec format;
  format.mapping = mapping;
  format.time_origin = TimeOrigin::kKafka;
  EXPECT_EQ(IdOf(format, "a,b,7"), EdgeIdOf("7", 0));
  EXPECT_FALSE(IdOf(format, "a,b,").is_set());
}

TEST(EdgeTypeTest, AnEdgeWithoutATypeTakesNoRoom) {
  Typed typed(TypedJson({}));
  typed.Take(R"({"s":"a","t":"b"})");
  EXPECT_EQ(typed.batch().bytes(), sizeof(EdgeEvent) + std::string(R"({"s":"a","t":"b"})").size());
}

}  // namespace
}  // namespace sash
