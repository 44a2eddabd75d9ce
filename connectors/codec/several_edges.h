// SeveralEdges: the edges of a record that gives several: which of them are refused, and, of a
// record that is sent again, which were not used before.
//
// Thread safety: values and pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "connectors/codec/decoder.h"
#include "windows/base/clock.h"
#include "windows/ingest/edge_places.h"
#include "windows/ingest/refusal.h"

namespace sash {

// If more edges of a record are refused than this, the whole record is.
inline constexpr std::size_t kMostRefusedPlaces = 1000;

// Sets `wanted` if the record has kPlacesHeader. Returns why the record is refused, if the header
// is wrong.
std::optional<Refused> ReadWantedPlaces(const RecordEnvelope* envelope,
                                        std::optional<std::vector<EdgePlace>>& wanted);

// What is known of a record while its edges are decoded.
struct SeveralEdges {
  // `name`: of the edge, for the message. Returns why the whole record is refused, if it is.
  std::optional<Refused> NoteRefused(Refused why, EdgePlace at, const std::string& name);
  // `refused` is not empty.
  Refused WhyRefused() &&;

  std::size_t first = 0;             // its first event in the batch
  std::size_t edges = 0;             // those that are not left out
  std::optional<EdgePlace> at;       // of the edge that is decoded, if letters name it
  std::optional<EventTime> skipped;  // the newest time of its edges that are left out
  DecodeCounts counts;
  std::vector<RefusedPlace> refused;
};

}  // namespace sash
