// SchemaHold: holds records while the schema registry has not said what the schema of the next one
// is: with several mappings, those of the topics whose mappings have a registry; otherwise all.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) A record whose schema is not known yet is not taken: its partition's position stays before
//       it. Until the answer has come, no record is taken of a partition whose topic NamesSchemas()
//       (ReadPartition::awaits_schema). Then all partitions are read again from their positions.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "connectors/codec/mapped_topics.h"
#include "connectors/codec/schema_source.h"
#include "connectors/kafka/ready_state.h"
#include "connectors/kafka/record_intake.h"
#include "windows/base/clock.h"

namespace sash {

class SchemaHold {
 public:
  // An answer that comes this soon does not stop the stream.
  static constexpr std::chrono::milliseconds kInline{50};
  // A shorter hold is not reported.
  static constexpr std::chrono::seconds kUnreported{1};

  // `schemas` is null when records name no schemas.
  SchemaHold(std::shared_ptr<SchemaSource> schemas, const FormatSpec& format, ReadyState& ready);

  // Whether the record has to wait. Then no record whose topic NamesSchemas() may be read before
  // Resolve() has succeeded.
  bool Holds(const KafkaRecord& record) {
    return schemas_ != nullptr && NamesSchemas(record.topic) &&
           HoldsFramed(record.value || !reads_keys_ ? record.value : record.key, record);
  }
  bool holding() const { return id_.has_value(); }
  // Whether the records of the topic may name schemas.
  bool NamesSchemas(std::string_view topic);

  // Waits for at most `patience`; true when the answer has come. Reports a hold that lasts.
  bool Resolve(std::chrono::milliseconds patience);

  std::uint64_t holds() const { return holds_; }  // so far
  SchemaSource::Counts counts() const {
    return schemas_ == nullptr ? SchemaSource::Counts() : schemas_->counts();
  }

 private:
  bool HoldsFramed(const std::optional<std::string_view>& framed, const KafkaRecord& record);

  const std::shared_ptr<SchemaSource> schemas_;
  const bool reads_keys_;             // of records without a value
  std::vector<MappedTopics> mapped_;  // of the mappings with a registry; none: all topics
  std::map<std::string, bool, std::less<>> topics_;  // NamesSchemas() of those seen so far
  std::string last_topic_;
  bool last_names_ = false;  // NamesSchemas() of last_topic_
  ReadyState& ready_;
  std::optional<std::uint32_t> known_;  // the last schema that could be read
  std::optional<std::uint32_t> id_;     // the schema for which the stream waits
  std::string place_;                   // of the record that waits
  SteadyTime since_{};
  std::uint64_t holds_ = 0;
};

}  // namespace sash
