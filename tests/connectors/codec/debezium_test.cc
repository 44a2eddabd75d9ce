// Change events of Debezium (source.format.json.unwrap: debezium).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/mapping_rules.h"
#include "tests/connectors/codec/absent_field.h"
#include "tests/connectors/codec/decoding.h"

namespace sash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FormatSpec RowFormat() {
  FormatSpec format;
  JsonMapping mapping{.source = "/from",
                      .target = "/to/id",
                      .weight = "/amount",
                      .time = "$record/ts_ms",
                      .operation = {}};
  mapping.unwrap = Unwrap::kDebezium;
  format.mapping = std::move(mapping);
  return format;
}

// Decodes change events, which are written with and without the schemas of JsonConverter.
class Changes {
 public:
  explicit Changes(const FormatSpec& format, bool has_schema = false) : has_schema_(has_schema) {
    auto made = MakeDecoder(format);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    if (made.ok()) decoder_ = std::move(made).value();
  }

  // "+a>b 2 @17" (added, its weight, its time in ms), "-a>b @17", "~ @17" (filtered); or the reason
  // and the detail of the refusal.
  std::vector<std::string> Take(const std::string& event) {
    const std::string record =
        has_schema_ ? R"({"schema":{"op":"no","before":1},"payload":)" + event + "}" : event;
    const std::size_t first = batch_.events().size();
    const std::size_t bytes = batch_.bytes();
    const auto refused =
        decoder_->Decode(record, {.partition = 3, .offset = offset_++, .time = {}}, batch_);
    if (refused) {
      EXPECT_EQ(batch_.bytes(), bytes) << "a refused record left something in the batch";
      EXPECT_EQ(batch_.events().size(), first);
      return {std::string(Name(refused->reason)) + ": " + refused->detail};
    }
    std::vector<std::string> edges;
    for (std::size_t i = first; i < batch_.events().size(); ++i) {
      const EdgeEvent& made = batch_.events()[i];
      EXPECT_EQ(made.further, i > first);
      if (!made.filtered) {
        EXPECT_EQ(batch_.Text(made.payload), record);
      }
      edges.push_back(Written(made));
    }
    return edges;
  }

  DecodeCounts counts() const { return decoder_->counts(); }

 private:
  std::string Written(const EdgeEvent& edge) const {
    const auto time =
        std::chrono::floor<std::chrono::milliseconds>(edge.time).time_since_epoch().count();
    const std::string at = " @" + std::to_string(time);
    if (edge.filtered) return "~" + at;
    const bool adds = edge.operation == Operation::kAdd;
    EXPECT_TRUE(adds || edge.operation == Operation::kRemove);
    std::string text = adds ? "+" : "-";
    text += batch_.Text(edge.source.text());
    text += ">";
    text += batch_.Text(edge.target.text());
    if (adds) text += " " + std::to_string(edge.weight.integer());
    return text + at;
  }

  const bool has_schema_;
  std::unique_ptr<Decoder> decoder_;
  EventBatch batch_;
  std::int64_t offset_ = 40;
};

const std::string kOldRow = R"({"from":"a","to":{"id":7},"amount":1,"kind":"x"})";
const std::string kNewRow = R"({"from":"b","to":{"id":8},"amount":2,"kind":"y","op":"d"})";

std::string Event(const std::string& op, const std::string& before, const std::string& after,
                  int time = 17) {
  return R"({"before":)" + before + R"(,"after":)" + after +
         R"(,"source":{"table":"t","op":"x"},"ts_ms":)" + std::to_string(time) + R"(,"op":")" + op +
         "\"}";
}

class DebeziumTest : public ::testing::TestWithParam<bool> {
 protected:
  std::vector<std::string> Take(const std::string& event) { return changes_.Take(event); }

  Changes changes_{RowFormat(), GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Schemas, DebeziumTest, ::testing::Bool(),
                         [](const auto& param) { return param.param ? "With" : "Without"; });

TEST_P(DebeziumTest, RowsThatAreCreatedOrReadAreAdded) {
  for (const char* op : {"c", "r"}) {
    EXPECT_THAT(Take(Event(op, "null", kNewRow)), ElementsAre("+b>8 2 @17")) << op;
  }
}

TEST_P(DebeziumTest, AnUpdateRemovesTheRowBeforeAndAddsTheRowAfter) {
  EXPECT_THAT(Take(Event("u", kOldRow, kNewRow)), ElementsAre("-a>7 @17", "+b>8 2 @17"));
  EXPECT_THAT(Take(Event("u", kOldRow, kOldRow, 18)), ElementsAre("-a>7 @18", "+a>7 1 @18"));
}

TEST_P(DebeziumTest, ADeleteRemovesTheRowBefore) {
  EXPECT_THAT(Take(Event("d", kOldRow, "null")), ElementsAre("-a>7 @17"));
  EXPECT_THAT(Take(Event("d", R"({"from":"a","to":{"id":7}})", "null")), ElementsAre("-a>7 @17"))
      << "a removal needs no weight";
}

TEST_P(DebeziumTest, TruncationIsSkippedAndCounted) {
  EXPECT_THAT(Take(Event("t", "null", "null")), ElementsAre("~ @17"));
  EXPECT_EQ(changes_.counts().truncations, 1u);
  EXPECT_THAT(Take(R"({"op":"m","ts_ms":18,"message":{"prefix":"p","content":"aGk="}})"),
              ElementsAre("~ @18"));
  EXPECT_EQ(changes_.counts().truncations, 1u) << "a message is not a truncation";
  EXPECT_THAT(Take(R"({"op":"t"})"), IsEmpty()) << "its time cannot be read";
  EXPECT_EQ(changes_.counts().truncations, 2u);
}

TEST_P(DebeziumTest, WithoutTheWholeRowBeforeAChangeIsRefusedWhole) {
  // What PostgreSQL logs by default: no row for an update, and the primary key for a delete.
  for (const std::string& event :
       {Event("u", "null", kNewRow), R"({"ts_ms":17,"after":)" + kNewRow + R"(,"op":"u"})",
        Event("u", R"({"from":"a"})", kNewRow), Event("d", "null", "null"),
        Event("d", R"({"id":1,"from":"a","to":{"id":null}})", "null")}) {
    const auto refused = Take(event);
    ASSERT_EQ(refused.size(), 1u) << event;
    EXPECT_THAT(refused[0], HasSubstr("missing_field: "));
    EXPECT_THAT(refused[0], HasSubstr("REPLICA IDENTITY FULL"));
    EXPECT_THAT(refused[0], HasSubstr("binlog_row_image=FULL"));
  }
  EXPECT_THAT(Take(Event("d", R"({"from":"a"})", "null"))[0],
              HasSubstr("target /to/id is missing or null in before of the delete"));
}

TEST_P(DebeziumTest, AWrongRowAfterRefusesTheRemovalToo) {
  EXPECT_THAT(Take(Event("u", kOldRow, R"({"from":"b"})")),
              ElementsAre("missing_field: target /to/id is missing or null in after of the update" +
                          kAbsent));
  EXPECT_THAT(Take(Event("u", kOldRow, R"({"from":"b","to":{"id":8},"amount":"x"})"))[0],
              HasSubstr("invalid_weight: weight /amount: \"x\""));
}

TEST_P(DebeziumTest, ValuesThatWereNotLoggedAreNotValues) {
  const std::string toast = R"({"from":"b","to":{"id":8},"amount":"__debezium_unavailable_value"})";
  const auto refused = Take(Event("u", kOldRow, toast));
  EXPECT_THAT(refused[0], HasSubstr("weight /amount in after of the update is "
                                    "\"__debezium_unavailable_value\""));
  EXPECT_THAT(refused[0], HasSubstr("REPLICA IDENTITY FULL"));
}

TEST_P(DebeziumTest, WhatIsNotAChangeIsRefused) {
  EXPECT_THAT(Take(kOldRow)[0], HasSubstr("missing_field: the record has no op"));
  EXPECT_THAT(Take("null")[0], HasSubstr("ExtractNewRecordState"));
  EXPECT_THAT(Take(Event("x", "null", kNewRow)),
              ElementsAre("unknown_operation: op is \"x\"; the operations of Debezium are c, r, "
                          "u, d, t and m"));
  EXPECT_THAT(Take(R"({"op":1})")[0], HasSubstr("op is not a string"));
  EXPECT_THAT(Take(Event("c", "null", "null")),
              ElementsAre("missing_field: after of the insert is missing or null, so there is no "
                          "row"));
  EXPECT_THAT(
      Take(Event("c", "null", "\"row\"")),
      ElementsAre(AllOf(HasSubstr("wrong_type: after of the insert is a string, not an object"),
                        HasSubstr("MongoDB"), HasSubstr("text_at: /after"))));
  EXPECT_THAT(Take(Event("c", "null", "[]")),
              ElementsAre("wrong_type: after of the insert is an array, not an object"));
  EXPECT_THAT(Take(R"({"op":"c","after":)")[0],
              HasSubstr("invalid_syntax: the record is not JSON"));
  EXPECT_THAT(Take("{\"op\":\"c\",\"after\":{\"from\":\"\xff\"}}"),
              ElementsAre(HasSubstr("invalid_utf8: the record is not UTF-8: at byte ")));
}

TEST_P(DebeziumTest, NothingIsLeftOfTheRecordBefore) {
  EXPECT_THAT(Take(Event("u", kOldRow, kNewRow)), ElementsAre("-a>7 @17", "+b>8 2 @17"));
  EXPECT_THAT(Take("{"), ElementsAre(HasSubstr("invalid_syntax")));
  EXPECT_THAT(Take(Event("c", "null", R"({"from":"x","to":{"id":"y"}})")),
              ElementsAre("+x>y 1 @17"));
}

TEST(DebeziumWhereTest, EachRowIsJudgedForItself) {
  FormatSpec format = RowFormat();
  format.where = "/kind == 'x'";
  Changes changes(format);
  EXPECT_THAT(changes.Take(Event("u", kOldRow, kOldRow)), ElementsAre("-a>7 @17", "+a>7 1 @17"));
  EXPECT_THAT(changes.Take(Event("u", kOldRow, kNewRow)), ElementsAre("-a>7 @17"));
  EXPECT_THAT(changes.Take(Event("u", kNewRow, kOldRow)), ElementsAre("+a>7 1 @17"));
  EXPECT_THAT(changes.Take(Event("u", kNewRow, kNewRow)), ElementsAre("~ @17"));
  EXPECT_THAT(changes.Take(Event("d", kNewRow, "null")), ElementsAre("~ @17"));
  EXPECT_THAT(changes.Take(Event("c", "null", R"({"kind":null})")), ElementsAre("~ @17"))
      << "a row that is left out needs no key";
}

TEST(DebeziumWhereTest, AColumnThatWasNotLoggedIsNotANull) {
  FormatSpec format = RowFormat();
  format.where = "/kind == 'x'";
  for (const bool has_schema : {false, true}) {
    Changes changes(format, has_schema);
    EXPECT_THAT(changes.Take(Event("d", R"({"from":"a","to":{"id":7},"kind":null})", "null")),
                ElementsAre("~ @17"));
    const auto refused = changes.Take(Event("d", R"({"from":"a","to":{"id":7}})", "null"));
    EXPECT_THAT(refused[0], HasSubstr("before of the delete has no /kind, which "
                                      "source.format.where reads"));
    EXPECT_THAT(refused[0], HasSubstr("REPLICA IDENTITY FULL"));
  }
}

TEST(DebeziumTimeTest, BothEdgesOfAnUpdateHaveTheTimeOfTheRowAfter) {
  FormatSpec format = RowFormat();
  std::get<JsonMapping>(format.mapping).time = "/at";
  Changes changes(format);
  const auto row = [](int time) {
    return R"({"from":"a","to":{"id":7},"at":)" + std::to_string(time) + "}";
  };
  EXPECT_THAT(changes.Take(Event("u", row(1), row(5))), ElementsAre("-a>7 @5", "+a>7 1 @5"));
  EXPECT_THAT(changes.Take(Event("d", row(5), "null")), ElementsAre("-a>7 @5"));
  EXPECT_THAT(
      changes.Take(Event("u", row(5), kOldRow)),
      ElementsAre("missing_field: time /at is missing or null in after of the update" + kAbsent));
}

TEST(DebeziumTimeTest, AColumnMayBeAKeyAndTheTime) {
  FormatSpec format = RowFormat();
  auto& mapping = std::get<JsonMapping>(format.mapping);
  mapping.time = mapping.target = "/at";
  Changes changes(format);
  EXPECT_THAT(changes.Take(Event("u", R"({"from":"a","at":1})", R"({"from":"a","at":5})")),
              ElementsAre("-a>1 @5", "+a>5 1 @5"));
}

TEST(DebeziumEdgesTest, ARowMayGiveSeveralEdgesInBothDirections) {
  FormatSpec format = RowFormat();
  auto& mapping = std::get<JsonMapping>(format.mapping);
  mapping.both_directions = true;
  JsonMapping second{
      .source = "/from", .target = "/kind", .weight = {}, .time = "$record/ts_ms", .operation = {}};
  mapping.more_edges = {second};
  Changes changes(format);
  EXPECT_THAT(
      changes.Take(Event("u", kOldRow, kNewRow)),
      ElementsAre("-a>7 @17", "-7>a @17", "-a>x @17", "+b>8 2 @17", "+8>b 2 @17", "+b>y 1 @17"));
  EXPECT_THAT(changes.Take(Event("u", R"({"from":"a","to":{"id":7}})", kNewRow))[0],
              HasSubstr("target /kind is missing or null in before of the update"));
}

TEST(DebeziumTest, APointerIntoARowBeginsWithASlash) {
  FormatSpec format = RowFormat();
  std::get<JsonMapping>(format.mapping).weight = "amount";
  const auto made = MakeDecoder(format);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message, HasSubstr("weight"));
  EXPECT_THAT(made.error().message, HasSubstr("\"amount\""));
}

TEST(DebeziumRulesTest, WhatAMappingOfRowsMustLeaveOut) {
  EXPECT_THAT(MappingFaults(RowFormat()), IsEmpty());
  FormatSpec format = RowFormat();
  format.tombstone = TombstonePolicy::kRemove;
  auto& mapping = std::get<JsonMapping>(format.mapping);
  mapping.each = "/a";
  mapping.text_at = "/b";
  mapping.operation = "/op";
  mapping.more_edges = {mapping};
  std::vector<std::string> keys;
  for (const MappingFault& fault : MappingFaults(format)) {
    keys.push_back(std::string(fault.key) + std::to_string(fault.edge));
  }
  EXPECT_THAT(keys, ElementsAre("tombstone0", "each0", "text_at0", "operation0", "operation1"));
  EXPECT_FALSE(MakeDecoder(format).ok());
  mapping.more_edges[0].time = "$record/source/ts_ms";
  EXPECT_EQ(MappingFaults(format).back().key, "time");
  mapping.unwrap = Unwrap::kConnect;
  format.tombstone = TombstonePolicy::kIgnore;
  EXPECT_THAT(MappingFaults(format), IsEmpty());
  mapping.lines = true;
  EXPECT_EQ(MappingFaults(format).back().key, "lines");
  mapping.lines = false;
  mapping.id = "/id";
  EXPECT_THAT(MappingFaults(format), IsEmpty());
  mapping = std::get<JsonMapping>(RowFormat().mapping);
  mapping.more_edges = {mapping};
  mapping.more_edges[0].id = "/id";
  ASSERT_EQ(MappingFaults(format).size(), 1u);
  EXPECT_EQ(MappingFaults(format)[0].key, "id");
  EXPECT_EQ(MappingFaults(format)[0].edge, 1u);
}

}  // namespace
}  // namespace sash
