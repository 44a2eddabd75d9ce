#include "daemon/letters/record_judge.h"

#include <utility>

#include "connectors/codec/registry/schema_registry.h"
#include "connectors/codec/schema_frame.h"

namespace sash {

Result<std::unique_ptr<RecordJudge>> RecordJudge::Open(const FormatSpec& format) {
  std::shared_ptr<SchemaSource> schemas;
  if (format.registry) schemas = std::make_shared<SchemaRegistry>(*format.registry);
  Result<std::unique_ptr<Decoder>> decoder = MakeDecoder(format, {}, schemas);
  if (!decoder) return std::move(decoder).error();
  return std::unique_ptr<RecordJudge>(
      new RecordJudge(format, std::move(decoder).value(), std::move(schemas)));
}

RecordVerdict RecordJudge::Judge(const KafkaRecord& record, EventBatch& batch) {
  refusal_.count = 0;
  const auto frame = ParseFrame(record.value.value_or(record.key.value_or("")));
  const bool has_schemas = schemas_ != nullptr && decoder().UseOf(record.topic).has_schemas;
  if (has_schemas && frame) schemas_->Await(frame->id, kPatience);
  const std::uint64_t filtered = intake_.filtered();
  const std::uint64_t unmapped = intake_.unmapped();
  const bool decodes = intake_.Take(record, 0, batch).has_value();
  if (intake_.filtered() > filtered) return {.kind = RecordVerdict::Kind::kFiltered};
  if (intake_.unmapped() > unmapped) return {.kind = RecordVerdict::Kind::kUnmapped};
  if (decodes && refusal_.count == 0) return {};
  if (refusal_.count == 0) return {.kind = RecordVerdict::Kind::kIgnored};
  return {RecordVerdict::Kind::kRefused, refusal_.reason, refusal_.detail};
}

}  // namespace sash
