// Why a text has no records that the source reads, and what to do with it.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "daemon/infer/sample_origin.h"

namespace sash {

// Why the text has no lines of UTF-8; nothing if it has.
std::optional<std::string> WhyNotLines(std::string_view text, const SampleOrigin& origin);
// Why a text that begins like an array is not read.
std::string WhyArray(std::string_view text, const SampleOrigin& origin);
// Why lines that begin like objects are not read: `broken` of the `lines` are not objects.
std::string WhyNotObjects(const SampleOrigin& origin, std::size_t broken, std::size_t lines);

}  // namespace sash
