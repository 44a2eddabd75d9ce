#include "connectors/codec/decoder.h"

#include <string>
#include <utility>

#include "connectors/codec/csv_decoder.h"
#include "connectors/codec/envelope_uses.h"
#include "connectors/codec/json_decoder.h"
#include "connectors/codec/mapped_decoder.h"
#include "connectors/codec/mapping_rules.h"
#include "connectors/codec/time_reader.h"

namespace sash {
namespace {

Status CheckTimes(const FormatSpec& format) {
  Status sound = Ok{};
  format.ForEachEdge([&](const auto& edge) {
    if (!sound.ok()) return;
    if (format.time_origin == TimeOrigin::kField && !edge.time) {
      sound = Error{ErrorCode::kInvalidArgument,
                    "time is taken from a field, but none is mapped to it"};
    } else if (edge.time_rest.more.size() + 1 > kMostParts) {
      sound = Error{ErrorCode::kInvalidArgument,
                    "time is joined from more than " + std::to_string(kMostParts) + " fields"};
    }
  });
  return sound;
}

}  // namespace

Result<std::unique_ptr<Decoder>> MakeDecoder(const FormatSpec& format, std::string_view header,
                                             std::shared_ptr<SchemaSource> schemas) {
  if (!format.mappings.empty()) return MakeMappedDecoder(format, header, schemas);
  if (Status sound = CheckTimes(format); !sound.ok()) return std::move(sound).error();
  if (Status right = CheckTimestampUnit(format); !right.ok()) {
    return std::move(right).error().Within("time");
  }
  const std::vector<MappingFault> faults = MappingFaults(format);
  if (!faults.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 std::string(faults.front().key) + " " + faults.front().message};
  }
  Result<TimeReader> time = TimeReader::Make(format);
  if (!time.ok()) return std::move(time).error();
  if (const auto* json = std::get_if<JsonMapping>(&format.mapping)) {
    return MakeJsonDecoder(format, *json, std::move(time).value(), std::move(schemas));
  }
  return MakeCsvDecoder(format, std::get<CsvMapping>(format.mapping), header,
                        std::move(time).value());
}

}  // namespace sash
