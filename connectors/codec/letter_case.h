// The case of letters in UTF-8, as the C library's table of Unicode has it: one letter becomes one
// letter, in every language the same way.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "connectors/codec/format_spec.h"

namespace sash {

// Appends `text`, which is valid UTF-8, with its letters in that case.
void AppendInCase(std::string_view text, LetterCase letters, std::string& to);

}  // namespace sash
