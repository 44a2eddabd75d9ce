#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "connectors/codec/avro/avro_plan.h"
#include "connectors/codec/avro/avro_reader.h"
#include "connectors/codec/avro/avro_schema.h"
#include "tests/connectors/codec/avro/avro_bytes.h"
#include "tests/support/counted_allocations.h"

namespace sash {
namespace {

TEST(AvroAllocationTest, ReadingADatumAllocatesNothing) {
  const std::string text = R"({"type":"record","name":"R","fields":[
      {"name":"s","type":"string"},{"name":"l","type":["null","long"]},
      {"name":"d","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},
      {"name":"r","type":"double"},{"name":"m","type":{"type":"map","values":"string"}}]})";
  const Result<AvroSchema> schema = AvroSchema::Parse({&text, 1});
  ASSERT_TRUE(schema.ok());
  PointerNode pointers;
  std::size_t number = 0;
  for (const char* pointer : {"/s", "/l", "/d", "/r", "/m/a"}) {
    ASSERT_TRUE(AddPointer(pointer, number++, pointers).ok());
  }
  const AvroPlan plan = AvroPlan::Compile(schema.value(), pointers);
  const std::string datum = testing::AvroBytes()
                                .Text("a text that is longer than a short string")
                                .Long(1)
                                .Long(1'767'225'600'000)
                                .Text("\x04\xD2")
                                .RealNumber(2.5)
                                .Long(1)
                                .Text("a")
                                .Text("b")
                                .Long(0)
                                .str();
  JsonScanner fields{PointerNode()};
  AvroReader reader;
  const std::uint64_t before = testing::allocations;
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(reader.Read(plan, datum, fields), nullptr);
  EXPECT_EQ(testing::allocations - before, 0u);
  EXPECT_EQ(fields.Find(4)->text, "b");
}

}  // namespace
}  // namespace sash
