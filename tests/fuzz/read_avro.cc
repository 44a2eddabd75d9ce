// Claims about Avro: any text is a schema or is refused with a reason; any bytes are a datum of a
// schema or are refused within them, the same every time; nothing is left of a datum before.
#include <string>
#include <string_view>

#include "connectors/codec/avro/avro_plan.h"
#include "connectors/codec/avro/avro_reader.h"
#include "connectors/codec/avro/avro_schema.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

constexpr const char* kEveryType = R"({"type":"record","name":"R","fields":[
    {"name":"s","type":"string"},{"name":"u","type":["null","long","R"]},
    {"name":"a","type":{"type":"array","items":["int","null"]}},
    {"name":"m","type":{"type":"map","values":{"type":"record","name":"In","fields":[
        {"name":"d","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},
        {"name":"b","type":"boolean"}]}}},
    {"name":"e","type":{"type":"enum","name":"E","symbols":["X","Y"]}},
    {"name":"f","type":{"type":"fixed","name":"F","size":16,"logicalType":"uuid"}},
    {"name":"r","type":"double"},{"name":"y","type":"bytes"}]})";
constexpr const char* kAskedFor[] = {"/s",   "/u",     "/u/s", "/u/u/e", "/a", "/a/1", "/m/k/d",
                                     "/m/b", "/m/k/b", "/e",   "/f",     "/r", "/y",   ""};

// The number of fields that the datum has, or -1 if it is refused.
int FieldsOf(AvroReader& reader, const AvroPlan& plan, std::string_view datum,
             JsonScanner& fields) {
  const char* const wrong = reader.Read(plan, datum, fields);
  SASH_CHECK(reader.stopped_at() <= datum.size());
  if (wrong != nullptr) {
    SASH_CHECK(*wrong != '\0');
    return -1;
  }
  SASH_CHECK(reader.stopped_at() == datum.size());
  int found = 0;
  for (std::size_t i = 0; i < std::size(kAskedFor); ++i) {
    const JsonElement* const element = fields.Find(i);
    if (element == nullptr) continue;
    ++found;
    std::string text(element->text);  // it can be read
    SASH_CHECK(element->kind != JsonElement::Kind::kInteger || !text.empty());
  }
  return found;
}

}  // namespace

void ReadAvro(std::string_view input) {
  Choices choices(input);
  const std::size_t what = choices.Below(2);
  const std::string text(what == 0 ? std::string_view(kEveryType) : choices.Line());
  const Result<AvroSchema> schema = AvroSchema::Parse({&text, 1});
  if (!schema.ok()) {
    SASH_CHECK(!schema.error().message.empty());
    return;
  }
  PointerNode pointers;
  for (std::size_t i = 0; i < std::size(kAskedFor); ++i) {
    SASH_CHECK(AddPointer(kAskedFor[i], i, pointers).ok());
  }
  const AvroPlan plan = AvroPlan::Compile(schema.value(), pointers);
  AvroReader reader;
  JsonScanner fields{PointerNode()};
  const std::string_view datum = choices.rest();
  const int found = FieldsOf(reader, plan, datum, fields);
  FieldsOf(reader, plan, datum.substr(0, datum.size() / 2), fields);
  SASH_CHECK(FieldsOf(reader, plan, datum, fields) == found);
}

}  // namespace sash::fuzz
