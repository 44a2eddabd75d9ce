// The places of the events of an open slice in their partition (PartitionLog::keeps_places) as
// bytes of a manifest.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/durable/byte_text.h"
#include "windows/ingest/partition_log.h"

namespace sash {

struct LoggedPlace {
  std::int64_t offset = 0;
  std::uint32_t edges_before = 0;  // BufferedEvent::edges_before
};

void PutPlaces(const PartitionLog& log, ByteWriter& writer);

// The places of a log of so many events, from the first offset to the last. Empty: it has none.
// Refuses the bytes if offsets and places do not ascend from the first to the last offset.
std::vector<LoggedPlace> GetPlaces(std::size_t events, std::int64_t first, std::int64_t last,
                                   ByteReader& reader);

}  // namespace sash
