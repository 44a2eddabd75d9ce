#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/connectors/codec/absent_field.h"
#include "tests/connectors/codec/decoding.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

FormatSpec Json() {
  FormatSpec format;
  format.mapping = JsonMapping{
      .source = "/from", .target = "/to", .weight = "/w", .time = "/ts", .operation = "/op"};
  return format;
}

FormatSpec Integers() {
  FormatSpec format = Json();
  format.keys = KeyKind::kInteger;
  return format;
}

FormatSpec Rfc3339() {
  FormatSpec format = Json();
  format.time_unit = TimeUnit::kRfc3339;
  return format;
}

std::string JsonReasonFor(FormatSpec format, std::string_view record) {
  return ReasonOf(Decoding(std::move(format)).Decode(record));
}

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

TEST(JsonDecoderTest, RefusesWhatIsNotJson) {
  for (const char* record : {"",
                             " ",
                             "{",
                             "}",
                             "nonsense",
                             R"({"from":"a","to":"b","ts":1}})",
                             R"({"from":"a","to":"b","ts":1} x)",
                             R"({"from":"a","to":"b","ts":1}{"from":"a"})",
                             R"({"from":"a","to":"b","ts":1,})",
                             R"({"from":"a","to":"b","ts":01})",
                             R"({"from":"a","to":"b","ts":1.})",
                             R"({"from":"a","to":"b","ts":+1})",
                             R"({"from":"a","to":"b","ts":1,"x":NaN})",
                             R"({"from":"a","to":"b","ts":1,"x":tru})",
                             R"({"from":"a","to":"b","ts":1,"x":"\q"})",
                             R"({"from":"a","to":"b","ts":1,"x":"\ud800"})",
                             "{\"from\":\"a\nb\",\"to\":\"b\",\"ts\":1}",
                             R"({'from':'a','to':'b','ts':1})",
                             R"({"from":"a","to":"b","ts":1 /* c */})",
                             R"({"from" "a","to":"b","ts":1})"}) {
    EXPECT_EQ(JsonReasonFor(Json(), record), "invalid_syntax") << record;
  }
}

TEST(JsonDecoderTest, RefusesWhatIsNotUtf8WhereverItStands) {
  EXPECT_EQ(JsonReasonFor(Json(), "{\"from\":\"\xff\",\"to\":\"b\",\"ts\":1}"), "invalid_utf8");
  EXPECT_EQ(JsonReasonFor(Json(), "{\"from\":\"a\",\"to\":\"b\",\"ts\":1,\"x\":\"\xc3\"}"),
            "invalid_utf8");
  EXPECT_EQ(JsonReasonFor(Json(), "\xff\xfe{\"from\""), "invalid_utf8");
}

TEST(JsonDecoderTest, RefusesHalvesOfSurrogatePairs) {
  for (const char* half : {R"(\ud800)", R"(\udc00)", R"(\udc00\ud800)", R"(\ud83d\u0041)",
                           R"(\ud83dx)", R"(\udfff)"}) {
    const std::string record = std::string(R"({"from":"a)") + half + R"(","to":"b","ts":1})";
    EXPECT_EQ(JsonReasonFor(Json(), record), "invalid_syntax") << record;
  }
}

TEST(JsonDecoderTest, EveryTruncationOfARecordIsRefused) {
  const std::string record =
      R"({"from": "\u00e4b", "to": "ö", "w": -2.5e1, "ts": 17, "op": "add", )"
      R"("x": [true, null, {}]})";
  Decoding decoding(Json());
  ASSERT_FALSE(decoding.Decode(record).refused);
  for (std::size_t length = 0; length < record.size(); ++length) {
    EXPECT_TRUE(decoding.Decode(record.substr(0, length)).refused) << record.substr(0, length);
  }
}

TEST(JsonDecoderTest, ARecordWithAChangedByteIsRefusedExactlyWhenItIsNoLongerJson) {
  const std::string record = R"({"from":"a","to":"b","w":2,"ts":17,"op":"add","x":[1e5,{}]})";
  Decoding decoding(Json());
  for (std::size_t at = 0; at < record.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = record;
      changed[at] = static_cast<char>(byte);
      const Decoded edge = decoding.Decode(changed);
      const bool is_json = edge.refused != RefusalReason::kInvalidSyntax &&
                           edge.refused != RefusalReason::kInvalidUtf8;
      EXPECT_EQ(is_json, nlohmann::json::accept(changed)) << changed << edge.detail;
    }
  }
  EXPECT_FALSE(decoding.Decode(record).refused);
}

TEST(JsonDecoderTest, RefusesDepthThatNoRecordNeeds) {
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  EXPECT_EQ(JsonReasonFor(Json(), R"({"from":"a","to":"b","ts":1,"x":)" + deep + "}"),
            "invalid_syntax");
}

TEST(JsonDecoderTest, RefusesRecordsAboveTheLimit) {
  const std::string head = R"({"from":"a","to":"b","ts":1,"x":")";
  const std::string filler(kMaxRecordBytes - head.size() - 2, 'x');
  EXPECT_EQ(JsonReasonFor(Json(), head + filler + "\"}"), "accepted");
  EXPECT_EQ(JsonReasonFor(Json(), head + filler + "x\"}"), "too_large");
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

TEST(JsonDecoderTest, SaysWhatIsProbablyMeantByWhatIsNotJson) {
  Decoding decoding(Json());
  for (const char* number : {"NaN", "Infinity", "-Infinity"}) {
    EXPECT_THAT(
        decoding.Decode(std::string(R"({"from":"a","to":"b","weight":)") + number + "}").detail,
        HasSubstr("NaN and Infinity are not JSON: let the producer write null"))
        << number;
  }
  EXPECT_THAT(decoding.Decode("\x1E{\"from\":\"a\"}").detail, HasSubstr("JSON text sequences"));
  EXPECT_THAT(decoding.Decode("{\"from\":\"a\"}\r{\"from\":\"b\"}").detail,
              HasSubstr("a line ends in LF or CRLF, not in CR alone"));
  EXPECT_THAT(decoding.Decode("{").detail,
              HasSubstr("where the record ends; in a file, each line is a record"));
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

TEST(JsonDecoderTest, SaysWhereARecordIsNotUtf8) {
  EXPECT_THAT(
      Decoding(Json()).Decode("{\"from\":\"z\xfcrich\"}").detail,
      ::testing::StartsWith("the record is not UTF-8: at byte 10, there is 0xFC; write it"));
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

TEST(JsonDecoderTest, RefusesEmptyKeys) {
  EXPECT_EQ(JsonReasonFor(Json(), R"({"from":"","to":"b","ts":1})"), "empty_key");
  EXPECT_EQ(JsonReasonFor(Json(), R"({"from":"a","to":"","ts":1})"), "empty_key");
}

TEST(JsonDecoderTest, IntegerKeysAreJsonIntegersOf64Bits) {
  const Decoded edge =
      Decoding(Integers())
          .Decode(R"({"from":-9223372036854775808,"to":9223372036854775807,"ts":1})");
  EXPECT_EQ(edge.source, "-9223372036854775808");
  EXPECT_EQ(edge.target, "9223372036854775807");
  EXPECT_EQ(JsonReasonFor(Integers(), R"({"from":9223372036854775808,"to":1,"ts":1})"),
            "invalid_key");
  EXPECT_EQ(JsonReasonFor(Integers(), R"({"from":1,"to":1.0,"ts":1})"), "invalid_key");
  EXPECT_EQ(JsonReasonFor(Integers(), R"({"from":1,"to":1e2,"ts":1})"), "invalid_key");
  EXPECT_EQ(JsonReasonFor(Integers(), R"({"from":99999999999999999999999,"to":1,"ts":1})"),
            "invalid_key");
  EXPECT_EQ(JsonReasonFor(Integers(), R"({"from":"1","to":1,"ts":1})"), "wrong_type");
}

TEST(JsonDecoderTest, WeightsAreExactIntegersOrDoubles) {
  Decoding decoding(Json());
  const auto weight = [&](const std::string& text) {
    const Decoded edge = decoding.Decode(R"({"from":"a","to":"b","ts":1,"w":)" + text + "}");
    EXPECT_FALSE(edge.refused) << text << edge.detail;
    return edge.event.weight;
  };
  EXPECT_EQ(weight("9007199254740993"), Weight::Integer(9007199254740993));
  EXPECT_EQ(weight("-9223372036854775808"), Weight::Integer(INT64_MIN));
  EXPECT_EQ(weight("3.0"), Weight::Real(3));
  EXPECT_EQ(weight("3e0"), Weight::Real(3));
  EXPECT_EQ(weight("1e-400"), Weight::Real(0));
  EXPECT_EQ(weight("9223372036854775808"), Weight::Real(9223372036854775808.0));
  EXPECT_EQ(weight("-9223372036854775809"), Weight::Real(-9223372036854775808.0));
  EXPECT_EQ(weight("120000000000000000000"), Weight::Real(1.2e20));
  EXPECT_EQ(weight(R"("12")"), Weight::Integer(12));
  EXPECT_EQ(weight(R"("-2.5")"), Weight::Real(-2.5));
  EXPECT_EQ(weight(R"("")"), Weight());
}

TEST(JsonDecoderTest, RefusesWeightsBeyondTheirRangeOnEveryOperation) {
  for (const char* weight : {"1e309", "-1e999", R"("1e309")", R"("one")"}) {
    for (const char* operation : {"add", "remove", "remove_vertex"}) {
      const std::string record = std::string(R"({"from":"a","to":"b","ts":1,"w":)") + weight +
                                 R"(,"op":")" + operation + "\"}";
      EXPECT_EQ(JsonReasonFor(Json(), record), "invalid_weight") << record;
    }
  }
}

TEST(JsonDecoderTest, HugeNumbersInFieldsThatAreNotMappedAreNoReasonToRefuse) {
  Decoding decoding(Json());
  for (const char* number : {"18446744073709551616", "-99999999999999999999999999", "1e400",
                             "-1.5e9999999", "123456789012345678901234567890.5"}) {
    const Decoded edge = decoding.Decode(std::string(R"({"x":[)") + number +
                                         R"(],"from":"a","to":"b","w":3,"ts":5})");
    ASSERT_FALSE(edge.refused) << number << ": " << edge.detail;
    EXPECT_EQ(edge.event.weight, Weight::Integer(3));
    EXPECT_EQ(decoding.Decode(std::string(R"({"x":)") + number + R"(,"from":"a","to":"b","ts":01})")
                  .refused,
              RefusalReason::kInvalidSyntax);
  }
}

TEST(JsonDecoderTest, HugeNumbersInMappedFieldsAreRefusedForWhatTheyAre) {
  EXPECT_EQ(JsonReasonFor(Json(), R"({"from":"a","to":"b","ts":99999999999999999999})"),
            "invalid_time");
  EXPECT_EQ(JsonReasonFor(Json(), R"({"from":"a","to":"b","ts":1e999})"), "invalid_time");
  EXPECT_EQ(JsonReasonFor(Json(), R"({"from":"a","to":"b","ts":1,"op":99999999999999999999})"),
            "wrong_type");
  EXPECT_EQ(JsonReasonFor(Rfc3339(), R"({"from":"a","to":"b","ts":99999999999999999999})"),
            "wrong_type");
}

TEST(JsonDecoderTest, TimesAreNumbersInTheUnit) {
  FormatSpec format = Json();
  format.time_unit = TimeUnit::kSeconds;
  Decoding decoding(format);
  const auto time = [&](const std::string& text) {
    return decoding.Decode(R"({"from":"a","to":"b","ts":)" + text + "}")
        .event.time.time_since_epoch()
        .count();
  };
  EXPECT_EQ(time("1700000000"), 1700000000000000000);
  EXPECT_EQ(time("-1"), -1000000000);
  EXPECT_EQ(time("1700000000.123456"), 1700000000123456000);
  for (const char* text : {"1700000000000", "1e300", "18446744073709551615", "-99999999999"}) {
    EXPECT_EQ(JsonReasonFor(format, std::string(R"({"from":"a","to":"b","ts":)") + text + "}"),
              "invalid_time")
        << text;
  }
}

TEST(JsonDecoderTest, Rfc3339TimesAreStrings) {
  EXPECT_EQ(Decoding(Rfc3339())
                .Decode(R"({"from":"a","to":"b","ts":"1970-01-01T00:00:01.5Z"})")
                .event.time.time_since_epoch(),
            std::chrono::milliseconds(1500));
  EXPECT_EQ(JsonReasonFor(Rfc3339(), R"({"from":"a","to":"b","ts":""})"), "missing_field");
  EXPECT_EQ(JsonReasonFor(Rfc3339(), R"({"from":"a","to":"b","ts":5})"), "wrong_type");
  EXPECT_EQ(JsonReasonFor(Rfc3339(), R"({"from":"a","to":"b","ts":"1970-02-30T00:00:00Z"})"),
            "invalid_time");
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
