#include "connectors/codec/avro/avro_records.h"

#include <fmt/format.h>

#include <utility>

#include "connectors/codec/avro/avro_schema.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/schema_frame.h"

namespace sash {
namespace {

constexpr std::string_view kWithoutRegistry =
    "for records without it, give `avro.schema` in place of `registry`";

}  // namespace

Result<std::unique_ptr<AvroRecords>> AvroRecords::OfSchema(const AvroSpec& schema,
                                                           PointerNode pointers) {
  Result<AvroSchema> parsed = AvroSchema::Parse({&schema.text, 1});
  if (!parsed.ok()) return std::move(parsed).error().Within("the schema " + schema.path);
  std::unique_ptr<AvroRecords> records(new AvroRecords(std::move(pointers)));
  records->path_ = schema.path;
  records->only_ = AvroPlan::Compile(parsed.value(), records->pointers_);
  return records;
}

std::unique_ptr<AvroRecords> AvroRecords::OfRegistry(std::shared_ptr<SchemaSource> schemas,
                                                     PointerNode pointers) {
  std::unique_ptr<AvroRecords> records(new AvroRecords(std::move(pointers)));
  records->schemas_ = std::move(schemas);
  return records;
}

std::optional<Refused> AvroRecords::Read(std::string_view record, std::string_view what,
                                         JsonScanner& fields) {
  if (auto refused = RefusedForSize(record.size())) return refused;
  if (!only_) return ReadFramed(record, what, fields);
  const char* const wrong = reader_.Read(*only_, record, fields);
  if (wrong == nullptr) return std::nullopt;
  return Refused{RefusalReason::kInvalidSyntax,
                 fmt::format("{} is not of the schema {}: at byte {}, {}; give the schema with "
                             "which it was written in `avro.schema`",
                             what, path_, reader_.stopped_at(), wrong)};
}

std::optional<Refused> AvroRecords::ReadFramed(std::string_view record, std::string_view what,
                                               JsonScanner& fields) {
  const std::optional<SchemaFrame> frame = ParseFrame(record);
  if (!frame) {
    return Refused{RefusalReason::kSchema,
                   fmt::format("{} {}; {}", what, kNoFrame, kWithoutRegistry)};
  }
  const Known* const known = last_ != nullptr && frame->id == last_id_ ? last_ : KnownOf(frame->id);
  if (!known->why.empty()) return Refused{RefusalReason::kSchema, known->why};
  const char* const wrong = reader_.Read(known->plan, frame->content, fields);
  if (wrong == nullptr) return std::nullopt;
  return Refused{RefusalReason::kInvalidSyntax,
                 fmt::format("{} names schema {}, but is not written by it: at byte {}, {}", what,
                             frame->id, reader_.stopped_at() + kFrameBytes, wrong)};
}

const AvroRecords::Known* AvroRecords::KnownOf(std::uint32_t id) {
  const auto found = known_.find(id);
  if (found != known_.end()) {
    last_id_ = id;
    return last_ = found->second.get();
  }
  unread_ = {};
  if (auto why = WhyNotReadable(schemas_.get(), RegisteredSchema::Kind::kAvro, id)) {
    unread_.why = *std::move(why);
    return &unread_;
  }
  Result<AvroSchema> parsed = AvroSchema::Parse(schemas_->Find(id)->texts);
  if (parsed.ok()) {
    unread_.plan = AvroPlan::Compile(parsed.value(), pointers_);
  } else {
    unread_.why = fmt::format("schema {} is broken: {}", id, parsed.error().message);
  }
  if (known_.size() >= kMostPlans) known_.clear();
  last_id_ = id;
  return last_ = (known_[id] = std::make_unique<Known>(std::move(unread_))).get();
}

}  // namespace sash
