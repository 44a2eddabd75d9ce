// Records whose content is in an envelope.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "connectors/codec/base64.h"
#include "connectors/codec/envelope_uses.h"
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
            "missing_field: target /to is missing or null");
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
      "of an object");
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
            "missing_field: source /from is missing or null");
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
  EXPECT_EQ(decode("\"Iv8i\""), "invalid_utf8: the content of data_base64 is not UTF-8");
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
