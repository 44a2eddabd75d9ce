// Fields of JSON records: where they are, and which may be missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/connectors/codec/absent_field.h"
#include "tests/connectors/codec/mapped_json.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

TEST(JsonDecoderTest, ReadsEveryMappedField) {
  const Decoded edge = Decoding(Json()).Decode(
      R"( {"from": "a", "to": "b", "w": 2.5, "ts": 1700000000123, "op": "remove", "x": [1, {}]} )");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.source, "a");
  EXPECT_EQ(edge.target, "b");
  EXPECT_EQ(edge.event.weight, Weight::Real(2.5));
  EXPECT_EQ(edge.event.time.time_since_epoch(), std::chrono::milliseconds(1700000000123));
  EXPECT_EQ(edge.event.operation, Operation::kRemove);
}

TEST(JsonDecoderTest, ADecoderIsGoodForManyRecords) {
  Decoding decoding(Json());
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i);
    const Decoded edge = decoding.Decode(R"({"from":"s)" + n + R"(","to":"t)" + n + R"(","w":)" +
                                         n + R"(,"ts":)" + n + "}");
    EXPECT_EQ(edge.source, "s" + n);
    EXPECT_EQ(edge.target, "t" + n);
    EXPECT_EQ(edge.event.weight, Weight::Integer(i));
    EXPECT_EQ(decoding.Decode("{").refused, RefusalReason::kInvalidSyntax);
  }
}

TEST(JsonDecoderTest, WeightAndOperationMayBeMissingNullOrEmpty) {
  Decoding decoding(Json());
  for (const char* record :
       {R"({"from":"a","to":"b","ts":1})", R"({"from":"a","to":"b","ts":1,"w":null,"op":null})",
        R"({"from":"a","to":"b","ts":1,"op":""})", R"({"from":"a","to":"b","ts":1,"op":"add"})"}) {
    const Decoded edge = decoding.Decode(record);
    ASSERT_FALSE(edge.refused) << record << edge.detail;
    EXPECT_EQ(edge.event.weight, Weight::Integer(1));
    EXPECT_EQ(edge.event.operation, Operation::kAdd);
  }
}

TEST(JsonDecoderTest, NullsAreAbsent) {
  FormatSpec format = Json();
  format.nulls = {"-", "NULL", "-1", ""};
  Decoding decoding(format);
  const Decoded edge = decoding.Decode(R"({"from":"a","to":"b","ts":1,"w":-1,"op":"\u004eULL"})");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.event.weight, Weight::Integer(1));
  EXPECT_EQ(edge.event.operation, Operation::kAdd);
  EXPECT_EQ(decoding.Decode(R"({"from":"a","to":"b","ts":1,"w":"-"})").event.weight,
            Weight::Integer(1));
  EXPECT_EQ(decoding.Decode(R"({"from":"a","to":"b","ts":1,"w":-1.0})").event.weight,
            Weight::Real(-1));
  const Decoded target = decoding.Decode(R"({"from":"a","to":"NULL","ts":1})");
  EXPECT_EQ(ReasonOf(target), "missing_field");
  EXPECT_EQ(target.detail,
            "target /to: \"NULL\" is among source.format.nulls, so there is no value; correct the "
            "record, or take the text out of nulls");
  for (const char* record : {R"({"from":"","to":"b","ts":1})", R"({"from":"a","to":"b","ts":-1})",
                             R"({"from":"a","to":-1,"ts":1})"}) {
    EXPECT_EQ(ReasonOf(decoding.Decode(record)), "missing_field") << record;
  }
}

TEST(JsonDecoderTest, UnescapesKeys) {
  const Decoded edge =
      Decoding(Json()).Decode(R"({"from":"\u00e4\"\\\n\ud83d\ude00","t\u006f":"\u0000","ts":1})");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.source, "\u00e4\"\\\n\U0001F600");
  EXPECT_EQ(edge.target, std::string(1, '\0'));
}

TEST(JsonDecoderTest, FollowsPointersThroughObjectsAndArrays) {
  FormatSpec format;
  format.mapping = JsonMapping{
      .source = "/a/b~1c/0", .target = "/a/b~1c/1/~0", .weight = {}, .time = "/", .operation = {}};
  Decoding decoding(format);
  const Decoded edge = decoding.Decode(R"({"a": {"b/c": ["s", {"~": "t"}]}, "": 5})");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.source, "s");
  EXPECT_EQ(edge.target, "t");
  EXPECT_THAT(decoding.Decode(R"({"a": {"b/c": ["s", {"x": "t"}]}, "": 5})").detail,
              HasSubstr("/a/b~1c/1/~0"));
  EXPECT_EQ(decoding.Decode(R"({"a": [], "": 5})").refused, RefusalReason::kMissingField);
  EXPECT_EQ(decoding.Decode(R"({"a": {"b/c": {"0": "s"}}, "": 5})").refused,
            RefusalReason::kMissingField);
}

TEST(JsonDecoderTest, ReadsArraysAtTheRoot) {
  FormatSpec format;
  format.mapping =
      JsonMapping{.source = "/0", .target = "/1", .weight = "/3", .time = "/2", .operation = {}};
  Decoding decoding(format);
  const Decoded edge = decoding.Decode(R"(["a", "b", 3])");
  EXPECT_EQ(edge.source, "a");
  EXPECT_EQ(edge.target, "b");
  EXPECT_EQ(decoding.Decode(R"("a")").refused, RefusalReason::kMissingField);
  EXPECT_EQ(decoding.Decode("17").refused, RefusalReason::kMissingField);
}

TEST(JsonDecoderTest, TheLastOfEqualMembersCounts) {
  Decoding decoding(Json());
  EXPECT_EQ(decoding.Decode(R"({"from":"x","from":"a","to":"b","ts":1})").source, "a");
  EXPECT_EQ(decoding.Decode(R"({"from":"x","from":null,"to":"b","ts":1})").refused,
            RefusalReason::kMissingField);
  FormatSpec nested = Json();
  nested.mapping = JsonMapping{
      .source = "/e/from", .target = "/e/to", .weight = {}, .time = "/ts", .operation = {}};
  EXPECT_EQ(JsonReasonFor(nested, R"({"e":{"from":"a","to":"b"},"e":{"from":"c"},"ts":1})"),
            "missing_field");
}

TEST(JsonDecoderTest, OneFieldMayServeTwice) {
  FormatSpec format;
  format.mapping =
      JsonMapping{.source = "/a", .target = "/a", .weight = "/n", .time = "/n", .operation = {}};
  const Decoded edge = Decoding(format).Decode(R"({"a":"x","n":4})");
  EXPECT_EQ(edge.source, "x");
  EXPECT_EQ(edge.target, "x");
  EXPECT_EQ(edge.event.weight, Weight::Integer(4));
}

TEST(JsonDecoderTest, NamesThePointerThatIsMissing) {
  Decoding decoding(Json());
  EXPECT_EQ(decoding.Decode(R"({"to":"b","ts":1})").detail,
            "source /from is missing or null" + kAbsent);
  EXPECT_EQ(decoding.Decode(R"({"from":"a","ts":1})").detail,
            "target /to is missing or null" + kAbsent);
  EXPECT_EQ(decoding.Decode(R"({"from":"a","to":"b"})").detail,
            "time /ts is missing or null" + kAbsent);
  for (const char* record : {R"({"to":"b","ts":1})", R"({"from":"a","ts":1})",
                             R"({"from":"a","to":"b"})", R"({"from":null,"to":"b","ts":1})"}) {
    EXPECT_EQ(JsonReasonFor(Json(), record), "missing_field") << record;
  }
}

TEST(JsonDecoderTest, SaysThatARecordIsNotAnObject) {
  Decoding decoding(Json());
  EXPECT_EQ(
      decoding.Decode(R"( [{"from":"a","to":"b","ts":1}])").detail,
      "source /from is missing or null, because the record is an array; `each: \"\"` gives an "
      "edge for each element");
  for (const char* record : {R"("x")", "7", "null", "true"}) {
    EXPECT_EQ(
        decoding.Decode(record).detail,
        "source /from is missing or null, because the record is neither an object nor an array")
        << record;
  }
}

TEST(JsonDecoderTest, RefusesWrongTypesWithTheRemedy) {
  for (const char* record :
       {R"({"from":7.0,"to":"b","ts":1})", R"({"from":"a","to":["b"],"ts":1})",
        R"({"from":"a","to":true,"ts":1})", R"({"from":"a","to":"b","ts":true})",
        R"({"from":"a","to":"b","ts":{}})", R"({"from":"a","to":"b","ts":1,"w":[2]})",
        R"({"from":"a","to":"b","ts":1,"w":false})", R"({"from":"a","to":"b","ts":1,"op":1})"}) {
    EXPECT_EQ(JsonReasonFor(Json(), record), "wrong_type") << record;
  }
  EXPECT_THAT(Decoding(Json()).Decode(R"({"from":7.0,"to":"b","ts":1})").detail,
              HasSubstr("is a number with a fraction or an exponent (\"7.0\"); keys must be "
                        "strings or integers"));
  EXPECT_THAT(Decoding(Json()).Decode(R"({"from":"a","to":"b","ts":"2026-01-01"})").detail,
              HasSubstr("unit: rfc3339"));
}

TEST(JsonDecoderTest, OtherOriginsOfTimeLeaveTheFieldUnread) {
  for (const TimeOrigin origin : {TimeOrigin::kKafka, TimeOrigin::kClock}) {
    FormatSpec format = Json();
    format.time_origin = origin;
    Decoding decoding(format);
    const Decoded edge = decoding.Decode(R"({"from":"a","to":"b","ts":"whatever"})");
    ASSERT_FALSE(edge.refused) << edge.detail;
    EXPECT_EQ(edge.event.time, decoding.place.time);
  }
}

TEST(JsonDecoderTest, OperationsAreLowerCase) {
  for (const char* operation : {"Add", "REMOVE", "delete", " add", "remove-vertex"}) {
    EXPECT_EQ(JsonReasonFor(
                  Json(), std::string(R"({"from":"a","to":"b","ts":1,"op":")") + operation + "\"}"),
              "unknown_operation")
        << operation;
  }
}

TEST(JsonDecoderTest, RemoveVertexNeedsNoTarget) {
  for (const char* target : {"", R"("to":"",)", R"("to":5,)", R"("to":"b",)"}) {
    const Decoded edge = Decoding(Json()).Decode(std::string(R"({"from":"a",)") + target +
                                                 R"("ts":1,"op":"remove_vertex"})");
    ASSERT_FALSE(edge.refused) << edge.detail;
    EXPECT_EQ(edge.event.operation, Operation::kRemoveVertex);
    EXPECT_EQ(edge.source, "a");
  }
  EXPECT_EQ(JsonReasonFor(Json(), R"({"from":"","ts":1,"op":"remove_vertex"})"), "empty_key");
}

TEST(JsonDecoderTest, MappingsThatCannotWorkAreErrors) {
  FormatSpec bad_pointer = Json();
  std::get<JsonMapping>(bad_pointer.mapping).target = "to";
  const auto made = MakeDecoder(bad_pointer);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(made.error().message, HasSubstr("target: JSON pointer \"to\""));
  FormatSpec no_time = Json();
  std::get<JsonMapping>(no_time.mapping).time.reset();
  EXPECT_FALSE(MakeDecoder(no_time).ok());
  no_time.time_origin = TimeOrigin::kKafka;
  EXPECT_TRUE(MakeDecoder(no_time).ok());
}

}  // namespace
}  // namespace sash
