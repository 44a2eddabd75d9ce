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

bool TakePlace(std::string_view& text, EdgePlace& place) {
  return TakePlaceNumber(text, place.element) && TakeSeparator(text, '/') &&
         TakePlaceNumber(text, place.edge);
}

std::string PlaceText(EdgePlace place) {
  return std::to_string(place.element) + '/' + std::to_string(place.edge);
}

// "paid:1/0", "paid" or "1/0".
std::optional<MappedPlace> ParseMappedPlace(std::string_view text) {
  MappedPlace place;
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos || text.find('/') == std::string_view::npos) {
    place.mapping = text.substr(0, colon);
    if (place.mapping.empty()) return std::nullopt;
    if (colon == std::string_view::npos) return place;
    text.remove_prefix(colon + 1);
  }
  if (!TakePlace(text, place.at.emplace()) || !text.empty()) return std::nullopt;
  return place;
}

}  // namespace

std::string PlacesText(std::span<const EdgePlace> places) {
  std::string text;
  for (const EdgePlace place : places) {
    if (!text.empty()) text += ',';
    text += PlaceText(place);
  }
  return text;
}

std::optional<std::vector<EdgePlace>> ParsePlaces(std::string_view text) {
  std::vector<EdgePlace> places;
  do {
    EdgePlace place;
    if (!TakePlace(text, place) || (!places.empty() && place <= places.back())) {
      return std::nullopt;
    }
    places.push_back(place);
  } while (TakeSeparator(text, ','));
  if (!text.empty()) return std::nullopt;
  return places;
}

std::string MappedPlacesText(std::span<const MappedPlace> places) {
  std::string text;
  for (const MappedPlace& place : places) {
    if (!text.empty()) text += ',';
    text += place.mapping;
    if (!place.at) continue;
    if (!place.mapping.empty()) text += ':';
    text += PlaceText(*place.at);
  }
  return text;
}

std::optional<std::vector<MappedPlace>> ParseMappedPlaces(std::string_view text) {
  std::vector<MappedPlace> places;
  for (;;) {
    const std::size_t comma = text.find(',');
    std::optional<MappedPlace> place = ParseMappedPlace(text.substr(0, comma));
    if (!place) return std::nullopt;
    places.push_back(*std::move(place));
    if (comma == std::string_view::npos) return places;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace sash
