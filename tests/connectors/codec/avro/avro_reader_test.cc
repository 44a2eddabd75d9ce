#include "connectors/codec/avro/avro_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "connectors/codec/avro/decimal_text.h"
#include "tests/connectors/codec/avro/avro_bytes.h"

namespace sash {
namespace {

using testing::AvroBytes;
using ::testing::HasSubstr;
using ElementKind = JsonElement::Kind;

// Reads data of one schema, with pointers that are numbered in their order.
class Reading {
 public:
  Reading(const std::string& schema, const std::vector<std::string>& pointers) {
    const Result<AvroSchema> parsed = AvroSchema::Parse({&schema, 1});
    EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().message);
    PointerNode root;
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      EXPECT_TRUE(AddPointer(pointers[i], i, root).ok());
    }
    if (parsed.ok()) plan_ = AvroPlan::Compile(parsed.value(), root);
  }

  // Empty: the datum is right.
  std::string Read(std::string_view datum) {
    datum_ = datum;  // the texts of its fields are in it
    const char* const wrong = reader_.Read(plan_, datum_, fields_);
    return wrong == nullptr ? "" : wrong;
  }
  // "absent", or its kind and its text.
  std::string Field(std::size_t number) {
    const JsonElement* const found = fields_.Find(number);
    if (found == nullptr) return "absent";
    static constexpr const char* kKinds[] = {"string", "integer", "real", "boolean",
                                             "object", "array",   "bytes"};
    return std::string(kKinds[static_cast<int>(found->kind)]) + " " + std::string(found->text);
  }
  const JsonElement* Find(std::size_t number) { return fields_.Find(number); }
  std::size_t stopped_at() const { return reader_.stopped_at(); }

 private:
  AvroPlan plan_;
  AvroReader reader_;
  std::string datum_;
  JsonScanner fields_{PointerNode()};
};

std::string RecordOf(const std::string& type) {
  return R"({"type":"record","name":"R","fields":[{"name":"f","type":)" + type + "}]}";
}
std::string WhyNot(const std::string& type, std::string_view datum) {
  Reading reading(RecordOf(type), {"/f"});
  return reading.Read(datum);
}
std::string ReadField(const std::string& type, std::string_view datum) {
  Reading reading(RecordOf(type), {"/f"});
  const std::string wrong = reading.Read(datum);
  return wrong.empty() ? reading.Field(0) : "wrong: " + wrong;
}

TEST(AvroReaderTest, NumbersHaveTheTextThatTheyHaveInJson) {
  EXPECT_EQ(ReadField("\"long\"", AvroBytes().Long(-64)), "integer -64");
  EXPECT_EQ(ReadField("\"long\"", AvroBytes().Long(std::numeric_limits<std::int64_t>::min())),
            "integer -9223372036854775808");
  EXPECT_EQ(ReadField("\"double\"", AvroBytes().RealNumber(5.0)), "real 5.0")
      << "a number with a point is not an integer";
  EXPECT_EQ(ReadField("\"double\"", AvroBytes().RealNumber(-0.0)), "real -0.0");
  EXPECT_EQ(ReadField("\"double\"", AvroBytes().RealNumber(1e300)), "real 1e+300");
  EXPECT_EQ(ReadField("\"float\"", AvroBytes().RealNumber(0.5F)), "real 0.5");
  EXPECT_EQ(ReadField("\"boolean\"", "\x01"), "boolean ");
}

TEST(AvroReaderTest, DecimalsAreExact) {
  const std::string two = R"({"type":"bytes","logicalType":"decimal","precision":9,"scale":2})";
  EXPECT_EQ(ReadField(two, AvroBytes().Text("\x04\xD2")), "real 12.34");
  EXPECT_EQ(ReadField(two, AvroBytes().Text("\xFF")), "real -0.01");
  EXPECT_EQ(ReadField(two, AvroBytes().Text(std::string_view("\0", 1))), "real 0.00");
  const std::string whole = R"({"type":"fixed","name":"W","size":32,"logicalType":"decimal",
                               "precision":77})";
  EXPECT_EQ(ReadField(whole, "\x7F" + std::string(31, '\xFF')),
            "integer 578960446186580977117854925043439539266349923328202820197287920039565648199"
            "67");
  EXPECT_EQ(ReadField(whole, "\x80" + std::string(31, '\0')),
            "integer -57896044618658097711785492504343953926634992332820282019728792003956564819"
            "968");
  EXPECT_THAT(WhyNot(two, AvroBytes().Text("")), HasSubstr("no bytes"));
  EXPECT_THAT(WhyNot(two, AvroBytes().Text(std::string(33, '\1'))), HasSubstr("256 bits"));
  EXPECT_THAT(ReadField(R"({"type":"bytes","logicalType":"decimal","precision":90,"scale":78})",
                        AvroBytes().Text("\x01")),
              HasSubstr("77 digits"));
}

TEST(AvroReaderTest, BytesAreTextIfTheyAreUtf8) {
  EXPECT_EQ(ReadField("\"bytes\"", AvroBytes().Text("ab")), "string ab");
  EXPECT_EQ(ReadField("\"bytes\"", AvroBytes().Text("\xFF")), "bytes \xFF");
  EXPECT_EQ(ReadField(R"({"type":"fixed","name":"F","size":2})", "xy"), "string xy");
  EXPECT_EQ(ReadField(R"({"type":"fixed","name":"F","size":16,"logicalType":"uuid"})",
                      "\x12\x3e\x45\x67\xe8\x9b\x12\xd3\xa4\x56\x42\x66\x14\x17\x40\x01"),
            "string 123e4567-e89b-12d3-a456-426614174001");
  EXPECT_THAT(WhyNot("\"string\"", AvroBytes().Text("\xFF")), HasSubstr("not UTF-8"));
}

TEST(AvroReaderTest, UnionsHaveNoLevelOfTheirOwn) {
  const std::string schema = RecordOf(
      R"(["null",{"type":"record","name":"In","fields":[{"name":"g","type":["null","string"]}]}])");
  Reading reading(schema, {"/f", "/f/g"});
  EXPECT_EQ(reading.Read(AvroBytes().Long(1).Long(1).Text("x")), "");
  EXPECT_EQ(reading.Field(0), "object ");
  EXPECT_EQ(reading.Field(1), "string x");
  EXPECT_EQ(reading.Read(AvroBytes().Long(1).Long(0)), "");
  EXPECT_EQ(reading.Field(1), "absent") << "nothing is left of the datum before";
  EXPECT_EQ(reading.Read(AvroBytes().Long(0)), "");
  EXPECT_EQ(reading.Field(0), "absent");
  EXPECT_THAT(reading.Read(AvroBytes().Long(2)), HasSubstr("no branch"));
  EXPECT_THAT(reading.Read(AvroBytes().Long(-1)), HasSubstr("no branch"));
}

TEST(AvroReaderTest, EntriesOfMapsAndItemsOfArraysHaveNames) {
  const std::string schema = R"({"type":"record","name":"R","fields":[
      {"name":"m","type":{"type":"map","values":["null","long"]}},
      {"name":"a","type":{"type":"array","items":"string"}}]})";
  Reading reading(schema, {"/m/x", "/a/1", "/a"});
  // A block with its size, and a key twice: the last entry counts, and a null is absent.
  const AvroBytes map = AvroBytes().Text("x").Long(1).Long(5).Text("y").Long(0);
  const AvroBytes items = AvroBytes().Text("p").Text("q");
  const auto datum = [&](const AvroBytes& second) {
    return AvroBytes()
        .Long(-2)
        .Long(static_cast<std::int64_t>(map.str().size()))
        .Raw(map)
        .Raw(second)
        .Long(0)
        .Long(1)
        .Raw(AvroBytes().Text("p"))
        .Long(1)
        .Raw(AvroBytes().Text("q"))
        .Long(0);
  };
  EXPECT_EQ(reading.Read(datum(AvroBytes())), "");
  EXPECT_EQ(reading.Field(0), "integer 5");
  EXPECT_EQ(reading.Field(1), "string q") << "in the second block";
  EXPECT_EQ(reading.Field(2), "array ");
  EXPECT_EQ(reading.Read(datum(AvroBytes().Long(1).Text("x").Long(0))), "");
  EXPECT_EQ(reading.Field(0), "absent");
}

TEST(AvroReaderTest, ARecursiveSchemaEnds) {
  const std::string schema = R"({"type":"record","name":"Node","fields":[
      {"name":"v","type":"int"},{"name":"next","type":["null","Node"]}]})";
  Reading reading(schema, {"/v", "/next/next/v"});
  const auto list = [](int nodes) {
    AvroBytes bytes;
    for (int i = 1; i <= nodes; ++i) bytes.Long(i).Long(i < nodes ? 1 : 0);
    return bytes;
  };
  EXPECT_EQ(reading.Read(list(5)), "");
  EXPECT_EQ(reading.Field(0), "integer 1");
  EXPECT_EQ(reading.Field(1), "integer 3");
  EXPECT_EQ(reading.Read(list(500)), "");
  EXPECT_THAT(reading.Read(list(2000)), HasSubstr("nested too deeply"));
}

TEST(AvroReaderTest, HostileBytesAreRefused) {
  const std::string kLongest(9, '\xFF');
  EXPECT_THAT(WhyNot("\"long\"", kLongest + "\x02"), HasSubstr("more than 64 bits"));
  EXPECT_THAT(WhyNot("\"long\"", kLongest + "\x81\x01"), HasSubstr("more than 64 bits"));
  EXPECT_EQ(WhyNot("\"long\"", kLongest + "\x01"), "");
  EXPECT_THAT(WhyNot("\"int\"", AvroBytes().Long(1LL << 31)), HasSubstr("more than 32 bits"));
  EXPECT_THAT(WhyNot("\"boolean\"", "\x02"), HasSubstr("neither 0 nor 1"));
  EXPECT_THAT(WhyNot("\"string\"", AvroBytes().Long(-1)), HasSubstr("negative"));
  EXPECT_THAT(WhyNot("\"bytes\"", AvroBytes().Long(1LL << 62)), HasSubstr("ends within a value"));
  EXPECT_THAT(WhyNot("\"double\"", "1234567"), HasSubstr("ends within a value"));
  const std::string letters = R"({"type":"enum","name":"E","symbols":["A"]})";
  EXPECT_THAT(WhyNot(letters, AvroBytes().Long(1)), HasSubstr("no symbol"));
  EXPECT_THAT(WhyNot(letters, AvroBytes().Long(-1)), HasSubstr("no symbol"));
  const std::string nulls = R"({"type":"array","items":"null"})";
  EXPECT_THAT(WhyNot(nulls, AvroBytes().Long(1LL << 60).Long(0)), HasSubstr("too many values"));
  EXPECT_EQ(WhyNot(nulls, AvroBytes().Long(1000).Long(0)), "");
  EXPECT_THAT(WhyNot(nulls, AvroBytes().Long(std::numeric_limits<std::int64_t>::min()).Long(0)),
              HasSubstr("too long"));
  const std::string numbers = R"({"type":"array","items":"int"})";
  EXPECT_THAT(WhyNot(numbers, AvroBytes().Long(-1).Long(1LL << 60).Long(7).Long(0)),
              HasSubstr("longer than the record"));
  EXPECT_THAT(WhyNot(numbers, AvroBytes().Long(-1).Long(2).Long(7).Long(0)),
              HasSubstr("another size"));
  EXPECT_EQ(WhyNot("\"long\"", AvroBytes().Long(5).Raw("x")), "something follows its value");
  EXPECT_THAT(WhyNot(R"({"type":"record","name":"Endless","fields":[{"name":"e","type":
                     "Endless"}]})",
                     ""),
              HasSubstr("nested too deeply"));
}

TEST(AvroReaderTest, ItSaysAtWhichByteItStopped) {
  Reading reading(R"({"type":"record","name":"R","fields":[
      {"name":"s","type":"string"},{"name":"b","type":"boolean"}]})",
                  {});
  EXPECT_NE(reading.Read(AvroBytes().Text("abc").Raw("\x07")), "");
  EXPECT_EQ(reading.stopped_at(), 4u);
}

TEST(AvroReaderTest, LogicalTimesSayWhatTheyCount) {
  Reading reading(RecordOf(R"(["null",{"type":"int","logicalType":"date"}])"), {"/f"});
  ASSERT_EQ(reading.Read(AvroBytes().Long(1).Long(20000)), "");
  EXPECT_EQ(reading.Find(0)->counts, JsonElement::Count::kDays);
  EXPECT_EQ(reading.Field(0), "integer 20000");
}

}  // namespace
}  // namespace sash
