// JSON records, and records of other formats whose fields have paths as in JSON (Avro): the whole
// record is validated, fields are found by JSON pointer.
//
// If an object has the same member twice, the last one counts, as in most parsers. A null member
// is treated as missing.
//
// Thread safety: that of Decoder.
#pragma once

#include <memory>

#include "connectors/codec/decoder.h"
#include "connectors/codec/time_reader.h"

namespace sash {

Result<std::unique_ptr<Decoder>> MakeJsonDecoder(const FormatSpec& format,
                                                 const JsonMapping& mapping, TimeReader time,
                                                 std::shared_ptr<SchemaSource> schemas);

}  // namespace sash
