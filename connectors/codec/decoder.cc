#include "connectors/codec/decoder.h"

#include "connectors/codec/csv_decoder.h"
#include "connectors/codec/json_decoder.h"

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
  if (const auto* json = std::get_if<JsonMapping>(&format.mapping)) {
    return MakeJsonDecoder(format, *json);
  }
  return MakeCsvDecoder(format, std::get<CsvMapping>(format.mapping), header);
}

}  // namespace sash
