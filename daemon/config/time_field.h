// The long form of a mapped time: `{from: [/date, /time], join: " ", format: ..., zone: ...}`. The
// keys other than from and join are those of source.time, mean the same, and replace those.
//
// Thread safety: none needed; used within one parse.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "daemon/config/yaml_section.h"

namespace sash {

// Whether the mapping has `time` in the long form.
bool HasLongTime(const Section& mapping);

struct LongTime {
  std::vector<Place> fields;
  std::string separator;
  bool says_how = false;  // how times are written, in place of source.time
};
// Reads the long form, except the fields themselves. `section` is its name in key_table.cc.
LongTime ReadLongTime(const Section& mapping, std::string_view section, FormatSpec& format);

// Puts the fields of a long form into a mapping.
template <typename Mapping, typename Field>
void TakeTimeFields(std::vector<Field> fields, std::string separator, Mapping& mapping) {
  if (fields.empty()) return;
  mapping.time = std::move(fields.front());
  fields.erase(fields.begin());
  if (!fields.empty()) mapping.time_rest = {std::move(fields), std::move(separator)};
}

// The text of a time in the long form. `fields` is the list as YAML.
std::string LongTimeText(std::string_view fields, std::string_view separator);

// `field`: the shapes of a field; `item`: that of a field in a list.
SectionSpec LongTimeSection(std::string_view section, std::vector<Shape> field, Text item);

}  // namespace sash
