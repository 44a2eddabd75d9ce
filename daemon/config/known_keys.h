// Finds keys in the table (key_table.h). A section reader cannot ask for a key that is not in the
// table, a key in a file that is not in the table is an error, and a test compares
// configs/reference.yaml with the table.
//
// Patterns are dotted paths in which every index is "[]" and every free name is "*".
//
// Thread safety: pure functions; the table never changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/key_table.h"

namespace sash {

// The section of this name, which must be in the table.
const SectionSpec& SectionOf(std::string_view section);

// Null if the section has no such key.
const KeySpec* FindKey(const SectionSpec& section, std::string_view key);

std::vector<std::string_view> KeysOf(const SectionSpec& section);

// All patterns, sections included ("windows", "windows[].name"), sorted, kernels merged.
std::vector<std::string> KnownKeys();

}  // namespace sash
