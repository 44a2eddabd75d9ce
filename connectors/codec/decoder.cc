#include "connectors/codec/decoder.h"

#include <string>
#include <utility>

#include "connectors/codec/csv_decoder.h"
#include "connectors/codec/envelope_uses.h"
#include "connectors/codec/json_decoder.h"
#include "connectors/codec/time_reader.h"

namespace sash {
namespace {

bool MapsTime(const FormatSpec& format) {
  return std::visit([](const auto& mapping) { return mapping.time.has_value(); }, format.mapping);
}

}  // namespace

Result<std::unique_ptr<Decoder>> MakeDecoder(const FormatSpec& format, std::string_view header) {
  if (format.time_origin == TimeOrigin::kField && !MapsTime(format)) {
    return Error{ErrorCode::kInvalidArgument,
                 "time is taken from a field, but none is mapped to it"};
  }
  const std::size_t time_parts = std::visit(
      [](const auto& mapping) { return mapping.time_rest.more.size() + 1; }, format.mapping);
  if (time_parts > kMostParts) {
    return Error{ErrorCode::kInvalidArgument,
                 "time is joined from more than " + std::to_string(kMostParts) + " fields"};
  }
  if (Status right = CheckTimestampUnit(format); !right.ok()) {
    return std::move(right).error().Within("time");
  }
  Result<TimeReader> time = TimeReader::Make(format);
  if (!time.ok()) return std::move(time).error();
  if (const auto* json = std::get_if<JsonMapping>(&format.mapping)) {
    return MakeJsonDecoder(format, *json, std::move(time).value());
  }
  return MakeCsvDecoder(format, std::get<CsvMapping>(format.mapping), header,
                        std::move(time).value());
}

}  // namespace sash
