// SampleShape: the format of a sample, and the values of its fields.
//
// Thread safety: a function.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/infer/csv_dialect.h"
#include "daemon/infer/sample_origin.h"
#include "daemon/infer/sample_table.h"

namespace sash {

struct SampleShape {
  SampleTable table{};
  CsvDialect dialect{};                // of CSV
  std::string unwrap{};                // of JSON: the envelope that is taken off; empty: none
  std::size_t unreadable = 0;          // rows or lines that are not records of this format
  std::vector<std::string> reasons{};  // sentences for people
  // Why the text has no records that the source reads, and what to do. Empty: it has.
  std::string trouble{};
};

// `origin` is used in messages; rows of a topic have no header.
SampleShape FindShape(std::string_view text, const SampleOrigin& origin);

// A name or pointer as YAML: without quotes where that is safe.
std::string YamlWord(std::string_view text);

}  // namespace sash
