// RecordJudge: decodes one Kafka record as the source would, or says why the source would refuse
// it.
//
// Thread safety: none.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "connectors/kafka/record_intake.h"
#include "windows/base/result.h"
#include "windows/ingest/refusal.h"

namespace sash {

// Remembers the first refusal.
class FirstRefusal final : public RefusalSink {
 public:
  void Refuse(const RefusedRecord& record) override {
    if (count++ > 0) return;
    offset = record.offset;
    reason = Name(record.reason);
    detail = record.detail;
  }
  std::uint64_t count = 0;
  std::int64_t offset = 0;
  std::string reason;
  std::string detail;
};

struct RecordVerdict {
  enum class Kind : std::uint8_t {
    kDecodes,
    kRefused,   // all its edges or some; `reason` and `detail` say why
    kIgnored,   // a tombstone, which source.format ignores
    kFiltered,  // by source.format.where, or by all of its mappings
    kUnmapped,  // no mapping takes the records of its topic
  };
  Kind kind = Kind::kDecodes;
  std::string reason{};
  std::string detail{};
};

class RecordJudge {
 public:
  // The longest wait for the schema registry, for each record.
  static constexpr std::chrono::seconds kPatience{5};

  // Returns an error for formats whose records cannot be decoded one by one.
  static Result<std::unique_ptr<RecordJudge>> Open(const FormatSpec& format);

  // The events are in `batch`, as events of partition 0; for kRefused, those of the other edges. A
  // record that is filtered has none if its time cannot be read.
  RecordVerdict Judge(const KafkaRecord& record, EventBatch& batch);
  // Has decoded the last record.
  Decoder& decoder() { return intake_.decoder(); }

 private:
  RecordJudge(const FormatSpec& format, std::unique_ptr<Decoder> decoder,
              std::shared_ptr<SchemaSource> schemas)
      : schemas_(std::move(schemas)), intake_(format, std::move(decoder), refusal_, clock_) {}

  const std::shared_ptr<SchemaSource> schemas_;  // null: records name no schemas
  FirstRefusal refusal_;
  SystemClock clock_;
  RecordIntake intake_;
};

}  // namespace sash
