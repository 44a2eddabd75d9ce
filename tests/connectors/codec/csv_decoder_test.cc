#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tests/connectors/codec/absent_field.h"
#include "tests/connectors/codec/decoding.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHeader = "from,to,w,ts,op";

FormatSpec Named() {
  FormatSpec format;
  format.mapping =
      CsvMapping{.source = "from", .target = "to", .weight = "w", .time = "ts", .operation = "op"};
  return format;
}

FormatSpec Numbered() {
  FormatSpec format;
  format.mapping =
      CsvMapping{.source = 2u, .target = 1u, .weight = {}, .time = 4u, .operation = {}};
  return format;
}

std::string ReasonFor(std::string_view row, FormatSpec format = Named()) {
  return ReasonOf(Decoding(std::move(format), kHeader).Decode(row));
}

std::string ErrorFor(std::string_view header, FormatSpec format = Named()) {
  const auto made = MakeDecoder(format, header);
  if (made.ok()) return "";
  EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
  return made.error().message;
}

TEST(CsvDecoderTest, ReadsEveryMappedColumn) {
  const Decoded edge = Decoding(Named(), kHeader).Decode("a,\"b,\"\"c\",2.5,1700000000123,remove");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.source, "a");
  EXPECT_EQ(edge.target, "b,\"c");
  EXPECT_EQ(edge.event.weight, Weight::Real(2.5));
  EXPECT_EQ(edge.event.time.time_since_epoch(), std::chrono::milliseconds(1700000000123));
  EXPECT_EQ(edge.event.operation, Operation::kRemove);
}

TEST(CsvDecoderTest, FindsNamedColumnsWhereverTheyAre) {
  const Decoded edge = Decoding(Named(), "op,\"x\",ts,\"w\",to,from\r\n").Decode(",?,5,,b,a");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.source, "a");
  EXPECT_EQ(edge.target, "b");
  EXPECT_EQ(edge.event.weight, Weight::Integer(1));
  EXPECT_EQ(edge.event.operation, Operation::kAdd);
}

TEST(CsvDecoderTest, CountsNumberedColumnsFromOne) {
  const Decoded edge = Decoding(Numbered()).Decode("b,a,?,5");
  EXPECT_EQ(edge.source, "a");
  EXPECT_EQ(edge.target, "b");
  EXPECT_EQ(edge.event.time.time_since_epoch(), std::chrono::milliseconds(5));
}

TEST(CsvDecoderTest, ARecordMayEndWithALineBreak) {
  EXPECT_EQ(ReasonFor("a,b,1,5,add\r\n"), "accepted");
  EXPECT_EQ(ReasonFor("a,b,1,5,\n"), "accepted");
}

TEST(CsvDecoderTest, RefusesRowWithAnotherNumberOfFieldsThanTheHeader) {
  EXPECT_EQ(ReasonFor("a,b,1,5"), "invalid_syntax");
  EXPECT_EQ(ReasonFor("a,b,1,5,add,"), "invalid_syntax");
  EXPECT_EQ(ReasonFor(""), "invalid_syntax");
  EXPECT_EQ(ReasonFor("a;b;1;5;add"), "invalid_syntax");
}

TEST(CsvDecoderTest, TheFirstAcceptedRowSetsTheNumberOfFields) {
  Decoding decoding(Numbered());
  EXPECT_EQ(decoding.Decode("rubbish").refused, RefusalReason::kInvalidSyntax);
  EXPECT_EQ(decoding.Decode("b,a,x,rubbish,1,2,3").refused, RefusalReason::kInvalidTime);
  EXPECT_FALSE(decoding.Decode("b,a,x,5").refused);
  EXPECT_EQ(decoding.Decode("b,a,x,5,more").refused, RefusalReason::kInvalidSyntax);
  EXPECT_EQ(decoding.Decode("b,a,x").refused, RefusalReason::kInvalidSyntax);
  EXPECT_FALSE(decoding.Decode("b,a,x,6").refused);
}

TEST(CsvDecoderTest, RefusesBrokenQuotes) {
  EXPECT_EQ(ReasonFor("a,\"b,1,5,add"), "invalid_syntax");
  EXPECT_EQ(ReasonFor("a,\"b\"c,1,5,add"), "invalid_syntax");
  EXPECT_EQ(ReasonFor("a,b\",1,5,add"), "invalid_syntax");
  EXPECT_EQ(ReasonFor("a,b,1,5,add\na,b,1,5,add"), "invalid_syntax");
}

TEST(CsvDecoderTest, RefusesWhatIsNotUtf8WhereverItStands) {
  EXPECT_EQ(ReasonFor("a\xff,b,1,5,add"), "invalid_utf8");
  const Decoded cut = Decoding(Numbered()).Decode("b,a,\xc3,5");
  EXPECT_EQ(ReasonOf(cut), "invalid_utf8");
  EXPECT_THAT(cut.detail, ::testing::StartsWith("the row is not UTF-8: at byte 4, there is 0xC3"));
}

TEST(CsvDecoderTest, RefusesRowsAboveTheLimit) {
  const std::string tail = ",b,1,5,add";
  EXPECT_EQ(ReasonFor(std::string(kMaxRecordBytes - tail.size(), 'a') + tail), "accepted");
  EXPECT_EQ(ReasonFor(std::string(kMaxRecordBytes - tail.size() + 1, 'a') + tail), "too_large");
}

TEST(CsvDecoderTest, RefusesEmptyKeysQuotedOrNot) {
  EXPECT_EQ(ReasonFor(",b,1,5,add"), "empty_key");
  EXPECT_EQ(ReasonFor("a,\"\",1,5,add"), "empty_key");
  EXPECT_EQ(ReasonFor(" ,b,1,5,add"), "accepted");
}

TEST(CsvDecoderTest, IntegerKeysAreDigitsWithAnOptionalMinus) {
  FormatSpec format = Named();
  format.keys = KeyKind::kInteger;
  const Decoded edge = Decoding(format, kHeader).Decode("-7,\"9223372036854775807\",1,5,");
  EXPECT_EQ(edge.source, "-7");
  EXPECT_EQ(edge.target, "9223372036854775807");
  for (const char* key : {"+7", "7.0", "0x7", " 7", "seven", "9223372036854775808"}) {
    EXPECT_EQ(ReasonFor(std::string(key) + ",8,1,5,", format), "invalid_key") << key;
  }
  EXPECT_EQ(ReasonFor(",8,1,5,", format), "empty_key");
}

TEST(CsvDecoderTest, ValidatesTheWeightOnEveryOperation) {
  for (const char* operation : {"", "add", "remove", "remove_vertex"}) {
    for (const char* weight : {"nan", "inf", "0x1p3", "1e309", "one", " "}) {
      EXPECT_EQ(ReasonFor(std::string("a,b,") + weight + ",5," + operation), "invalid_weight")
          << weight << operation;
    }
    EXPECT_EQ(ReasonFor(std::string("a,b,,5,") + operation), "accepted");
  }
}

TEST(CsvDecoderTest, TimesAreDecimalNumbersInTheUnit) {
  FormatSpec format = Named();
  format.time_unit = TimeUnit::kSeconds;
  EXPECT_EQ(
      Decoding(format, kHeader).Decode("a,b,1,1700000000.123456,").event.time.time_since_epoch(),
      std::chrono::microseconds(1700000000123456));
  EXPECT_EQ(ReasonFor("a,b,1,1e9,", format), "accepted");
  for (const char* time : {"soon", "1700000000000", "1970-01-01T00:00:00Z"}) {
    EXPECT_EQ(ReasonFor(std::string("a,b,1,") + time + ",", format), "invalid_time") << time;
  }
  EXPECT_EQ(ReasonFor("a,b,1,,", format), "missing_field");
  format.time_unit = TimeUnit::kRfc3339;
  EXPECT_EQ(ReasonFor("a,b,1,1970-01-01T00:00:00Z,", format), "accepted");
  EXPECT_EQ(ReasonFor("a,b,1,5,", format), "invalid_time");
  EXPECT_EQ(ReasonFor("a,b,1,\"\",", format), "missing_field");
}

TEST(CsvDecoderTest, OtherOriginsOfTimeLeaveTheColumnUnread) {
  FormatSpec format = Named();
  format.time_origin = TimeOrigin::kClock;
  Decoding decoding(format, kHeader);
  EXPECT_EQ(decoding.Decode("a,b,1,whatever,").event.time, decoding.place.time);
}

TEST(CsvDecoderTest, OperationsAreLowerCase) {
  EXPECT_EQ(ReasonFor("a,b,1,5,Add"), "unknown_operation");
  EXPECT_EQ(ReasonFor("a,b,1,5, add"), "unknown_operation");
}

TEST(CsvDecoderTest, RemoveVertexNeedsNoTarget) {
  FormatSpec format = Named();
  format.keys = KeyKind::kInteger;
  EXPECT_EQ(ReasonFor("1,,1,5,remove_vertex", format), "accepted");
  EXPECT_EQ(ReasonFor("1,no number,1,5,remove_vertex", format), "accepted");
  EXPECT_EQ(ReasonFor("1,,1,5,remove", format), "empty_key");
  EXPECT_EQ(ReasonFor(",,1,5,remove_vertex", format), "empty_key");
}

TEST(CsvDecoderTest, DetailsNameColumnAndText) {
  Decoding decoding(Named(), kHeader);
  EXPECT_EQ(decoding.Decode("a,b,x,5,").detail,
            "weight (column \"w\"): \"x\" is not a decimal number; correct the record, or say what "
            "such an edge weighs (weight: {from, invalid: one})");
  EXPECT_THAT(decoding.Decode("a,b,0x1F,5,").detail,
              HasSubstr("number; let the producer write it in decimal"));
  EXPECT_THAT(decoding.Decode("a,b,\"1,5\",5,").detail, HasSubstr("{from, decimal: \",\"}"));
  EXPECT_THAT(decoding.Decode("a,b,1,5,put").detail,
              HasSubstr("operation (column \"op\"): \"put\" is not an operation; it must be add"));
  EXPECT_EQ(decoding.Decode(",b,1,5,").detail, "source (column \"from\") is empty" + kAbsent);
  const std::string umlauts = "a,b," + std::string(59, 'x') + "\u00e4\u00e4,5,";
  EXPECT_THAT(decoding.Decode(umlauts).detail, HasSubstr(std::string(59, 'x') + "...\""));
}

TEST(CsvDecoderTest, AHeaderThatLacksAMappedColumnIsAnError) {
  EXPECT_EQ(ErrorFor("from,to,weight,ts,op"),
            "column \"w\" is not in the header, which has: from, to, weight, ts, op");
  EXPECT_EQ(ErrorFor(""), "column \"from\": there is no header row");
  EXPECT_THAT(
      ErrorFor("from,to,w,ts,op,to"),
      HasSubstr("column \"to\" is in the header twice, as columns 2 and 6: give all columns "
                "by number, and skip the header with skip_rows"));
  EXPECT_EQ(ErrorFor("from,to,w,ts,op,x,x"), "");
  EXPECT_THAT(ErrorFor("from,\"to,w,ts,op"), HasSubstr("the header row is broken"));
  EXPECT_THAT(
      ErrorFor("from,to\ra,b\rc,d"),
      HasSubstr("a line break outside quotes in field 2, a CR alone: lines must end in LF"));
  EXPECT_THAT(ErrorFor("from,to,w,ts,op,\xff"), HasSubstr("not UTF-8"));
  EXPECT_THAT(ErrorFor("From,to,w,ts,op"), HasSubstr("column \"from\" is not in the header"));
  EXPECT_THAT(ErrorFor("From,to,w,ts,op"), HasSubstr("; give \"From\", exactly as it is written"));
  EXPECT_THAT(ErrorFor(" from, to,w,ts,op"),
              HasSubstr("which has: \" from\", \" to\", w, ts, op; give \" from\", exactly"));
}

TEST(CsvDecoderTest, TheHeaderIsNeverAnEdge) {
  FormatSpec format = Named();
  format.time_origin = TimeOrigin::kClock;
  std::get<CsvMapping>(format.mapping).weight.reset();
  std::get<CsvMapping>(format.mapping).operation.reset();
  Decoding decoding(format, kHeader);
  EXPECT_EQ(decoding.Decode(kHeader).refused, RefusalReason::kInvalidSyntax);
  EXPECT_EQ(decoding.Decode(kHeader).detail, "the row is the header again, not an edge");
  EXPECT_EQ(decoding.Decode("\"from\",to,\"w\",ts,op\r\n").detail,
            "the row is the header again, not an edge");
  EXPECT_EQ(decoding
                .Decode("\xEF\xBB\xBF"
                        "from,to,w,ts,op")
                .detail,
            "the row is the header again, not an edge");
  EXPECT_EQ(decoding.Decode("from,to,w,ts,add").source, "from");
}

TEST(CsvDecoderTest, AWrongDelimiterIsGuessed) {
  const std::pair<char, const char*> delimiters[] = {
      {';', "\";\""}, {'\t', "tab"}, {'|', "\"|\""}, {',', "\",\""}};
  for (const auto& [right, spelled] : delimiters) {
    std::string header(kHeader);
    std::ranges::replace(header, ',', right);
    std::string row = "a,b,1,5,add";
    std::ranges::replace(row, ',', right);
    for (const auto& [wrong, other] : delimiters) {
      if (wrong == right) continue;
      const std::string hint = std::string("with `delimiter: ") + spelled + "` it has 5 fields";
      FormatSpec named = Named();
      std::get<CsvMapping>(named.mapping).delimiter = wrong;
      EXPECT_THAT(ErrorFor(header, named), HasSubstr(hint));
      FormatSpec numbered = Numbered();
      std::get<CsvMapping>(numbered.mapping).delimiter = wrong;
      EXPECT_THAT(Decoding(numbered).Decode(row).detail, HasSubstr(hint));
    }
  }
  EXPECT_THAT(ErrorFor("\"from\";\"to\";\"w\";\"ts\";\"op\""),
              HasSubstr("the header row is broken"));
  EXPECT_THAT(ErrorFor("\"from\";\"to\";\"w\";\"ts\";\"op\""), HasSubstr("`delimiter: \";\"`"));
  EXPECT_THAT(ErrorFor("from;to;w;time;op"), ::testing::Not(HasSubstr("delimiter")));
  EXPECT_THAT(Decoding(Numbered()).Decode("a prose of many words;").detail,
              ::testing::Not(HasSubstr("delimiter")));
}

TEST(CsvDecoderTest, MappingsThatCannotWorkAreErrors) {
  FormatSpec mixed = Named();
  std::get<CsvMapping>(mixed.mapping).weight = 3u;
  EXPECT_THAT(ErrorFor(kHeader, mixed), HasSubstr("all be names or all be numbers"));
  FormatSpec zero = Numbered();
  std::get<CsvMapping>(zero.mapping).source = 0u;
  EXPECT_THAT(ErrorFor("", zero), HasSubstr("numbered from 1"));
  FormatSpec quote = Numbered();
  std::get<CsvMapping>(quote.mapping).delimiter = '"';
  EXPECT_THAT(ErrorFor("", quote), HasSubstr("delimiter"));
}

TEST(CsvDecoderTest, BlanksDelimitAndAreGuessed) {
  FormatSpec format = Numbered();
  auto& csv = std::get<CsvMapping>(format.mapping);
  csv.delimiter = kBlanks;
  const Decoded edge = Decoding(format).Decode(" b a\t\t? 5 ");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.source, "a");
  EXPECT_EQ(edge.target, "b");
  EXPECT_EQ(Decoding(format).Decode(" ").detail,
            "the row has 0 fields, so there is no source (column 2)");
  csv.delimiter = ',';
  EXPECT_THAT(Decoding(format).Decode("b  a \t? 5").detail,
              HasSubstr("with `delimiter: blanks` it has 4 fields"));
}

TEST(CsvDecoderTest, WithoutQuotesTheyBelongToTheKey) {
  FormatSpec format = Named();
  std::get<CsvMapping>(format.mapping).quotes = false;
  const Decoded edge = Decoding(format, kHeader).Decode("\"a,5\" b,1,5,");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.source, "\"a");
  EXPECT_EQ(edge.target, "5\" b");
  EXPECT_THAT(ErrorFor("\"from\",to,w,ts,op", format), HasSubstr("column \"from\" is not in"));
}

TEST(CsvDecoderTest, ACommentIsNeverAnEdge) {
  FormatSpec format = Named();
  std::get<CsvMapping>(format.mapping).comment = "#";
  Decoding decoding(format, kHeader);
  const Decoded comment = decoding.Decode("#a,b,1,5,add");
  EXPECT_EQ(ReasonOf(comment), "invalid_syntax");
  EXPECT_THAT(comment.detail, HasSubstr("begins with \"#\", like a comment"));
  EXPECT_EQ(decoding.Decode("a,#b,1,5,add").target, "#b");
}

TEST(CsvDecoderTest, NullsAreAbsent) {
  FormatSpec format = Named();
  format.nulls = {"-", "NULL"};
  Decoding decoding(format, kHeader);
  const Decoded edge = decoding.Decode("a,b,NULL,5,-");
  ASSERT_FALSE(edge.refused) << edge.detail;
  EXPECT_EQ(edge.event.weight, Weight::Integer(1));
  EXPECT_EQ(edge.event.operation, Operation::kAdd);
  EXPECT_EQ(decoding.Decode("null,--,1,5,").target, "--");
  const Decoded target = decoding.Decode("a,\"NULL\",1,5,");
  EXPECT_EQ(ReasonOf(target), "missing_field");
  EXPECT_EQ(target.detail,
            "target (column \"to\"): \"NULL\" is among source.format.nulls, so there is no value; "
            "correct the record, or take the text out of nulls");
  EXPECT_EQ(ReasonOf(decoding.Decode("-,b,1,5,")), "missing_field");
  EXPECT_EQ(ReasonOf(decoding.Decode("a,b,1,-,")), "missing_field");
  EXPECT_EQ(ReasonOf(decoding.Decode(",b,1,5,")), "empty_key");
  EXPECT_EQ(ReasonOf(decoding.Decode("a,NULL,1,5,remove_vertex")), "accepted");
  EXPECT_EQ(ReasonOf(decoding.Decode("a,b,-1,5,")), "accepted") << "only whole texts";
}

}  // namespace
}  // namespace sash
