// The keys `from` and `join` of the long form of a mapped field: one field, or several whose texts
// are joined, as in `{from: [/date, /time], join: " "}`.
//
// Thread safety: none needed; used within one parse.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/yaml_section.h"

namespace sash {

// Whether the mapping has `field` in the long form.
bool HasLongForm(const Section& mapping, std::string_view field);

struct FieldList {
  std::vector<Place> fields;  // empty after an error
  std::string separator;
};
FieldList ReadFieldList(const Section& field);

// The text of a long form. `fields` is the list as YAML; `more` are further keys (", key: value").
std::string LongFormText(std::string_view fields, std::string_view separator,
                         std::string_view more = {});

// `field`: the shapes of a field; `item`: that of a field in a list.
std::vector<KeySpec> FieldListKeys(std::vector<Shape> field, Text item);

}  // namespace sash
