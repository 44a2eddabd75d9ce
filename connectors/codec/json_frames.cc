#include "connectors/codec/json_frames.h"

#include <fmt/format.h>

#include <utility>

#include "connectors/codec/schema_frame.h"

namespace sash {

std::optional<Refused> JsonFrames::TakeOff(std::string_view& record, std::string_view what) {
  const std::optional<SchemaFrame> frame = ParseFrame(record);
  if (!frame) {
    return Refused{
        RefusalReason::kSchema,
        fmt::format("{} {}; leave out `registry` to read records without it", what, kNoFrame)};
  }
  if (frame->id != last_id_) {
    if (auto why = WhyNotReadable(schemas_.get(), RegisteredSchema::Kind::kJson, frame->id)) {
      return Refused{RefusalReason::kSchema, *std::move(why)};
    }
    last_id_ = frame->id;
  }
  record = frame->content;
  return std::nullopt;
}

}  // namespace sash
