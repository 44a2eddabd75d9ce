// The tags of a manifest's sections. The meaning of a tag never changes.
#pragma once

#include <cstdint>

namespace sash {

enum ManifestSection : std::uint32_t {
  kStreamSection = 1,     // clocks, numbers, partitions with their positions
  kLaneSection = 2,       // lanes, their windows, open slices without events
  kSliceSection = 3,      // the files of frozen slices
  kOpenKeySection = 4,    // the vertex keys of open slices
  kOpenEventSection = 5,  // the events of open slices, log by log
  kJournalSection = 6,    // number of the state, silence of partitions; may be missing
  kMappingSection = 16,   // how records became edges (EngineState::mapping); may be missing
  kOffsetSection = 17,    // WindowSpec::offset of every window; missing: all are 0
  kFilterSection = 18,    // what each window filters, what events pass; missing: nothing is
  kDedupeSection = 19,    // the ids of edges, lane by lane; missing: there is none
  kIdentitySection = 21,  // WindowSpec::identity of every window; missing: all are kPair
  kJoinedSection = 22,    // NewestWindow::only_joined of every window; missing: it is false
  kTypeSection = 20,      // the words of types, and the types of open events; missing: none has one
  kHistorySection = 24,   // WindowState::history of every window; missing: none has one
  kPlaceSection = 25,     // the places of open events, log by log; missing: none keeps them
  kSafeSection = 7,       // only in a rewind state: published ends, rewind positions
  kSafeJoinedSection = 23,  // those of its windows that have only joined; missing: none
  kAnchorSection = 8,       // the newest record of each partition; may be missing
};

}  // namespace sash
