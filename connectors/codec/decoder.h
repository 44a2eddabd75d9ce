// Decoder: from one record to one edge event.
//
// Thread safety: a decoder has scratch space and belongs to one thread; make one per thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/codec/format_spec.h"
#include "connectors/codec/line_judge.h"
#include "windows/base/result.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/refusal.h"

namespace sash {

// Where a record stands, and the event time it has when the time is not one of its fields.
struct RecordPlace {
  PartitionIndex partition = 0;
  std::int64_t offset = 0;
  EventTime time;
};

struct Refused {
  RefusalReason reason = RefusalReason::kInvalidSyntax;
  std::string detail;  // for a person: which field, what was found, what would be right
};

// Records of more bytes than this are refused (kTooLarge).
inline constexpr std::size_t kMaxRecordBytes = 1 << 20;

class Decoder {
 public:
  virtual ~Decoder() = default;

  // Validates the whole record. Appends its event, or leaves `batch` without one and says why.
  virtual std::optional<Refused> Decode(std::string_view record, const RecordPlace& place,
                                        EventBatch& batch) = 0;

  // A Kafka record without a value, under tombstone: remove: its mapping is applied to the record
  // key, the operation is remove, the weight and the operation field are not looked at.
  virtual std::optional<Refused> DecodeTombstone(std::string_view key, const RecordPlace& place,
                                                 EventBatch& batch) = 0;

  // Judges rows of a file that go on over several lines; lives as long as the decoder. Null when
  // records cannot, or may do so without limits.
  virtual LineJudge* line_judge() { return nullptr; }
};

// `header` is the header row of CSV with named columns (unused otherwise). Fails when a mapped
// column is not in the header.
Result<std::unique_ptr<Decoder>> MakeDecoder(const FormatSpec& format,
                                             std::string_view header = {});

}  // namespace sash
