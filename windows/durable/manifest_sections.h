// The sections of a manifest: their tags, which never change their meaning.
#pragma once

#include <cstdint>

namespace sash {

enum ManifestSection : std::uint32_t {
  kStreamSection = 1,     // clocks, numbers, partitions with their positions
  kLaneSection = 2,       // lanes, their windows, open slices without events
  kSliceSection = 3,      // the files of frozen slices
  kOpenKeySection = 4,    // the keys that open slices name
  kOpenEventSection = 5,  // the events in open slices, log by log
  kJournalSection = 6,    // the state's number there, how partitions stood; may be missing
  kMappingSection = 16,   // how records became edges (EngineState::mapping); may be missing
  kSafeSection = 7,       // of a rewind state alone: what was published, and from where to rewind
  kAnchorSection = 8,     // the newest record of each partition; may be missing
};

}  // namespace sash
