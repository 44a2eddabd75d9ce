// How keys are made from fields, and how weights and operations are written, in both formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "connectors/codec/letter_case.h"
#include "connectors/codec/weight_reader.h"
#include "tests/connectors/codec/absent_field.h"
#include "tests/connectors/codec/decoding.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

FormatSpec JsonEdges(JsonMapping mapping, KeyKind keys = KeyKind::kString) {
  FormatSpec format;
  mapping.source = "/a";
  mapping.target = "/b";
  format.mapping = std::move(mapping);
  format.keys = keys;
  format.time_origin = TimeOrigin::kKafka;
  return format;
}

FormatSpec CsvEdges(CsvMapping mapping, KeyKind keys = KeyKind::kString) {
  FormatSpec format;
  mapping.source = 1u;
  mapping.target = 2u;
  format.mapping = std::move(mapping);
  format.keys = keys;
  format.time_origin = TimeOrigin::kKafka;
  return format;
}

TEST(MappedKeyTest, AnIntegerIsTheSameKeyAsItsText) {
  Decoding decoding(JsonEdges({}));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"42", "42"},
      {"\"42\"", "42"},
      {"-7", "-7"},
      {"-0", "0"},
      {"0", "0"},
      {"340282366920938463463374607431768211455", "340282366920938463463374607431768211455"}};
  for (const auto& [json, key] : cases) {
    const Decoded edge = decoding.Decode(R"({"a":)" + json + R"(,"b":"x"})");
    EXPECT_EQ(edge.source, key) << edge.detail;
  }
  for (const char* json : {"42.0", "4e2", "true", "[1]", "{}"}) {
    const Decoded edge = decoding.Decode(std::string(R"({"a":)") + json + R"(,"b":"x"})");
    EXPECT_EQ(ReasonOf(edge), "wrong_type") << json;
    EXPECT_THAT(edge.detail, HasSubstr("keys must be strings or integers"));
  }
}

TEST(MappedKeyTest, PartsAreTrimmedPutInTheirCaseJoinedAndPrefixed) {
  JsonMapping mapping;
  mapping.source_parts = {{{"/id", "/country"}, ":"}, {true, LetterCase::kLower, "acct:"}};
  Decoding decoding(JsonEdges(mapping));
  const Decoded made = decoding.Decode(R"({"a":" DEUT\u00c4 ","id":17,"country":"De\n","b":"X "})");
  EXPECT_EQ(made.source, "acct:deut\u00e4:17:de") << made.detail;
  EXPECT_EQ(made.target, "X ") << "the target has no settings";

  CsvMapping columns;
  columns.target_parts = {{{CsvColumn(3u)}, "/"}, {true, LetterCase::kUpper, ""}};
  Decoding rows(CsvEdges(columns));
  EXPECT_EQ(rows.Decode("a, stra\u00dfe ,b ").target, "STRA\u00dfE/B") << "one letter is one";
  EXPECT_EQ(rows.Decode("a,b,c").source, "a");
}

TEST(MappedKeyTest, APartThatIsAbsentOrEmptyIsRefusedByName) {
  JsonMapping mapping;
  mapping.source_parts = {{{"/id"}, ":"}, {.trim = true}};
  FormatSpec format = JsonEdges(mapping);
  format.nulls = {"-"};
  Decoding decoding(format);
  const auto refusal = [&](const std::string& record) {
    const Decoded edge = decoding.Decode(record);
    return ReasonOf(edge) + ": " + edge.detail;
  };
  EXPECT_EQ(refusal(R"({"a":"x","b":"y"})"),
            "missing_field: source /id is missing or null" + kAbsent);
  EXPECT_EQ(refusal(R"({"a":"x","id":"","b":"y"})"), "empty_key: source /id is empty" + kAbsent);
  EXPECT_EQ(refusal(R"({"a":"x","id":" \t","b":"y"})"), "empty_key: source /id has only blanks");
  EXPECT_THAT(refusal(R"({"a":"-","id":"1","b":"y"})"),
              HasSubstr("missing_field: source /a: \"-\""));
  EXPECT_THAT(refusal(R"({"a":"x","id":" - ","b":"y"})"), HasSubstr("accepted"))
      << "nulls come before trim";

  CsvMapping columns;
  columns.source_parts = {{{CsvColumn(3u)}, ":"}, {.trim = true}};
  Decoding rows(CsvEdges(columns));
  EXPECT_EQ(rows.Decode("a,b,").detail, "source (column 3) is empty" + kAbsent);
  EXPECT_EQ(rows.Decode("a,b, ").detail, "source (column 3): \" \" has only blanks");
}

TEST(MappedKeyTest, IntegerKeysMayBeTrimmed) {
  JsonMapping mapping;
  mapping.source_parts.text.trim = true;
  Decoding decoding(JsonEdges(mapping, KeyKind::kInteger));
  EXPECT_EQ(decoding.Decode(R"({"a":" 42 ","b":1})").source, "42");
  EXPECT_EQ(decoding.Decode(R"({"a":42,"b":1})").source, "42");
  EXPECT_THAT(decoding.Decode(R"({"a":"4 2","b":1})").detail, HasSubstr("is not an integer"));
  CsvMapping columns;
  columns.source_parts.text.trim = true;
  EXPECT_EQ(Decoding(CsvEdges(columns, KeyKind::kInteger)).Decode(" -42 ,1").source, "-42");
}

TEST(LetterCaseTest, LettersChangeAndEverythingElseStays) {
  const auto in_case = [](std::string_view text, LetterCase letters) {
    std::string to = "|";
    AppendInCase(text, letters, to);
    return to;
  };
  EXPECT_EQ(in_case("AzZ09_@[`{", LetterCase::kLower), "|azz09_@[`{");
  EXPECT_EQ(in_case("AzZ09_@[`{", LetterCase::kUpper), "|AZZ09_@[`{");
  EXPECT_EQ(in_case("\u00c9\u0416\u4e2d\U0001F600\U00010400", LetterCase::kLower),
            "|\u00e9\u0436\u4e2d\U0001F600\U00010428");
  EXPECT_EQ(in_case("\u00e9\u0436\u4e2d\U00010428", LetterCase::kUpper),
            "|\u00c9\u0416\u4e2d\U00010400");
  EXPECT_EQ(in_case("\u00c9 A", LetterCase::kAsWritten), "|\u00c9 A");
}

TEST(WeightReaderTest, ReadsTheCharactersThatItIsTold) {
  WeightReader german({',', "."});
  EXPECT_EQ(german.Read("1.234.567,5").value(), Weight::Real(1234567.5));
  EXPECT_EQ(german.Read("-1.234").value(), Weight::Integer(-1234));
  EXPECT_EQ(german.Read("12,50").value(), Weight::Real(12.5));
  EXPECT_EQ(german.Read("1234567,8e2").value(), Weight::Real(123456780));
  EXPECT_EQ(german.Read(",5").value(), Weight::Real(0.5));
  for (const char* text : {"12.5", "1234.567", ".123", "1,234.5", "1,2,3", "", "-", ",", "1.234e",
                           "EUR 5", "1..234", "1.2345"}) {
    EXPECT_FALSE(german.Read(text).ok()) << text;
  }
  WeightReader english({'.', ","});
  EXPECT_EQ(english.Read("1,234,567.80").value(), Weight::Real(1234567.8));
  EXPECT_EQ(english.Read("12,34,567").value(), Weight::Integer(1234567)) << "Indian groups";
  EXPECT_EQ(english.Read("120,000,000,000,000,000,000").value(), Weight::Real(1.2e20));
  WeightReader french({',', "\u202f"});
  EXPECT_EQ(french.Read("1\u202f234,5").value(), Weight::Real(1234.5));
  WeightReader comma({',', ""});
  EXPECT_EQ(comma.Read("1234,5").value(), Weight::Real(1234.5));
  EXPECT_FALSE(comma.Read("1234.5").ok());
}

TEST(MappedWeightTest, InvalidWeightsAreReplacedAndCountedIfTheMappingSaysSo) {
  CsvMapping columns;
  columns.weight = 3u;
  columns.weight_text = {',', ".", InvalidWeight::kZero};
  auto made = MakeDecoder(CsvEdges(columns));
  ASSERT_TRUE(made.ok());
  Decoder& decoder = *made.value();
  EventBatch batch;
  for (const char* row : {"a,b,\"1.234,5\"", "a,b,n/a", "a,b,", "a,b,1e999"}) {
    EXPECT_FALSE(decoder.Decode(row, {}, batch)) << row;
  }
  ASSERT_EQ(batch.events().size(), 4u);
  EXPECT_EQ(batch.events()[0].weight, Weight::Real(1234.5));
  EXPECT_EQ(batch.events()[1].weight, Weight::Integer(0));
  EXPECT_EQ(batch.events()[2].weight, Weight::Integer(1)) << "an empty weight is 1";
  EXPECT_EQ(batch.events()[3].weight, Weight::Integer(0));
  EXPECT_EQ(decoder.counts().replaced_weights, 2u);

  JsonMapping mapping;
  mapping.weight = "/w";
  mapping.weight_text.invalid = InvalidWeight::kOne;
  Decoding decoding(JsonEdges(mapping));
  for (const char* weight : {"true", "{}", "\"x\"", "1e999"}) {
    const Decoded edge = decoding.Decode(std::string(R"({"a":"x","b":"y","w":)") + weight + "}");
    EXPECT_EQ(edge.event.weight, Weight::Integer(1)) << edge.detail;
  }
}

TEST(MappedOperationTest, OperationsAreTheWordsOfTheMapping) {
  JsonMapping mapping;
  mapping.operation = "/op";
  mapping.operation_words = {{"c", "r", "1"}, {"d", "0"}, {"purge"}, {"t"}};
  Decoding decoding(JsonEdges(mapping));
  const auto decoded = [&](const std::string& op) {
    return decoding.Decode(R"({"a":"x","b":"y","op":)" + op + "}");
  };
  EXPECT_EQ(decoded(R"("r")").event.operation, Operation::kAdd);
  EXPECT_EQ(decoded("1").event.operation, Operation::kAdd);
  EXPECT_EQ(decoded(R"("")").event.operation, Operation::kAdd);
  EXPECT_EQ(decoded("null").event.operation, Operation::kAdd);
  EXPECT_EQ(decoded("0").event.operation, Operation::kRemove);
  EXPECT_EQ(decoded(R"("purge")").event.operation, Operation::kRemoveVertex);
  EXPECT_EQ(decoded(R"("add")").detail,
            "operation /op is \"add\"; the words of the mapping are \"c\", \"r\", \"1\", \"d\", "
            "\"0\", \"purge\", \"t\"");
  EXPECT_EQ(ReasonOf(decoded("true")), "wrong_type");

  CsvMapping columns;
  columns.operation = 3u;
  columns.operation_words.remove = {"D"};
  Decoding rows(CsvEdges(columns));
  EXPECT_EQ(rows.Decode("a,b,D").event.operation, Operation::kRemove);
  EXPECT_EQ(rows.Decode("a,b,").event.operation, Operation::kAdd);
  EXPECT_EQ(ReasonOf(rows.Decode("a,b,remove")), "unknown_operation");
}

TEST(MappedOperationTest, ASkippedRecordMovesTheTimeAndIsNoEdge) {
  JsonMapping mapping;
  mapping.operation = "/op";
  mapping.operation_words.skip = {"t"};
  auto made = MakeDecoder(JsonEdges(mapping));
  ASSERT_TRUE(made.ok());
  EventBatch batch;
  const RecordPlace place{.partition = 1, .offset = 5, .time = EventTime(std::chrono::seconds(9))};
  EXPECT_FALSE(made.value()->Decode(R"({"op":"t"})", place, batch)) << "keys are not needed";
  ASSERT_EQ(batch.events().size(), 1u);
  EXPECT_EQ(batch.events()[0].time, place.time);
  EXPECT_TRUE(batch.events()[0].filtered);
  CsvMapping columns;
  columns.operation = 3u;
  columns.operation_words.skip = {"T"};
  auto rows = MakeDecoder(CsvEdges(columns));
  ASSERT_TRUE(rows.ok());
  EXPECT_FALSE(rows.value()->Decode("a,b,T", place, batch));
  EXPECT_TRUE(batch.events()[1].filtered);
}

}  // namespace
}  // namespace sash
