// JSON records: the whole record is validated, fields are found by JSON pointer.
//
// Where a member is given twice in one object, the last one counts, as in most parsers. A member
// that is null is as one that is not there.
#pragma once

#include <memory>

#include "connectors/codec/decoder.h"

namespace sash {

Result<std::unique_ptr<Decoder>> MakeJsonDecoder(const FormatSpec& format,
                                                 const JsonMapping& mapping);

}  // namespace sash
