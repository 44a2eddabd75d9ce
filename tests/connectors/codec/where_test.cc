#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/decoder.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// What one record becomes: "edge SOURCE TARGET", "filtered at MILLISECONDS", "nothing", or the
// reason and detail of a refusal.
class Where {
 public:
  explicit Where(FormatSpec format, std::string_view header = {}) {
    auto made = MakeDecoder(format, header);
    error = made.ok() ? "" : made.error().message;
    if (made.ok()) decoder_ = std::move(made).value();
  }

  std::string Take(std::string_view record) {
    EventBatch batch;
    RecordPlace place{.partition = 0, .offset = 7, .time = {}, .envelope = &envelope};
    if (const auto refused = decoder_->Decode(record, place, batch)) {
      return std::string(Name(refused->reason)) + ": " + refused->detail;
    }
    if (batch.events().empty()) return "nothing";
    const EdgeEvent& event = batch.events().front();
    EXPECT_EQ(event.offset, 7);
    if (!event.filtered) {
      return "edge " + std::string(batch.Text(event.source.text())) + " " +
             std::string(batch.Text(event.target.text()));
    }
    EXPECT_EQ(batch.Text(event.payload), "");
    return "filtered at " +
           std::to_string(event.time.time_since_epoch() / std::chrono::milliseconds(1));
  }

  std::string error;
  RecordEnvelope envelope{.topic = "payments", .partition = 3, .key = "k1", .timestamp_ms = 99};

 private:
  std::unique_ptr<Decoder> decoder_;
};

FormatSpec JsonWhere(std::string where) {
  FormatSpec format;
  format.mapping = JsonMapping{
      .source = "/from", .target = "/to", .weight = "/amount", .time = "/ts", .operation = {}};
  format.where = std::move(where);
  return format;
}

FormatSpec CsvWhere(std::string where) {
  FormatSpec format;
  format.mapping = CsvMapping{.source = "nameOrig",
                              .target = "nameDest",
                              .weight = "amount",
                              .time = "step",
                              .operation = {}};
  format.where = std::move(where);
  return format;
}

TEST(WhereTest, ChoosesRecordsOfJson) {
  Where where(JsonWhere(R"(/type in ["TRANSFER", "CASH_OUT"] && double(/amount) > 1000.0)"));
  ASSERT_EQ(where.error, "");
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","amount":1000.5,"ts":5,"type":"TRANSFER"})"),
            "edge a b");
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","amount":1001,"ts":5,"type":"CASH\u005fOUT"})"),
            "edge a b");
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","amount":1000,"ts":5,"type":"TRANSFER"})"),
            "filtered at 5");
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","amount":1001,"ts":6,"type":"PAYMENT"})"),
            "filtered at 6");
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","ts":7,"type":"TRANSFER"})"), "filtered at 7");
}

TEST(WhereTest, AFilteredRecordNeedsOnlyItsTime) {
  Where where(JsonWhere("/type == 'a'"));
  EXPECT_EQ(where.Take(R"({"ts":5})"), "filtered at 5");
  EXPECT_EQ(where.Take(R"({"from":3,"amount":"x","ts":5,"type":"b"})"), "filtered at 5");
  EXPECT_EQ(where.Take(R"({"from":"a","type":"b"})"), "nothing");
  EXPECT_EQ(where.Take(R"({"from":"a","type":"b","ts":"soon"})"), "nothing");
  EXPECT_THAT(where.Take(R"({"type":"b","ts":5)"), StartsWith("invalid_syntax: "));
  EXPECT_THAT(where.Take(R"({"from":"a","type":"a","ts":5})"), StartsWith("missing_field: target"));
}

TEST(WhereTest, ARecordWithoutAnAnswerIsRefused) {
  Where where(JsonWhere("/type == 'a' || /n > 5"));
  EXPECT_EQ(
      where.Take(R"({"from":"a","to":"b","ts":5,"n":"6"})"),
      "where: in source.format.where, line 1, column 20: > does not take a string and an int; "
      "convert one with int(), double() or string()");
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","ts":5,"n":"6","type":"a"})"), "edge a b");
}

TEST(WhereTest, FieldsMayBeOfEveryKind) {
  Where where(JsonWhere(
      "/b == true && has(/o) && has(/l/1) && !has(/l/2) && /o/i == 18446744073709551615.0 "
      "&& /s == 'a\"b' && /ts == 5 && !has(/z) && -12 == /i"));
  ASSERT_EQ(where.error, "");
  EXPECT_EQ(where.Take(R"({"b":true,"o":{"i":18446744073709551615},"l":[1,{}],"s":"a\"b","z":null,)"
                       R"("i":-12,"from":"a","to":"b","ts":5})"),
            "edge a b");
  EXPECT_EQ(where.Take(R"({"b":false,"ts":5})"), "filtered at 5");
}

TEST(WhereTest, TheEnvelopeOfTheRecord) {
  Where where(
      JsonWhere("$topic == 'payments' && $partition == 3 && $key == 'k1' && $timestamp == 99"));
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","ts":5})"), "edge a b");
  where.envelope.key.reset();
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","ts":5})"), "filtered at 5");
}

TEST(WhereTest, HeadersOfTheRecord) {
  Where where(JsonWhere("$header.kind == 'edge' && !has($header.`x-not`)"));
  ASSERT_EQ(where.error, "");
  const std::string record = R"({"from":"a","to":"b","ts":5})";
  EXPECT_EQ(where.Take(record), "filtered at 5");
  std::vector<RecordHeader> headers = {{"kind", "other"}, {"kind", "edge"}, {"x-not", {}}};
  where.envelope.headers = headers;
  EXPECT_EQ(where.Take(record), "edge a b") << "the last one counts, and null is absent";
  headers[2].value = "";
  EXPECT_EQ(where.Take(record), "filtered at 5");
}

TEST(WhereTest, ChoosesRowsOfCsv) {
  Where where(CsvWhere(R"(type in ["TRANSFER"] && double(amount) > 1000.0)"),
              "step,type,amount,nameOrig,nameDest");
  ASSERT_EQ(where.error, "");
  EXPECT_EQ(where.Take("1,TRANSFER,1000.01,a,b"), "edge a b");
  EXPECT_EQ(where.Take("2,TRANSFER,1000.00,a,b"), "filtered at 2");
  EXPECT_EQ(where.Take("3,PAYMENT,,a,b"), "filtered at 3");
  EXPECT_EQ(where.Take("4,TRANSFER,,a,b"), "filtered at 4");
  EXPECT_THAT(
      where.Take("5,TRANSFER,\"1,5\",a,b"),
      StartsWith("where: in source.format.where, line 1, column 25: double() cannot read \"1,5\""));
  EXPECT_THAT(where.Take("5,TRANSFER,1,a"), StartsWith("invalid_syntax: "));
}

TEST(WhereTest, ColumnsByNumber) {
  FormatSpec format;
  format.mapping =
      CsvMapping{.source = 1u, .target = 2u, .weight = {}, .time = 3u, .operation = {}};
  format.where = "$4 != 'x'";
  Where where(format);
  ASSERT_EQ(where.error, "");
  EXPECT_EQ(where.Take("a,b,5,y"), "edge a b");
  EXPECT_EQ(where.Take("a,b,6,x"), "filtered at 6");
  EXPECT_EQ(where.Take("a,b,7,"), "filtered at 7");
}

TEST(WhereTest, TextsThatMeanNoValueAreNull) {
  FormatSpec json = JsonWhere("has(/s) || /n > 0");
  json.nulls = {"-", "7"};
  Where pointers(json);
  EXPECT_EQ(pointers.Take(R"({"from":"a","to":"b","ts":5,"s":"x"})"), "edge a b");
  EXPECT_EQ(pointers.Take(R"({"from":"a","to":"b","ts":5,"s":"\u002d","n":7})"), "filtered at 5");
  EXPECT_EQ(pointers.Take(R"({"from":"a","to":"b","ts":5,"s":"-","n":8})"), "edge a b");
  FormatSpec csv = CsvWhere("has(type)");
  csv.nulls = {"-"};
  Where columns(csv, "step,type,amount,nameOrig,nameDest");
  EXPECT_EQ(columns.Take("1,-,1,a,b"), "filtered at 1");
  EXPECT_EQ(columns.Take("1,x,1,a,b"), "edge a b");
}

// A number with a fraction is not the integer before its point.
TEST(WhereTest, NumbersAreExact) {
  Where where(JsonWhere("/n > 1000 && /n < 1000.75"));
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","ts":5,"n":1000})"), "filtered at 5");
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","ts":5,"n":1000.5})"), "edge a b");
  EXPECT_EQ(where.Take(R"({"from":"a","to":"b","ts":5,"n":1.0005e3})"), "edge a b");
}

TEST(WhereTest, WrongExpressionsAreFoundBeforeTheStart) {
  EXPECT_EQ(Where(JsonWhere("/a ==")).error,
            "where: line 1, column 6: the expression ends here; a value is expected");
  EXPECT_THAT(Where(JsonWhere("`/a~2` == 1")).error, StartsWith("where: JSON pointer \"/a~2\""));
  EXPECT_THAT(Where(CsvWhere("kind == 'a'"), "step,type,amount,nameOrig,nameDest").error,
              HasSubstr("column \"kind\" is not in the header"));
}

TEST(WhereTest, AFilterMayReadAsManyFieldsAsItsLanguageAllows) {
  std::string filter;
  std::string members;
  for (int i = 1; i <= 24; ++i) {
    const std::string name = "f" + std::to_string(i);
    filter += (i > 1 ? " && int(/" : "int(/") + name + ") == " + std::to_string(i);
    members += ",\"" + name + "\":" + std::to_string(i);
  }
  Where where(JsonWhere(filter));
  ASSERT_EQ(where.error, "");
  const std::string record = R"({"from":"a","to":"b","ts":1)" + members;
  EXPECT_EQ(where.Take(record + "}"), "edge a b");
  EXPECT_EQ(where.Take(record + R"(,"f24":0})"), "filtered at 1");
}

}  // namespace
}  // namespace sash
