// Any response of the API for people: tables, fields and paragraphs.
//
// Thread safety: free functions over values.
// Invariants: as in answer_text.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/control/json_value.h"

namespace sash {

// Any value: scalars as fields, a list of objects as a table of their members, deeper levels in
// paragraphs of their own. Figures are short; times and durations as in wording.h.
std::string DetailText(const JsonValue& value);

// An object as DetailText() shows it; `without`: members that are not shown.
std::string ObjectText(const JsonValue& object, const std::vector<std::string_view>& without);

// Appends a paragraph, behind an empty line if it is not the first.
void AppendParagraph(const std::string& paragraph, std::string& text);

}  // namespace sash
