#include "windows/durable/place_text.h"

#include <span>
#include <utility>

namespace sash {

void PutPlaces(const PartitionLog& log, ByteWriter& writer) {
  writer.Put(static_cast<std::uint8_t>(log.keeps_places()));
  if (!log.keeps_places()) return;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint32_t> edges_before;
  log.ForEachEvent([&](const BufferedEvent& event) {
    offsets.push_back(event.offset);
    edges_before.push_back(event.edges_before);
  });
  writer.PutColumn(std::span<const std::int64_t>(offsets));
  writer.PutColumn(std::span<const std::uint32_t>(edges_before));
}

std::vector<LoggedPlace> GetPlaces(std::size_t events, std::int64_t first, std::int64_t last,
                                   ByteReader& reader) {
  if (!reader.GetBool()) return {};
  const std::vector<std::int64_t> offsets = reader.GetColumn<std::int64_t>(events);
  const std::vector<std::uint32_t> edges_before = reader.GetColumn<std::uint32_t>(events);
  if (!reader.ok()) return {};
  std::vector<LoggedPlace> places;
  for (std::size_t i = 0; i < events; ++i) {
    const LoggedPlace place{offsets[i], edges_before[i]};
    const bool ascends =
        places.empty() || std::pair(places.back().offset, places.back().edges_before) <
                              std::pair(place.offset, place.edges_before);
    if (!ascends || place.offset < first || place.offset > last) reader.Refuse();
    places.push_back(place);
  }
  if (!places.empty() && (places.front().offset != first || places.back().offset != last)) {
    reader.Refuse();
  }
  return places;
}

}  // namespace sash
