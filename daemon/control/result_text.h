// Results and diffs as tables for people.
//
// Thread safety: free functions over values. Invariants as in answer_text.h.
#pragma once

#include <string>

#include "daemon/control/json_value.h"

namespace sash {

// Several results, one a line.
std::string ResultListText(const JsonValue& results);

// One result with all its rows.
std::string ResultText(const JsonValue& result);

// The changes from one result to the next: for several, the figures, one a line; for one, all rows.
std::string DiffListText(const JsonValue& diffs);
std::string DiffText(const JsonValue& diff);

}  // namespace sash
