// The places of a record's edges as text: "1/0,4/2" is edge 0 of element 1 and edge 2 of element 4.
// If the source has several mappings: "paid:1/0,cash" is edge 0 of element 1 of the mapping `paid`,
// and all edges of the mapping `cash`.
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

// A place of a record that goes through several mappings, or through one without a name.
struct MappedPlace {
  std::string mapping{};          // the name; empty: the mapping has none
  std::optional<EdgePlace> at{};  // none: all edges of the mapping
  friend bool operator==(const MappedPlace&, const MappedPlace&) = default;
};

std::string MappedPlacesText(std::span<const MappedPlace> places);

// Nothing if the text is wrong: there is at least one place.
std::optional<std::vector<MappedPlace>> ParseMappedPlaces(std::string_view text);

}  // namespace sash
