#include "windows/ingest/edge_places.h"

#include <charconv>
#include <cstddef>
#include <system_error>

namespace sash {
namespace {

// Takes a number from the beginning of the text.
bool TakePlaceNumber(std::string_view& text, std::uint32_t& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return true;
}

bool TakeSeparator(std::string_view& text, char separator) {
  if (!text.starts_with(separator)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string PlacesText(std::span<const EdgePlace> places) {
  std::string text;
  for (const EdgePlace place : places) {
    if (!text.empty()) text += ',';
    text += std::to_string(place.element) + '/' + std::to_string(place.edge);
  }
  return text;
}

std::optional<std::vector<EdgePlace>> ParsePlaces(std::string_view text) {
  std::vector<EdgePlace> places;
  do {
    EdgePlace place;
    const bool is_place = TakePlaceNumber(text, place.element) && TakeSeparator(text, '/') &&
                          TakePlaceNumber(text, place.edge);
    if (!is_place || (!places.empty() && place <= places.back())) return std::nullopt;
    places.push_back(place);
  } while (TakeSeparator(text, ','));
  if (!text.empty()) return std::nullopt;
  return places;
}

}  // namespace sash
