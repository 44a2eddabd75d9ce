#include "connectors/codec/delimiter_guess.h"

#include <fmt/format.h>

#include "connectors/codec/csv_row.h"
#include "connectors/codec/format_spec.h"

namespace sash {

std::string DelimiterText(char delimiter) {
  if (delimiter == kBlanks) return "blanks";
  return delimiter == '\t' ? "tab" : fmt::format("\"{}\"", delimiter);
}

std::string DelimiterHint(std::string_view row, char delimiter, bool quotes,
                          const FitsColumns& fits) {
  for (const char other : {',', ';', '\t', '|', ' ', kBlanks}) {
    if (other == delimiter) continue;
    if (other != kBlanks && row.find(other) == std::string_view::npos) continue;
    CsvRow split(other, quotes);
    if (split.Split(row) || !fits(split.fields(), other)) continue;
    return fmt::format("; with `delimiter: {}` it has {} fields", DelimiterText(other),
                       split.fields().size());
  }
  return "";
}

}  // namespace sash
