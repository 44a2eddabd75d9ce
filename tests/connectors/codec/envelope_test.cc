// Mapped fields that are beside the value of a record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "connectors/codec/envelope_field.h"
#include "connectors/codec/envelope_uses.h"
#include "tests/connectors/codec/absent_field.h"
#include "tests/connectors/codec/decoding.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using From = EnvelopeField::From;

TEST(EnvelopeFieldTest, ReadsEveryForm) {
  EXPECT_EQ(ParseEnvelopeField("$key").value(), (EnvelopeField{.from = From::kKey}));
  EXPECT_EQ(ParseEnvelopeField("$key/a/0").value(),
            (EnvelopeField{.from = From::kKey, .pointer = "/a/0"}));
  EXPECT_EQ(ParseEnvelopeField("$header.x-id.v 1").value(),
            (EnvelopeField{.from = From::kHeader, .name = "x-id.v 1"}));
  EXPECT_EQ(ParseEnvelopeField("$topic").value().from, From::kTopic);
  EXPECT_EQ(ParseEnvelopeField("$partition").value().from, From::kPartition);
  EXPECT_EQ(ParseEnvelopeField("$timestamp").value().from, From::kTimestamp);
}

TEST(EnvelopeFieldTest, WhatIsWrongNamesWhatThereIs) {
  for (const char* text : {"$", "$keys", "$key.a", "$header", "$header.", "$offset", "$Topic"}) {
    const auto field = ParseEnvelopeField(text);
    ASSERT_FALSE(field.ok()) << text;
    EXPECT_THAT(field.error().message, HasSubstr("$key, $key/pointer, $header.NAME, $topic"));
  }
  EXPECT_THAT(ParseEnvelopeField("$key/a~2").error().message, HasSubstr("~0 for ~ and ~1 for /"));
}

FormatSpec JsonBeside(JsonMapping mapping, KeyKind keys = KeyKind::kString) {
  FormatSpec format;
  format.time_origin = mapping.time ? TimeOrigin::kField : TimeOrigin::kKafka;
  format.mapping = std::move(mapping);
  format.keys = keys;
  return format;
}

FormatSpec CsvBeside(CsvMapping mapping) {
  FormatSpec format;
  format.time_origin = mapping.time ? TimeOrigin::kField : TimeOrigin::kKafka;
  format.mapping = std::move(mapping);
  return format;
}

// Decodes records that have this envelope.
struct Enveloped {
  explicit Enveloped(FormatSpec format, std::string_view columns = {})
      : decoding(std::move(format), columns) {}

  Decoded Decode(std::string_view record) {
    envelope.headers = headers;
    decoding.place.envelope = &envelope;
    return decoding.Decode(record);
  }
  Decoded DecodeTombstone(std::string_view key) {
    envelope.headers = headers;
    envelope.key = key;
    decoding.place.envelope = &envelope;
    return decoding.DecodeTombstone(key);
  }

  RecordEnvelope envelope{
      .topic = "payments", .partition = 3, .key = "k1", .timestamp_ms = 1'767'225'600'123};
  std::vector<RecordHeader> headers;
  Decoding decoding;
};

TEST(EnvelopeTest, KeysHeadersAndTopicAreKeysOfVertices) {
  JsonMapping mapping{
      .source = "$key", .target = "$header.to", .weight = "$header.w", .time = {}, .operation = {}};
  mapping.target_parts = {{{"$topic", "$partition", "/id"}, ":"}, {true, LetterCase::kUpper, "t-"}};
  Enveloped record(JsonBeside(mapping));
  record.headers = {{"to", "first"}, {"to", " last "}, {"w", "2.5"}};
  const Decoded edge = record.Decode(R"({"id":7})");
  EXPECT_EQ(edge.source, "k1") << edge.detail;
  EXPECT_EQ(edge.target, "t-LAST:PAYMENTS:3:7");
  EXPECT_EQ(edge.event.weight, Weight::Real(2.5));
}

TEST(EnvelopeTest, TimeAndOperationMayBeBesideTheValue) {
  JsonMapping mapping{.source = "/a",
                      .target = "/b",
                      .weight = {},
                      .time = "$timestamp",
                      .operation = "$header.op"};
  Enveloped record(JsonBeside(mapping));
  record.headers = {{"op", "remove"}};
  Decoded edge = record.Decode(R"({"a":"x","b":"y"})");
  EXPECT_EQ(edge.event.time.time_since_epoch(), std::chrono::milliseconds(1'767'225'600'123));
  EXPECT_EQ(edge.event.operation, Operation::kRemove);
  record.headers = {{"op", std::nullopt}};
  edge = record.Decode(R"({"a":"x","b":"y"})");
  EXPECT_EQ(edge.event.operation, Operation::kAdd) << "a header that is null is absent";
  record.envelope.timestamp_ms.reset();
  edge = record.Decode(R"({"a":"x","b":"y"})");
  EXPECT_EQ(ReasonOf(edge), "missing_field");
  EXPECT_EQ(edge.detail, "time $timestamp is missing or null" + kAbsent);
}

TEST(EnvelopeTest, AKeyThatIsJsonHasFields) {
  JsonMapping mapping{
      .source = "$key/id", .target = "$key/to/0", .weight = "$key/w", .time = {}, .operation = {}};
  Enveloped record(JsonBeside(mapping));
  record.envelope.key = R"({"id":42,"to":["\u00e4"],"w":3})";
  Decoded edge = record.Decode("{}");
  EXPECT_EQ(edge.source, "42") << edge.detail;
  EXPECT_EQ(edge.target, "\u00e4");
  EXPECT_EQ(edge.event.weight, Weight::Integer(3));
  record.envelope.key = R"({"id":42,"to":["b"]})";
  EXPECT_EQ(record.Decode("{}").event.weight, Weight::Integer(1)) << "nothing is left of the last";
  record.envelope.key = "plain";
  edge = record.Decode("{}");
  EXPECT_EQ(ReasonOf(edge), "invalid_syntax");
  EXPECT_THAT(edge.detail, HasSubstr("the record key is not JSON: at byte 0"));
  record.envelope.key.reset();
  edge = record.Decode("{}");
  EXPECT_EQ(ReasonOf(edge), "missing_field");
  EXPECT_EQ(edge.detail, "source $key/id is missing or null" + kAbsent);
}

TEST(EnvelopeTest, TextBesideTheValueMayBeAnInteger) {
  Enveloped record(JsonBeside(
      {.source = "$key", .target = "$partition", .weight = {}, .time = {}, .operation = {}},
      KeyKind::kInteger));
  record.envelope.key = "-12";
  EXPECT_EQ(record.Decode("{}").source, "-12");
  EXPECT_EQ(record.Decode("{}").target, "3");
  record.envelope.key = "k1";
  const Decoded edge = record.Decode("{}");
  EXPECT_EQ(ReasonOf(edge), "invalid_key");
  EXPECT_THAT(edge.detail, HasSubstr("source $key: \"k1\""));
}

TEST(EnvelopeTest, TextThatIsNotUtf8IsRefused) {
  Enveloped record(JsonBeside(
      {.source = "$key", .target = "$header.h", .weight = {}, .time = {}, .operation = {}}));
  record.headers = {{"h", "good"}};
  record.envelope.key = "\xff";
  Decoded edge = record.Decode("{}");
  EXPECT_EQ(ReasonOf(edge), "invalid_utf8");
  EXPECT_EQ(edge.detail, "source: the record key is not UTF-8");
  record.envelope.key = "a";
  EXPECT_EQ(record.Decode("{}").target, "good");
  record.headers = {{"h", "\xc3"}};
  EXPECT_EQ(record.Decode("{}").detail, "target: the header h is not UTF-8");
  record.envelope.key = "";
  record.headers = {{"h", "good"}};
  EXPECT_EQ(ReasonOf(record.Decode("{}")), "empty_key");
}

TEST(EnvelopeTest, ARecordThatIsLeftOutNeedsNoKey) {
  FormatSpec format = JsonBeside(
      {.source = "$key/a", .target = "/b", .weight = {}, .time = "$timestamp", .operation = {}});
  format.where = "$header.kind == 'edge'";
  const auto decoder = MakeDecoder(format).value();
  const RecordHeader headers[] = {{"kind", "other"}};
  const RecordEnvelope envelope{.topic = "payments",
                                .partition = 3,
                                .key = "not JSON",
                                .timestamp_ms = 17,
                                .headers = headers};
  const RecordPlace place{.partition = 0, .offset = 7, .time = {}, .envelope = &envelope};
  EventBatch batch;
  EXPECT_FALSE(decoder->Decode(R"({"b":"y"})", place, batch));
  ASSERT_EQ(batch.events().size(), 1u);
  EXPECT_TRUE(batch.events().back().filtered);
  EXPECT_EQ(batch.events().back().time.time_since_epoch(), std::chrono::milliseconds(17));
}

TEST(EnvelopeTest, NullsHoldBesideTheValueToo) {
  FormatSpec format = JsonBeside(
      {.source = "/a", .target = "/b", .weight = "$header.w", .time = {}, .operation = {}});
  format.nulls = {"-"};
  Enveloped record(format);
  record.headers = {{"w", "-"}};
  EXPECT_EQ(record.Decode(R"({"a":"x","b":"y"})").event.weight, Weight::Integer(1));
}

TEST(EnvelopeTest, RowsOfCsvHaveTheSameFields) {
  CsvMapping mapping{.source = EnvelopeName("$key"),
                     .target = 2u,
                     .weight = EnvelopeName("$header.w"),
                     .time = EnvelopeName("$timestamp"),
                     .operation = {}};
  mapping.target_parts.rest = {{EnvelopeName("$topic")}, "/"};
  Enveloped record(CsvBeside(mapping));
  record.headers = {{"w", "4"}};
  Decoded edge = record.Decode("x,y");
  EXPECT_EQ(edge.source, "k1") << edge.detail;
  EXPECT_EQ(edge.target, "y/payments");
  EXPECT_EQ(edge.event.weight, Weight::Integer(4));
  EXPECT_EQ(edge.event.time.time_since_epoch(), std::chrono::milliseconds(1'767'225'600'123));
  record.envelope.key.reset();
  edge = record.Decode("x,y");
  EXPECT_EQ(ReasonOf(edge), "missing_field");
  EXPECT_EQ(edge.detail, "source $key is missing or null" + kAbsent);
  record.envelope.key = "";
  EXPECT_EQ(ReasonOf(record.Decode("x,y")), "empty_key");
  EXPECT_EQ(ReasonOf(record.Decode("x")), "invalid_syntax") << "columns are still needed";
}

TEST(EnvelopeTest, AHeaderOfColumnsIsFoundWithoutAColumnOfTheTarget) {
  Enveloped record(CsvBeside({.source = "from",
                              .target = EnvelopeName("$topic"),
                              .weight = {},
                              .time = {},
                              .operation = {}}),
                   "from,kind");
  EXPECT_EQ(record.Decode("a,b").source, "a");
  EXPECT_EQ(record.Decode("a,b").target, "payments");
  EXPECT_EQ(ReasonOf(record.Decode("from,kind")), "invalid_syntax");
}

TEST(EnvelopeTest, ATombstoneHasTheSameFields) {
  Enveloped plain(JsonBeside(
      {.source = "$key", .target = "$topic", .weight = {}, .time = {}, .operation = {}}));
  const Decoded removed = plain.DecodeTombstone("not JSON");
  EXPECT_EQ(removed.source, "not JSON") << removed.detail;
  EXPECT_EQ(removed.target, "payments");
  EXPECT_EQ(removed.event.operation, Operation::kRemove);

  Enveloped mixed(
      JsonBeside({.source = "/id", .target = "$topic", .weight = {}, .time = {}, .operation = {}}));
  EXPECT_EQ(mixed.DecodeTombstone(R"({"id":"a"})").source, "a");
  EXPECT_EQ(ReasonOf(mixed.DecodeTombstone("not JSON")), "invalid_syntax");
}

TEST(EnvelopeTest, ADecoderSaysWhatItReadsBesideTheValue) {
  const auto needs = [](const FormatSpec& format) { return MakeDecoder(format).value()->needs(); };
  FormatSpec format =
      JsonBeside({.source = "/a", .target = "/b", .weight = {}, .time = {}, .operation = {}});
  EXPECT_FALSE(needs(format).any);
  format.where = "/kind == 'a'";
  EXPECT_FALSE(needs(format).any);
  format.where = "$topic == 'a'";
  EXPECT_TRUE(needs(format).any);
  EXPECT_FALSE(needs(format).headers);
  format.where = "$header.a == 'a'";
  EXPECT_TRUE(needs(format).headers);
  format.where.clear();
  std::get<JsonMapping>(format.mapping).source = "$key";
  EXPECT_TRUE(needs(format).any);
  EXPECT_FALSE(needs(format).headers);
  std::get<JsonMapping>(format.mapping).weight = "$header.w";
  EXPECT_TRUE(needs(format).headers);
}

TEST(EnvelopeTest, WrongFieldsAreFoundBeforeTheStart) {
  EXPECT_THAT(
      MakeDecoder(
          JsonBeside(
              {.source = "/a", .target = "$offset", .weight = {}, .time = {}, .operation = {}}))
          .error()
          .message,
      HasSubstr("target: `$offset` is not a field of a record"));
  FormatSpec seconds = JsonBeside(
      {.source = "/a", .target = "/b", .weight = {}, .time = "$timestamp", .operation = {}});
  seconds.time_unit = TimeUnit::kSeconds;
  EXPECT_THAT(MakeDecoder(seconds).error().message, HasSubstr("counts milliseconds"));
}

TEST(EnvelopeTest, WhatFilesDoNotHaveIsListed) {
  FormatSpec format = JsonBeside({.source = "$key/a",
                                  .target = "$topic",
                                  .weight = {},
                                  .time = "$timestamp",
                                  .operation = {}});
  format.where = "$partition == 1 && $header.h != ''";
  EXPECT_EQ(FieldsNotInFiles(format), "$key/a, $timestamp, $header.h");
}

}  // namespace
}  // namespace sash
