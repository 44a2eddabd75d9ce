// UnreadSample: why a text has no records that the source reads, and what to do with it.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "daemon/infer/sample_origin.h"

namespace sash {

// Of text that has no lines of UTF-8. Nothing if it has.
std::optional<std::string> WhyNotLines(std::string_view text, const SampleOrigin& origin);
// Of text that begins like an array.
std::string WhyArray(std::string_view text, const SampleOrigin& origin);
// Of lines that begin like objects: of `lines`, `broken` are none.
std::string WhyNotObjects(const SampleOrigin& origin, std::size_t broken, std::size_t lines);

}  // namespace sash
