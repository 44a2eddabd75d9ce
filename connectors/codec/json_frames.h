// JsonFrames: takes the frames (schema_frame.h) off records in JSON whose schemas are in a
// registry. The schemas themselves are not read: JSON says by itself what its fields are.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "connectors/codec/decoder.h"
#include "connectors/codec/schema_source.h"

namespace sash {

class JsonFrames {
 public:
  // `schemas` may be null: then every record is refused.
  explicit JsonFrames(std::shared_ptr<SchemaSource> schemas) : schemas_(std::move(schemas)) {}

  // Afterwards `record` is its content. `what` names the record in messages: "the record".
  std::optional<Refused> TakeOff(std::string_view& record, std::string_view what);

 private:
  const std::shared_ptr<SchemaSource> schemas_;
  std::optional<std::uint32_t> last_id_;  // of a JSON Schema
};

}  // namespace sash
