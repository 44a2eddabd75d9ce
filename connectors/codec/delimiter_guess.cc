#include "connectors/codec/delimiter_guess.h"

#include <fmt/format.h>

#include "connectors/codec/csv_row.h"

namespace sash {
namespace {

// As it is written in the configuration.
std::string Spelled(char delimiter) {
  return delimiter == '\t' ? "tab" : fmt::format("\"{}\"", delimiter);
}

}  // namespace

std::string DelimiterHint(std::string_view row, char delimiter, const FitsColumns& fits) {
  for (const char other : {',', ';', '\t', '|', ' '}) {
    if (other == delimiter || row.find(other) == std::string_view::npos) continue;
    CsvRow split(other);
    if (split.Split(row) || !fits(split.fields(), other)) continue;
    return fmt::format("; with `delimiter: {}` it has {} fields", Spelled(other),
                       split.fields().size());
  }
  return "";
}

}  // namespace sash
