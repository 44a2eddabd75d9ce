// Error texts for results without an answer, or with a partial one.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sash {

inline constexpr std::string_view kBeyondDoubles = " beyond the range of a double (1.8e308)";

// "3 edges have a weight beyond the range of a double (1.8e308)". `one`: "edge has a weight".
std::string OverflowText(std::uint64_t count, std::string_view one, std::string_view many);

// For vertices whose value is too large, so that they are not listed. `value`: "distance".
std::string UnlistedText(std::uint64_t vertices, std::string_view value);

// For edges with negative weights. `needing`: "distances need".
std::string NegativeEdgesText(std::uint64_t edges, std::string_view needing);
// "3 negative edges", for a line on the terminal.
std::string NegativeEdgesName(std::uint64_t edges);

// For edges whose weights are too large. `consequence`: what the result lacks because of them.
std::string OverflowedEdgesText(std::uint64_t edges, std::string_view consequence);

}  // namespace sash
