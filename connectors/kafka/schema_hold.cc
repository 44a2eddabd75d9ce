#include "connectors/kafka/schema_hold.h"

#include <fmt/format.h>

#include "connectors/codec/schema_frame.h"
#include "connectors/kafka/log_events.h"

namespace sash {
namespace {

constexpr const char* kRegistry = "registry";

}  // namespace

bool SchemaHold::HoldsFramed(const std::optional<std::string_view>& framed,
                             const KafkaRecord& record) {
  if (!framed || framed->size() > kMaxRecordBytes) return false;  // refused without its schema
  const std::optional<SchemaFrame> frame = ParseFrame(*framed);
  if (!frame || frame->id == known_) return false;
  if (schemas_->Await(frame->id, kInline)) {
    // The answer that there is no such schema does not count for ever.
    const auto schema = schemas_->Find(frame->id);
    if (schema != nullptr && schema->kind != RegisteredSchema::Kind::kUnknown) known_ = frame->id;
    return false;
  }
  id_ = frame->id;
  place_ = fmt::format("{} [{}] offset {}", record.topic, record.partition, record.offset);
  since_ = std::chrono::steady_clock::now();
  ++holds_;
  return true;
}

bool SchemaHold::Resolve(std::chrono::milliseconds patience) {
  if (schemas_->Await(*id_, patience)) {
    id_.reset();
    ready_.Clear(kRegistry, kafka_events::kRegistryBack,
                 "kafka: the schema registry answers; reading goes on");
    return true;
  }
  const SteadyTime now = std::chrono::steady_clock::now();
  if (now - since_ < kUnreported) return false;
  const std::string trouble = schemas_->Trouble();
  ready_.Set(kRegistry, kafka_events::kRegistryAway, "away",
             fmt::format("kafka: the stream waits at {}, whose schema {} is not known: {}. No "
                         "record is lost; reading goes on by itself",
                         place_, *id_,
                         trouble.empty() ? "the schema registry has not answered yet" : trouble),
             {{"schema", static_cast<std::int64_t>(*id_)}});
  return false;
}

}  // namespace sash
