// CSV records: one row each (csv_row.h), fields found by column.
//
// With named columns, a row must have as many fields as the header. With numbered columns there is
// no header, and the first accepted row sets the number of fields for all later rows (so a broken
// first row does not make the rest fail). The key of a tombstone needs only the mapped columns.
//
// Thread safety: that of Decoder.
#pragma once

#include <memory>
#include <string_view>

#include "connectors/codec/decoder.h"
#include "connectors/codec/time_reader.h"

namespace sash {

Result<std::unique_ptr<Decoder>> MakeCsvDecoder(const FormatSpec& format, const CsvMapping& mapping,
                                                std::string_view header, TimeReader time);

}  // namespace sash
