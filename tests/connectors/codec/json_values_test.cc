// Keys, weights and times in JSON records.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/connectors/codec/mapped_json.h"

namespace sash {
namespace {

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

}  // namespace
}  // namespace sash
