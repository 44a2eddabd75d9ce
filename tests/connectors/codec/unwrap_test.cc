// Records whose content is in an envelope or in a string.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "connectors/codec/base64.h"
#include "connectors/codec/envelope_uses.h"
#include "tests/connectors/codec/absent_field.h"
#include "tests/connectors/codec/decoding.h"

namespace sash {
namespace {

using ::testing::HasSubstr;

// Decodes records with headers.
struct Wrapped {
  explicit Wrapped(FormatSpec format) : decoding(std::move(format)) {}

  Decoded Decode(std::string_view record) {
    envelope.headers = headers;
    decoding.place.envelope = &envelope;
    return decoding.Decode(record);
  }
  Decoded DecodeTombstone(std::string_view key) {
    envelope.headers = headers;
    decoding.place.envelope = &envelope;
    return decoding.DecodeTombstone(key);
  }

  RecordEnvelope envelope{.topic = "orders"};
  std::vector<RecordHeader> headers;
  Decoding decoding;
};

FormatSpec UnwrapFormat(Unwrap unwrap, std::string source = "/from", std::string target = "/to") {
  FormatSpec format;
  JsonMapping mapping{.source = std::move(source),
                      .target = std::move(target),
                      .weight = "/w",
                      .time = {},
                      .operation = {}};
  mapping.unwrap = unwrap;
  format.mapping = std::move(mapping);
  format.time_origin = TimeOrigin::kKafka;
  return format;
}

std::string EdgeOf(const Decoded& decoded) {
  if (decoded.refused) return ReasonOf(decoded) + ": " + decoded.detail;
  return decoded.source + " " + decoded.target;
}

TEST(ConnectTest, PointersAreRelativeToThePayload) {
  Wrapped record(UnwrapFormat(Unwrap::kConnect));
  const Decoded edge = record.Decode(
      R"({"schema":{"type":"struct","from":"x"},"payload":{"from":"a\u0062","to":7,"w":2},"to":"y"})");
  EXPECT_EQ(EdgeOf(edge), "ab 7");
  EXPECT_EQ(edge.event.weight, Weight::Integer(2));
  EXPECT_EQ(EdgeOf(record.Decode(R"({"payload":{"from":"a","to":"b"}})")), "a b");
  EXPECT_EQ(EdgeOf(record.Decode(R"({"payload":{"from":"a"}})")),
            "missing_field: target /to is missing or null" + kAbsent);
}

TEST(ConnectTest, ARecordWithoutAPayloadNamesTheRemedy) {
  Wrapped record(UnwrapFormat(Unwrap::kConnect));
  for (const char* json : {R"({"from":"a","to":"b"})", R"({"schema":null,"payload":null})", "[1]",
                           "\"payload\"", R"({"a":{"payload":{"from":"a","to":"b"}}})"}) {
    const Decoded refused = record.Decode(json);
    EXPECT_EQ(ReasonOf(refused), "missing_field") << json;
    EXPECT_THAT(refused.detail, HasSubstr("the record has no payload"));
    EXPECT_THAT(refused.detail, HasSubstr("schemas.enable=false"));
  }
  EXPECT_EQ(
      EdgeOf(record.Decode(R"({"payload":{"from":"a","to":"b"})")),
      "invalid_syntax: the record is not JSON: at byte 32, there should be a comma or the end "
      "of an object, where the record ends; in a file, each line is a record");
}

TEST(ConnectTest, ThePayloadItselfMayBeAField) {
  Wrapped record(UnwrapFormat(Unwrap::kConnect, "", "$topic"));
  EXPECT_EQ(EdgeOf(record.Decode(R"({"schema":{"type":"string"},"payload":"a"})")), "a orders");
}

TEST(ConnectTest, TheKeyOfATombstoneHasTheSameEnvelope) {
  Wrapped record(UnwrapFormat(Unwrap::kConnect));
  const Decoded edge =
      record.DecodeTombstone(R"({"schema":null,"payload":{"from":"a","to":"b","w":"x"}})");
  EXPECT_EQ(EdgeOf(edge), "a b");
  EXPECT_EQ(edge.event.operation, Operation::kRemove);
  EXPECT_EQ(ReasonOf(record.DecodeTombstone(R"({"from":"a","to":"b"})")), "missing_field");
}

TEST(ConnectTest, NothingIsLeftOfTheRecordBefore) {
  Wrapped record(UnwrapFormat(Unwrap::kConnect));
  EXPECT_EQ(record.Decode(R"({"payload":{"from":"a","to":"b","w":9}})").event.weight,
            Weight::Integer(9));
  EXPECT_EQ(record.Decode(R"({"payload":{"from":"a","to":"b"}})").event.weight, Weight::Integer(1));
  EXPECT_EQ(ReasonOf(record.Decode(R"({"payload":{}})")), "missing_field");
}

TEST(ConnectTest, WhereIsRelativeToThePayloadToo) {
  FormatSpec format = UnwrapFormat(Unwrap::kConnect);
  format.where = "/w > 1";
  const auto decoder = MakeDecoder(format).value();
  EventBatch batch;
  EXPECT_FALSE(decoder->Decode(R"({"w":0,"payload":{"from":"a","to":"b","w":2}})", {}, batch));
  EXPECT_FALSE(decoder->Decode(R"({"w":2,"payload":{"from":"a","to":"b","w":0}})", {}, batch));
  ASSERT_EQ(batch.events().size(), 2u);
  EXPECT_FALSE(batch.events()[0].filtered);
  EXPECT_TRUE(batch.events()[1].filtered);
}

TEST(CloudEventsTest, AStructuredEventHasItsContentInData) {
  Wrapped record(UnwrapFormat(Unwrap::kCloudEvents));
  EXPECT_EQ(EdgeOf(record.Decode(R"({"specversion":"1.0","id":"1","source":"/s","type":"t",)"
                                 R"("data":{"from":"a","to":"b"}})")),
            "a b");
  // {"from":"c","to":"d"}
  EXPECT_EQ(EdgeOf(record.Decode(
                R"({"specversion":"1.0","data_base64":"eyJmcm9tIjoiYyIsInRvIjoiZCJ9"})")),
            "c d");
  EXPECT_EQ(EdgeOf(record.Decode(R"({"specversion":"1.0","id":"1"})")),
            "missing_field: source /from is missing or null" + kAbsent);
  const Decoded plain = record.Decode(R"({"from":"a","to":"b"})");
  EXPECT_EQ(ReasonOf(plain), "missing_field");
  EXPECT_THAT(plain.detail, HasSubstr("neither a member specversion nor a header ce_specversion"));
}

TEST(CloudEventsTest, BrokenBase64IsRefused) {
  Wrapped record(UnwrapFormat(Unwrap::kCloudEvents));
  const auto decode = [&](const std::string& data) {
    return EdgeOf(record.Decode(R"({"specversion":"1.0","data_base64":)" + data + "}"));
  };
  EXPECT_EQ(decode("5"), "wrong_type: data_base64 of the record is not a string");
  EXPECT_EQ(decode("\"e-\""), "invalid_syntax: data_base64 of the record is not Base64");
  EXPECT_EQ(decode("\"eyJh\""),  // {"a
            "invalid_syntax: the content of data_base64 is not JSON: at byte 3, it ends within a "
            "string");
  EXPECT_THAT(decode("\"Iv8i\""),
              HasSubstr("invalid_utf8: the content of data_base64 is not UTF-8: at byte 1, "));
}

TEST(CloudEventsTest, ABinaryEventHasItsContentAsItsValue) {
  Wrapped record(UnwrapFormat(Unwrap::kCloudEvents));
  record.headers = {{"ce_specversion", "1.0"}, {"ce_type", "t"}};
  EXPECT_EQ(EdgeOf(record.Decode(R"({"from":"a","to":"b","data":{"from":"x","to":"y"}})")), "a b");
  EXPECT_THAT(EdgeOf(record.Decode("{")), HasSubstr("the record is not JSON: at byte 1"));
}

TEST(CloudEventsTest, AttributesHaveTheNamesOfHeadersInBothModes) {
  FormatSpec format = UnwrapFormat(Unwrap::kCloudEvents, "$header.ce_source", "$header.ce_n");
  format.where = "$header.ce_type == 'edge'";
  Wrapped record(format);
  EXPECT_EQ(
      EdgeOf(record.Decode(
          R"({"specversion":"1.0","source":"/s\u0041","n":17,"type":"edge","data":{"w":5}})")),
      "/sA 17");
  EXPECT_EQ(
      EdgeOf(record.Decode(
          R"({"specversion":"1.0","source":"s","n":true,"type":"edge","data_base64":"e30="})")),
      "s true");
  record.headers = {
      {"ce_specversion", "1.0"}, {"ce_source", "h"}, {"ce_n", "18"}, {"ce_type", "edge"}};
  const Decoded binary = record.Decode(R"({"w":5,"source":"not this","type":"other"})");
  EXPECT_EQ(EdgeOf(binary), "h 18");
  EXPECT_EQ(binary.event.weight, Weight::Integer(5));
  EXPECT_EQ(FieldsNotInFiles(format), "") << "they may be in the value";
  const EnvelopeNeeds needs = MakeDecoder(format).value()->needs();
  EXPECT_TRUE(needs.any && needs.headers);
}

TEST(CloudEventsTest, AttributesMayBeIntegerKeys) {
  FormatSpec format = UnwrapFormat(Unwrap::kCloudEvents, "$header.ce_a", "$header.ce_b");
  format.keys = KeyKind::kInteger;
  Wrapped record(format);
  EXPECT_EQ(EdgeOf(record.Decode(R"({"specversion":"1.0","a":"17","b":18})")), "17 18");
  record.headers = {{"ce_specversion", "1.0"}, {"ce_a", "17"}, {"ce_b", "x"}};
  EXPECT_THAT(EdgeOf(record.Decode("{}")), HasSubstr("invalid_key: target $header.ce_b: \"x\""));
}

TEST(CloudEventsTest, ATombstoneHasItsAttributesInHeaders) {
  Wrapped attributes(UnwrapFormat(Unwrap::kCloudEvents, "$header.ce_source", "$header.ce_subject"));
  attributes.headers = {{"ce_source", "a"}, {"ce_subject", "b"}};
  EXPECT_EQ(EdgeOf(attributes.DecodeTombstone("any key")), "a b");
  Wrapped mixed(UnwrapFormat(Unwrap::kCloudEvents, "$header.ce_source", "/to"));
  mixed.headers = {{"ce_source", "a"}};
  EXPECT_EQ(EdgeOf(mixed.DecodeTombstone(R"({"to":"b"})")), "a b") << "the key is not an event";
}

FormatSpec TextFormat(Unwrap unwrap, std::string text_at) {
  FormatSpec format = UnwrapFormat(unwrap);
  std::get<JsonMapping>(format.mapping).text_at = std::move(text_at);
  return format;
}

TEST(TextAtTest, PointersAreRelativeToWhatTheStringHolds) {
  Wrapped record(TextFormat(Unwrap::kNone, "/log/message"));
  const Decoded edge = record.Decode(
      R"({"from":"x","log":{"message":"{\"from\":\"a\\u0062\",\"to\":\"\u00e4\",\"w\":3}"}})");
  EXPECT_EQ(EdgeOf(edge), "ab \u00e4");
  EXPECT_EQ(edge.event.weight, Weight::Integer(3));
  EXPECT_EQ(EdgeOf(record.Decode(R"({"log":{"message":"{\"from\":\"a\",\"to\":2}"}})")), "a 2");
  EXPECT_EQ(EdgeOf(record.DecodeTombstone(R"({"log":{"message":"{\"from\":1,\"to\":2}"}})")),
            "1 2");
}

TEST(TextAtTest, AStringThatIsNotJsonIsRefusedWithTheByte) {
  Wrapped record(TextFormat(Unwrap::kNone, "/m"));
  const std::string label = "the text at \"/m\" (source.format.json.text_at)";
  EXPECT_EQ(EdgeOf(record.Decode(R"({"m":"{\"from\":}"})")),
            "invalid_syntax: " + label + " is not JSON: at byte 8, there should be a value");
  EXPECT_EQ(EdgeOf(record.Decode(R"({"m":""})")),
            "invalid_syntax: " + label + " is not JSON: at byte 0, it is empty");
  EXPECT_EQ(EdgeOf(record.Decode(R"({"from":"a","to":"b"})")),
            "missing_field: " + label + " is missing or null" + kAbsent);
  const Decoded object = record.Decode(R"({"m":{"from":"a","to":"b"}})");
  EXPECT_EQ(ReasonOf(object), "wrong_type");
  EXPECT_THAT(object.detail, HasSubstr("leave out text_at"));
  EXPECT_THAT(EdgeOf(record.Decode("{")), HasSubstr("the record is not JSON: at byte 1"));
}

TEST(TextAtTest, TheStringMayBeInAnEnvelope) {
  Wrapped connect(TextFormat(Unwrap::kConnect, "/doc"));
  EXPECT_EQ(EdgeOf(connect.Decode(R"({"payload":{"doc":"{\"from\":1,\"to\":2}"}})")), "1 2");
  EXPECT_THAT(EdgeOf(connect.Decode(R"({"doc":"{\"from\":1,\"to\":2}"})")),
              HasSubstr("the record has no payload"));
  Wrapped whole(TextFormat(Unwrap::kConnect, ""));
  EXPECT_EQ(EdgeOf(whole.Decode(R"({"payload":"{\"from\":1,\"to\":2}"})")), "1 2");

  FormatSpec format = TextFormat(Unwrap::kCloudEvents, "");
  std::get<JsonMapping>(format.mapping).source = "$header.ce_source";
  Wrapped event(format);
  EXPECT_EQ(
      EdgeOf(event.Decode(R"({"specversion":"1.0","source":"s","data":"{\"from\":1,\"to\":2}"})")),
      "s 2");
  // "{\"to\":3}"
  EXPECT_EQ(EdgeOf(event.Decode(
                R"({"specversion":"1.0","source":"s","data_base64":"IntcInRvXCI6M30i"})")),
            "s 3");
  event.headers = {{"ce_specversion", "1.0"}, {"ce_source", "h"}};
  EXPECT_EQ(EdgeOf(event.Decode(R"("{\"to\":4}")")), "h 4");
}

TEST(TextAtTest, WhereIsRelativeToTheStringToo) {
  FormatSpec format = TextFormat(Unwrap::kNone, "/m");
  format.where = "/w == 2";
  const auto decoder = MakeDecoder(format).value();
  EventBatch batch;
  EXPECT_FALSE(decoder->Decode(R"({"w":0,"m":"{\"from\":1,\"to\":2,\"w\":2}"})", {}, batch));
  EXPECT_FALSE(decoder->Decode(R"({"w":2,"m":"{\"from\":1,\"to\":2,\"w\":0}"})", {}, batch));
  ASSERT_EQ(batch.events().size(), 2u);
  EXPECT_FALSE(batch.events()[0].filtered);
  EXPECT_TRUE(batch.events()[1].filtered);
}

TEST(TextAtTest, AWrongPointerIsFoundBeforeTheStart) {
  EXPECT_THAT(MakeDecoder(TextFormat(Unwrap::kNone, "m")).error().message,
              HasSubstr("text_at: JSON pointer"));
}

TEST(Base64Test, TakesExactlyWhatRfc4648Makes) {
  std::string bytes;
  const std::vector<std::pair<std::string, std::string>> vectors = {{"", ""},
                                                                    {"Zg==", "f"},
                                                                    {"Zm8=", "fo"},
                                                                    {"Zm9v", "foo"},
                                                                    {"Zm9vYg==", "foob"},
                                                                    {"Zm9vYmE=", "fooba"},
                                                                    {"+/+/", "\xfb\xff\xbf"}};
  for (const auto& [text, meaning] : vectors) {
    EXPECT_TRUE(DecodeBase64(text, bytes)) << text;
    EXPECT_EQ(bytes, meaning);
  }
  for (const char* wrong :
       {"Z", "Zg", "Zg=", "Zg===", "====", "Zh==", "Zm9=", "Z g=", "Zg==Zg==", "Zm_v", "=Zg="}) {
    EXPECT_FALSE(DecodeBase64(wrong, bytes)) << wrong;
  }
}

}  // namespace
}  // namespace sash
