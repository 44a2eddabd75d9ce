// The places of a record's edges as text: "1/0,4/2" is edge 0 of element 1 and edge 2 of element 4.
//
// Thread safety: pure functions.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sash {

struct EdgePlace {
  std::uint32_t element = 0;  // of the record's array; 0 if its elements give no edges
  std::uint32_t edge = 0;     // of the edges that the record, or each element, gives
  friend auto operator<=>(const EdgePlace&, const EdgePlace&) = default;
};

// A record with this header gives only the edges at these places: the others were used before.
inline constexpr std::string_view kPlacesHeader = "sash.places";

std::string PlacesText(std::span<const EdgePlace> places);

// Nothing if the text is wrong: places ascend, and there is at least one.
std::optional<std::vector<EdgePlace>> ParsePlaces(std::string_view text);

}  // namespace sash
