// CSV records: one row each (csv_row.h), fields found by column.
//
// With named columns a row must have as many fields as the header. With numbered columns there is
// no header, and the first row that is accepted sets the number for all after it (a broken first
// row must not condemn the rest). Record keys of tombstones are held to the mapped columns only.
#pragma once

#include <memory>
#include <string_view>

#include "connectors/codec/decoder.h"

namespace sash {

Result<std::unique_ptr<Decoder>> MakeCsvDecoder(const FormatSpec& format, const CsvMapping& mapping,
                                                std::string_view header);

}  // namespace sash
