// Wide numbers: JSON numbers that are neither 64-bit integers nor within a double's range.
//
// They are valid JSON, and no reason to refuse a record unless a mapped field holds one; but
// simdjson stops at them. So such a record, and only such, is parsed again with each of them
// replaced by a stand-in.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sash {

// Writes `record` to `rewritten` with every wide number replaced by the same stand-in, an integer
// whose digits occur nowhere in the record: a field that has this value was a wide number. Nothing
// when the record holds no wide number. What is not JSON stays as wrong as it is.
std::optional<std::int64_t> ReplaceWideNumbers(std::string_view record, std::string& rewritten);

}  // namespace sash
