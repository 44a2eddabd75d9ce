// The keys of source.format.json and source.format.csv.
//
// Thread safety: none needed; used within one parse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "daemon/config/key_row.h"
#include "windows/base/result.h"

namespace sash {

// The first column that is read decides whether all columns are names or numbers.
struct CsvContext {
  struct First {
    std::string_view key;
    bool is_number;
  };
  std::optional<First> first;
};

const KeyRows<JsonMapping>& JsonRows();
const KeyRows<CsvMapping, CsvContext>& CsvRows();

// The text of a field beside the value ($key, ...), if it is one.
Result<std::string> ParseBeside(std::string_view text);

// Read the mapping into `format`. True: it says how times are written, in place of source.time.
bool ReadJsonMapping(const Section& json, FormatSpec& format);
bool ReadCsvMapping(const Section& csv, FormatSpec& format);

std::vector<SectionSpec> JsonSections();
std::vector<SectionSpec> CsvSections();

}  // namespace sash
