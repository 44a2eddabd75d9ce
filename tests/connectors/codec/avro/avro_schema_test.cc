#include "connectors/codec/avro/avro_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sash {
namespace {

using Kind = AvroType::Kind;
using Logical = AvroType::Logical;

Result<AvroSchema> ParseOne(const std::string& text) { return AvroSchema::Parse({&text, 1}); }

std::string WhyBroken(const std::string& text) {
  const Result<AvroSchema> schema = ParseOne(text);
  return schema.ok() ? "it is right" : schema.error().message;
}

// The type of the only field of a record.
AvroType FieldType(const std::string& type) {
  const Result<AvroSchema> schema =
      ParseOne(R"({"type":"record","name":"R","fields":[{"name":"f","type":)" + type + "}]}");
  EXPECT_TRUE(schema.ok()) << (schema.ok() ? "" : schema.error().message);
  if (!schema.ok()) return {};
  const AvroSchema& parsed = schema.value();
  return parsed.types[parsed.types[parsed.root].fields.front().type];
}

TEST(AvroSchemaTest, LogicalTypesThatFitAreKept) {
  const auto logical = [](const std::string& type) { return FieldType(type).logical; };
  EXPECT_EQ(logical(R"({"type":"int","logicalType":"date"})"), Logical::kDate);
  EXPECT_EQ(logical(R"({"type":"long","logicalType":"timestamp-millis"})"), Logical::kMilliseconds);
  EXPECT_EQ(logical(R"({"type":"long","logicalType":"timestamp-micros"})"), Logical::kMicroseconds);
  EXPECT_EQ(logical(R"({"type":"long","logicalType":"timestamp-nanos"})"), Logical::kNanoseconds);
  EXPECT_EQ(logical(R"({"type":"string","logicalType":"uuid"})"), Logical::kUuid);
  EXPECT_EQ(logical(R"({"type":"fixed","name":"U","size":16,"logicalType":"uuid"})"),
            Logical::kUuid);
  const AvroType decimal =
      FieldType(R"({"type":"bytes","logicalType":"decimal","precision":9,"scale":2})");
  EXPECT_EQ(decimal.logical, Logical::kDecimal);
  EXPECT_EQ(decimal.scale, 2u);
  EXPECT_EQ(logical(R"({"type":{"type":"long","logicalType":"timestamp-millis"}})"),
            Logical::kMilliseconds)
      << "a type in a type";
}

TEST(AvroSchemaTest, LogicalTypesThatDoNotFitAreIgnored) {
  for (const char* type : {R"({"type":"long","logicalType":"date"})",
                           R"({"type":"int","logicalType":"timestamp-millis"})",
                           R"({"type":"string","logicalType":"decimal","precision":9})",
                           R"({"type":"bytes","logicalType":"decimal"})",
                           R"({"type":"bytes","logicalType":"decimal","precision":2,"scale":3})",
                           R"({"type":"fixed","name":"U","size":15,"logicalType":"uuid"})",
                           R"({"type":"long","logicalType":"local-timestamp-millis"})",
                           R"({"type":"long","logicalType":7})"}) {
    EXPECT_EQ(FieldType(type).logical, Logical::kNone) << type;
  }
}

TEST(AvroSchemaTest, NamesAreFoundByTheirNamespace) {
  const Result<AvroSchema> schema = ParseOne(R"({"type":"record","name":"a.b.Outer","fields":[
    {"name":"one","type":{"type":"fixed","name":"Id","size":4}},
    {"name":"two","type":{"type":"enum","name":"Id","namespace":"c","symbols":["X"]}},
    {"name":"three","type":"Id"},
    {"name":"four","type":"c.Id"},
    {"name":"five","type":["null","a.b.Outer"]}]})");
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  const AvroSchema& parsed = schema.value();
  const auto& fields = parsed.types[parsed.root].fields;
  EXPECT_EQ(fields[2].type, fields[0].type);
  EXPECT_EQ(fields[3].type, fields[1].type);
  EXPECT_EQ(parsed.types[fields[4].type].parts[1], parsed.root) << "it is recursive";
}

TEST(AvroSchemaTest, AnEarlierSchemaGivesTypesToALaterOne) {
  const std::vector<std::string> texts = {
      R"({"type":"record","name":"x.Part","fields":[]})",
      R"({"type":"record","name":"x.Whole","fields":[{"name":"p","type":"Part"}]})"};
  EXPECT_TRUE(AvroSchema::Parse(texts).ok());
  EXPECT_FALSE(AvroSchema::Parse({&texts[1], 1}).ok());
}

TEST(AvroSchemaTest, ABrokenSchemaSaysWhereItIsBroken) {
  using ::testing::HasSubstr;
  EXPECT_THAT(WhyBroken("{"), HasSubstr("the schema is not JSON"));
  EXPECT_THAT(WhyBroken("7"), HasSubstr("a type is a name, an object or a list"));
  EXPECT_THAT(WhyBroken(R"({"name":"R"})"), HasSubstr("no member \"type\""));
  EXPECT_THAT(WhyBroken(R"({"type":"record","fields":[]})"), HasSubstr("has no name"));
  EXPECT_THAT(WhyBroken(R"({"type":"record","name":"R"})"),
              HasSubstr("record \"R\": it has no list \"fields\""));
  EXPECT_THAT(WhyBroken(R"({"type":"record","name":"R","fields":[{"name":"f","type":"strng"}]})"),
              HasSubstr("record \"R\", field \"f\": the type \"strng\" is not one of Avro"));
  EXPECT_THAT(WhyBroken(R"({"type":"record","name":"R","fields":[{"name":"f"}]})"),
              HasSubstr("field \"f\": it has no type"));
  EXPECT_THAT(WhyBroken(R"({"type":"record","name":"R","fields":[
                  {"name":"f","type":"int"},{"name":"f","type":"int"}]})"),
              HasSubstr("two fields of this name"));
  EXPECT_THAT(WhyBroken(R"({"type":"record","name":"R","fields":[{"name":"f","type":
                  {"type":"record","name":"R","fields":[]}}]})"),
              HasSubstr("defined twice"));
  EXPECT_THAT(WhyBroken("[]"), HasSubstr("a union is empty"));
  EXPECT_THAT(WhyBroken(R"(["null",["int"]])"), HasSubstr("a union has a union in it"));
  EXPECT_THAT(WhyBroken(R"({"type":"fixed","name":"F","size":-1})"), HasSubstr("its size must be"));
  EXPECT_THAT(WhyBroken(R"({"type":"enum","name":"E","symbols":[1]})"),
              HasSubstr("a symbol is not a string"));
  EXPECT_THAT(WhyBroken(R"({"type":"array"})"), HasSubstr("no member \"items\""));
  std::string deep = "\"int\"";
  for (int i = 0; i < 600; ++i) deep = R"({"type":"array","items":)" + deep + "}";
  EXPECT_THAT(WhyBroken(deep), HasSubstr("nested too deeply"));
  EXPECT_THAT(WhyBroken(std::string((1 << 20) + 1, ' ')), HasSubstr("more than 1048576 bytes"));
}

}  // namespace
}  // namespace sash
