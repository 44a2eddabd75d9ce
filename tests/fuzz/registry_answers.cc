// Claims about what a schema registry answers: any body is an answer or is refused with a reason
// that can be shown; and whatever schema it holds, a record that names it is decoded, or refused
// for its schema or its bytes, the same every time.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "connectors/codec/decoder.h"
#include "connectors/codec/registry/registry_answer.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

constexpr std::uint32_t kSchema = 7;
constexpr std::string_view kFrame("\0\0\0\0\7", 5);

bool IsPlain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// Has one schema.
class OneSchema final : public SchemaSource {
 public:
  explicit OneSchema(RegisteredSchema schema)
      : schema_(std::make_shared<const RegisteredSchema>(std::move(schema))) {}

  bool Ask(std::uint32_t) override { return true; }
  bool Await(std::uint32_t, std::chrono::milliseconds) override { return true; }
  std::shared_ptr<const RegisteredSchema> Find(std::uint32_t id) const override {
    return id == kSchema ? schema_ : std::make_shared<const RegisteredSchema>();
  }
  std::string Trouble() const override { return ""; }
  Counts counts() const override { return {}; }

 private:
  const std::shared_ptr<const RegisteredSchema> schema_;
};

// How many edges the record gives, or why it gives none.
std::string Decoded(Decoder& decoder, std::string_view record) {
  EventBatch batch;
  const RecordPlace place{.partition = 0, .offset = 1, .time = {}, .envelope = nullptr};
  const std::optional<Refused> refused = decoder.Decode(record, place, batch);
  if (!refused) return std::to_string(batch.events().size());
  SASH_CHECK(batch.events().empty() && !refused->detail.empty());
  SASH_CHECK(refused->reason != RefusalReason::kSchema ||
             refused->detail.find("schema") != std::string::npos);
  return refused->detail;
}

void CheckRecords(const std::shared_ptr<SchemaSource>& schemas, bool is_avro,
                  std::string_view content) {
  FormatSpec format;
  format.time_origin = TimeOrigin::kKafka;
  JsonMapping mapping;
  mapping.source = "/s";
  mapping.target = "/t/s";
  mapping.weight = "/w";
  if (is_avro) mapping.avro = AvroSpec();
  format.mapping = mapping;
  format.registry = RegistrySpec{.url = "http://registry"};
  Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(format, {}, schemas);
  SASH_CHECK(decoder.ok());
  const std::string record = std::string(kFrame) + std::string(content);
  const std::string first = Decoded(*decoder.value(), record);
  Decoded(*decoder.value(), record.substr(0, record.size() / 2));
  SASH_CHECK(Decoded(*decoder.value(), record) == first);
}

}  // namespace

void RegistryAnswers(std::string_view input) {
  constexpr long kStatuses[] = {200, 404, 401, 403, 500, 0};
  Choices choices(input);
  const long status = kStatuses[choices.Below(std::size(kStatuses))];
  const bool has_reference = choices.Below(2) == 1;  // its text is the first line
  const std::string reference(has_reference ? choices.Line() : std::string_view());
  const std::string_view body = choices.Line();
  const Result<RegistryAnswer> answer = ReadRegistryAnswer(status, body);
  if (!answer.ok()) {
    SASH_CHECK(!answer.error().message.empty() && IsPlain(answer.error().message));
    SASH_CHECK(!ReadRegistryAnswer(status, body).ok());
    return;
  }
  const RegistryAnswer& found = answer.value();
  SASH_CHECK(status == 200 || found.kind == RegisteredSchema::Kind::kUnknown);
  SASH_CHECK(found.kind != RegisteredSchema::Kind::kOther || IsPlain(found.text));
  for (const RegistryAnswer::Reference& each : found.references) SASH_CHECK(!each.subject.empty());
  RegisteredSchema schema{.kind = found.kind, .texts = {}};
  if (has_reference) schema.texts.push_back(reference);
  schema.texts.push_back(found.text);
  const auto schemas = std::make_shared<OneSchema>(std::move(schema));
  for (const bool is_avro : {true, false}) CheckRecords(schemas, is_avro, choices.rest());
}

}  // namespace sash::fuzz
