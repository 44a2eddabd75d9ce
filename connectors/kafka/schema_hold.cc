#include "connectors/kafka/schema_hold.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "connectors/codec/schema_frame.h"
#include "connectors/kafka/log_events.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr const char* kRegistry = "registry";

}  // namespace

SchemaHold::SchemaHold(std::shared_ptr<SchemaSource> schemas, const FormatSpec& format,
                       ReadyState& ready)
    : schemas_(std::move(schemas)),
      reads_keys_(format.tombstone == TombstonePolicy::kRemove),
      ready_(ready) {
  for (const FormatSpec& mapping : format.mappings) {
    if (!mapping.registry) continue;
    Result<MappedTopics> topics = MappedTopics::Of(mapping);
    SASH_CHECK(topics.ok());  // there is a decoder for it
    mapped_.push_back(std::move(topics).value());
  }
}

bool SchemaHold::NamesSchemas(std::string_view topic) {
  if (mapped_.empty()) return true;
  if (topic == last_topic_) return last_names_;
  auto found = topics_.find(topic);
  if (found == topics_.end()) {
    const bool names = std::ranges::any_of(
        mapped_, [&](const MappedTopics& mapping) { return mapping.Take(topic); });
    found = topics_.emplace(topic, names).first;
  }
  last_topic_ = topic;
  return last_names_ = found->second;
}

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
  ready_.Set(
      kRegistry, kafka_events::kRegistryAway, "away",
      fmt::format(
          "kafka: {} at {}, whose schema {} is not known: {}. No record is lost; "
          "reading goes on by itself",
          mapped_.empty() ? "the stream waits" : "the topics of mappings with a registry wait",
          place_, *id_, trouble.empty() ? "the schema registry has not answered yet" : trouble),
      {{"schema", static_cast<std::int64_t>(*id_)}});
  return false;
}

}  // namespace sash
