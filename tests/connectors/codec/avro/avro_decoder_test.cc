// Records in Avro become the same edges as the same records in JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "tests/connectors/codec/avro/avro_bytes.h"
#include "tests/connectors/codec/decoding.h"

namespace sash {
namespace {

using testing::AvroBytes;
using ::testing::HasSubstr;

constexpr const char* kPayment = R"({"type":"record","name":"Payment","fields":[
    {"name":"id","type":"long"},
    {"name":"payer","type":{"type":"record","name":"Party","fields":[
        {"name":"name","type":["null","string"]},{"name":"bank","type":"int"}]}},
    {"name":"payee","type":"Party"},
    {"name":"amount","type":["null","double",
        {"type":"bytes","logicalType":"decimal","precision":38,"scale":2}]},
    {"name":"wei","type":{"type":"fixed","name":"Wei","size":32,"logicalType":"decimal",
        "precision":77}},
    {"name":"at","type":{"type":"long","logicalType":"timestamp-micros"}},
    {"name":"day","type":{"type":"int","logicalType":"date"}},
    {"name":"seconds","type":"long"},
    {"name":"kind","type":{"type":"enum","name":"Kind","symbols":["add","remove","odd"]}},
    {"name":"urgent","type":"boolean"}]})";

// One payment, in both formats.
struct Payment {
  std::optional<std::string> from = "alice";
  int bank = 7;
  std::string to = "bob";
  std::optional<double> amount = 2.5;
  bool is_decimal = false;  // the amount is 12.34
  int kind = 0;
  bool urgent = false;

  std::string Avro() const {
    AvroBytes bytes;
    bytes.Long(900'000'000'000'000'001);
    if (from) {
      bytes.Long(1).Text(*from);
    } else {
      bytes.Long(0);
    }
    bytes.Long(bank).Long(1).Text(to).Long(-3);
    if (is_decimal) {
      bytes.Long(2).Text("\x04\xD2");
    } else if (amount) {
      bytes.Long(1).RealNumber(*amount);
    } else {
      bytes.Long(0);
    }
    bytes.Raw("\x01" + std::string(31, '\0'));  // 2 to the power of 248
    bytes.Long(1'767'225'600'123'456).Long(20'454).Long(1'767'225'600);
    return bytes.Long(kind).Raw(urgent ? "\x01" : std::string_view("\0", 1)).str();
  }
  // A double, also where it is whole.
  static std::string Text(double number) {
    const std::string text = (std::ostringstream() << number).str();
    return text.find('.') == std::string::npos ? text + ".0" : text;
  }
  std::string Json() const {
    static constexpr const char* kKinds[] = {"add", "remove", "odd"};
    const std::string money = is_decimal ? "12.34" : amount ? Text(*amount) : "null";
    return R"({"id":900000000000000001,"payer":{"name":)" +
           (from ? '"' + *from + '"' : std::string("null")) + R"(,"bank":)" + std::to_string(bank) +
           R"(},"payee":{"name":")" + to + R"(","bank":-3},"amount":)" + money +
           R"(,"wei":452312848583266388373324160190187140051835877600158453279131187530910662656,)"
           R"("at":1767225600123456,"day":20454,"seconds":1767225600,"kind":")" +
           kKinds[kind] + R"(","urgent":)" + (urgent ? "true" : "false") + "}";
  }
};

FormatSpec PaymentFormat() {
  JsonMapping mapping;
  mapping.source = "/payer/name";
  mapping.target = "/payee/name";
  mapping.weight = "/amount";
  mapping.operation = "/kind";
  mapping.time = "/at";
  FormatSpec format;
  format.mapping = mapping;
  format.time_unit = TimeUnit::kMicroseconds;
  return format;
}

// The same format for records in Avro.
FormatSpec InAvro(FormatSpec format) {
  std::get<JsonMapping>(format.mapping).avro = AvroSpec{.path = "payment.avsc", .text = kPayment};
  return format;
}

void ExpectSame(const FormatSpec& format, const Payment& payment) {
  Decoding json(format);
  Decoding avro(InAvro(format));
  const Decoded expected = json.Decode(payment.Json());
  const Decoded found = avro.Decode(payment.Avro());
  ASSERT_EQ(ReasonOf(found), ReasonOf(expected)) << found.detail << "\n" << expected.detail;
  EXPECT_EQ(found.detail, expected.detail);
  EXPECT_EQ(found.source, expected.source);
  EXPECT_EQ(found.target, expected.target);
  EXPECT_EQ(found.event.weight, expected.event.weight);
  EXPECT_EQ(found.event.time, expected.event.time);
  EXPECT_EQ(found.event.operation, expected.event.operation);
  EXPECT_EQ(found.type, expected.type);
}

TEST(AvroDecoderTest, ARecordGivesTheSameEdgeAsInJson) {
  ExpectSame(PaymentFormat(), {});
  ExpectSame(PaymentFormat(), {.to = "é€", .amount = -0.125, .kind = 1});
  ExpectSame(PaymentFormat(), {.amount = std::nullopt});
  ExpectSame(PaymentFormat(), {.amount = 5.0});
  ExpectSame(PaymentFormat(), {.is_decimal = true});
}

TEST(AvroDecoderTest, ARefusalSaysTheSameAsInJson) {
  ExpectSame(PaymentFormat(), {.from = std::nullopt});
  ExpectSame(PaymentFormat(), {.from = ""});
  ExpectSame(PaymentFormat(), {.kind = 2});
  FormatSpec format = PaymentFormat();
  auto& mapping = std::get<JsonMapping>(format.mapping);
  for (const char* field : {"/amount", "/payer", "/urgent", "/missing", "/payer/missing"}) {
    mapping.source = field;
    ExpectSame(format, {});
  }
  mapping.source = "/id";
  mapping.weight = "/kind";
  ExpectSame(format, {});
}

TEST(AvroDecoderTest, EveryKindOfFieldCanBeMapped) {
  FormatSpec format = PaymentFormat();
  auto& mapping = std::get<JsonMapping>(format.mapping);
  mapping.source_parts = {.rest = {.more = {"/payer/bank", "/id"}, .separator = ":"},
                          .text = {.letters = LetterCase::kUpper, .prefix = "p:"}};
  ExpectSame(format, {});
  mapping.source = "/wei";
  mapping.source_parts = {};
  ExpectSame(format, {});
  for (const char* field : {"/kind", "/payer/bank", "/amount", "/payer"}) {
    mapping.type = field;
    ExpectSame(format, {});
  }
  mapping.type.reset();
  mapping.weight = "/wei";
  ExpectSame(format, {});
  mapping.weight = "/id";
  ExpectSame(format, {});
  mapping.time = "/seconds";
  format.time_unit = TimeUnit::kSeconds;
  ExpectSame(format, {});
  format.nulls = {"7", "2.5"};
  mapping.source = "/payer/bank";
  ExpectSame(format, {});
  format.nulls.clear();
  format.keys = KeyKind::kInteger;
  mapping.target = "/id";
  ExpectSame(format, {});
}

bool IsFiltered(const FormatSpec& format, const std::string& record) {
  EventBatch batch;
  const auto decoder = MakeDecoder(format).value();
  EXPECT_FALSE(decoder->Decode(record, RecordPlace(), batch));
  return batch.events().front().filtered;
}

TEST(AvroDecoderTest, AFilterReadsFields) {
  FormatSpec format = PaymentFormat();
  for (const char* where : {"/urgent", "/amount > 2.0 && /payee/bank == -3", "!has(/payer/name)",
                            "/kind == 'add' && /id > 900000000000000000"}) {
    format.where = where;
    for (const bool urgent : {false, true}) {
      const Payment payment{.urgent = urgent};
      EXPECT_EQ(IsFiltered(InAvro(format), payment.Avro()), IsFiltered(format, payment.Json()))
          << where;
    }
  }
}

TEST(AvroDecoderTest, TheSchemaSaysWhatATimeCounts) {
  FormatSpec format = InAvro(PaymentFormat());
  auto& mapping = std::get<JsonMapping>(format.mapping);
  const auto time = [&] { return Decoding(format).Decode(Payment().Avro()).event.time; };
  const EventTime second(std::chrono::seconds(1'767'225'600));
  format.time_unit = TimeUnit::kRfc3339;
  EXPECT_EQ(time(), second + std::chrono::microseconds(123'456));
  format.time_unit = TimeUnit::kSeconds;
  EXPECT_EQ(time(), second + std::chrono::microseconds(123'456));
  mapping.time = "/day";
  EXPECT_EQ(time(), second);
  mapping.time = "/seconds";
  EXPECT_EQ(time(), second) << "a plain number is read as the configuration says";
}

TEST(AvroDecoderTest, BytesThatAreNotOfTheSchemaSayWhere) {
  Decoding decoding(InAvro(PaymentFormat()));
  const std::string payment = Payment().Avro();
  const Decoded shorter = decoding.Decode(payment.substr(0, payment.size() - 1));
  EXPECT_EQ(shorter.refused, RefusalReason::kInvalidSyntax);
  EXPECT_THAT(shorter.detail, HasSubstr("the record is not of the schema payment.avsc: at byte " +
                                        std::to_string(payment.size() - 1)));
  EXPECT_THAT(decoding.Decode(payment + "x").detail, HasSubstr("something follows its value"));
  EXPECT_EQ(decoding.Decode(std::string(kMaxRecordBytes + 1, '\0')).refused,
            RefusalReason::kTooLarge);
  FormatSpec broken = InAvro(PaymentFormat());
  std::get<JsonMapping>(broken.mapping).avro->text = "{}";
  const auto made = MakeDecoder(broken);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message, HasSubstr("the schema payment.avsc: a type has no member"));
}

// A registry that has answered some questions.
class AnsweredSchemas final : public SchemaSource {
 public:
  void Put(std::uint32_t id, RegisteredSchema schema) {
    schemas_[id] = std::make_shared<const RegisteredSchema>(std::move(schema));
  }
  bool Ask(std::uint32_t id) override { return schemas_.contains(id); }
  bool Await(std::uint32_t id, std::chrono::milliseconds) override { return Ask(id); }
  std::shared_ptr<const RegisteredSchema> Find(std::uint32_t id) const override {
    const auto found = schemas_.find(id);
    return found == schemas_.end() ? nullptr : found->second;
  }
  std::string Trouble() const override { return "it answers 503"; }
  Counts counts() const override { return {}; }

 private:
  std::map<std::uint32_t, std::shared_ptr<const RegisteredSchema>> schemas_;
};

std::string Framed(std::uint32_t id, const std::string& content) {
  std::string frame(1, '\0');
  for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>(id >> shift);
  return frame + content;
}

class FramedRecordTest : public ::testing::Test {
 protected:
  using Kind = RegisteredSchema::Kind;

  FramedRecordTest() {
    schemas_->Put(1, {Kind::kAvro, {kPayment}});
    schemas_->Put(2, {Kind::kAvro, {R"({"type":"record","name":"P","fields":[
        {"name":"payee","type":"string"},
        {"name":"payer","type":{"type":"record","name":"Q","fields":[
            {"name":"name","type":"string"}]}},
        {"name":"at","type":"long"}]})"}});
    schemas_->Put(3, {Kind::kAvro, {R"({"type":"strange"})"}});
    schemas_->Put(4, {Kind::kJson, {}});
    schemas_->Put(5, {Kind::kOther, {"PROTOBUF"}});
    schemas_->Put(6, {Kind::kUnknown, {}});
  }

  Decoded Decode(FormatSpec format, const std::string& record, bool tombstone = false) {
    format.registry = RegistrySpec{.url = "http://registry"};
    Decoding decoding(format, "", schemas_);
    return tombstone ? decoding.DecodeTombstone(record) : decoding.Decode(record);
  }
  static FormatSpec AvroFormat() {
    FormatSpec format = PaymentFormat();
    std::get<JsonMapping>(format.mapping).avro = AvroSpec();
    return format;
  }

  std::shared_ptr<AnsweredSchemas> schemas_ = std::make_shared<AnsweredSchemas>();
};

TEST_F(FramedRecordTest, EachRecordIsReadByItsOwnSchema) {
  FormatSpec format = AvroFormat();
  format.registry = RegistrySpec{.url = "http://registry"};
  std::get<JsonMapping>(format.mapping).target = "/payee";
  Decoding decoding(format, "", schemas_);
  const std::string two = AvroBytes().Text("t").Text("s").Long(5).str();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(decoding.Decode(Framed(2, two)).target, "t");
    EXPECT_EQ(decoding.Decode(Framed(1, Payment().Avro())).refused, RefusalReason::kWrongType);
  }
}

TEST_F(FramedRecordTest, ASchemaThatCannotBeReadIsNamed) {
  const auto why = [&](std::uint32_t id) {
    const Decoded decoded = Decode(AvroFormat(), Framed(id, Payment().Avro()));
    EXPECT_EQ(decoded.refused, RefusalReason::kSchema);
    return decoded.detail;
  };
  EXPECT_THAT(why(3), HasSubstr("schema 3 is broken: the type \"strange\" is not one of Avro"));
  EXPECT_THAT(why(4), HasSubstr("schema 4 is a JSON Schema; give `json`"));
  EXPECT_THAT(why(5), HasSubstr("schema 5 is of type PROTOBUF"));
  EXPECT_THAT(why(6), HasSubstr("the schema registry knows no schema 6"));
  EXPECT_THAT(why(0xFFFFFFFF), HasSubstr("schema 4294967295 is not known: it answers 503"));
  const Decoded unframed = Decode(AvroFormat(), "1" + Payment().Avro());
  EXPECT_EQ(unframed.refused, RefusalReason::kSchema);
  EXPECT_THAT(unframed.detail, HasSubstr("has no schema number before its content"));
  const Decoded cut = Decode(AvroFormat(), Framed(1, ""));
  EXPECT_EQ(cut.refused, RefusalReason::kInvalidSyntax);
  EXPECT_THAT(cut.detail, HasSubstr("names schema 1, but is not written by it: at byte 5,"));
}

TEST_F(FramedRecordTest, JsonIsReadBehindItsFrame) {
  const std::string json = Payment().Json();
  EXPECT_EQ(Decode(PaymentFormat(), Framed(4, json)).source, "alice");
  EXPECT_EQ(Decode(PaymentFormat(), json).refused, RefusalReason::kSchema);
  const Decoded avro = Decode(PaymentFormat(), Framed(1, json));
  EXPECT_EQ(avro.refused, RefusalReason::kSchema);
  EXPECT_THAT(avro.detail, HasSubstr("schema 1 is an Avro schema; give `avro`"));
}

TEST_F(FramedRecordTest, AChangeOfARowIsReadBehindItsFrame) {
  FormatSpec format = PaymentFormat();
  JsonMapping mapping;
  mapping.source = "/from";
  mapping.target = "/to";
  mapping.time = "$record/at";
  mapping.unwrap = Unwrap::kDebezium;
  format.mapping = mapping;
  format.where = "/kind == \"sale\"";
  const std::string change =
      R"({"before":null,"after":{"from":"a","to":"b","kind":"sale"},"op":"c","at":5})";
  EXPECT_EQ(Decode(format, Framed(4, change)).source, "a");
  EXPECT_EQ(Decode(format, change).refused, RefusalReason::kSchema);
  const std::string removal = R"({"before":{"from":"a","to":"b"},"after":null,"op":"d","at":6})";
  EXPECT_THAT(Decode(format, Framed(4, removal)).detail,
              HasSubstr("before of the delete has no /kind"));
}

TEST_F(FramedRecordTest, TheKeyOfATombstoneHasItsOwnSchema) {
  FormatSpec format = AvroFormat();
  std::get<JsonMapping>(format.mapping).target = "/payee";
  const Decoded removed =
      Decode(format, Framed(2, AvroBytes().Text("t").Text("s").Long(5).str()), true);
  EXPECT_EQ(ReasonOf(removed), "accepted");
  EXPECT_EQ(removed.event.operation, Operation::kRemove);
  EXPECT_EQ(removed.source, "s");
  EXPECT_THAT(Decode(format, "t", true).detail, HasSubstr("the key of the record has no schema"));
}

TEST(AvroDecoderTest, ARecordMayGiveTheEdgeInBothDirections) {
  FormatSpec format = PaymentFormat();
  std::get<JsonMapping>(format.mapping).both_directions = true;
  const auto decoder = MakeDecoder(InAvro(format));
  ASSERT_TRUE(decoder.ok());
  const std::string record = Payment().Avro();
  EventBatch batch;
  EXPECT_FALSE(decoder.value()
                   ->Decode(record, {.partition = 0, .offset = 1, .time = {}}, batch)
                   .has_value());
  ASSERT_EQ(batch.events().size(), 2u);
  EXPECT_EQ(batch.Text(batch.events()[0].source.text()), "alice");
  EXPECT_EQ(batch.Text(batch.events()[1].source.text()), "bob");
  EXPECT_EQ(batch.Text(batch.events()[1].target.text()), "alice");
}

TEST(AvroDecoderTest, TheElementsOfAnArrayGiveNoEdges) {
  FormatSpec format = PaymentFormat();
  std::get<JsonMapping>(format.mapping).each = "/items";
  const auto decoder = MakeDecoder(InAvro(format));
  ASSERT_FALSE(decoder.ok());
  EXPECT_EQ(decoder.error().message, "each cannot be used with `avro`; leave out one of them");
}

}  // namespace
}  // namespace sash
