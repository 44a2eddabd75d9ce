// What an advance says, to be compared with what another engine says.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/engine_harness.h"
#include "windows/jobs/advance.h"

namespace sash::testing {

struct Said {
  std::string window;
  std::uint64_t snapshot = 0;
  EventTime start;
  EventTime end;
  std::optional<EventTime> watermark;
  bool gap = false;
  std::uint64_t vertices = 0;
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  std::uint64_t accepted = 0;
  std::uint64_t slices = 0;
  std::int64_t ordinal = 0;
  std::map<TopicPartition, std::pair<std::int64_t, std::int64_t>> offsets;
  RewindPoint rewind;
  std::vector<ListedEdge> edges;
  friend bool operator==(const Said&, const Said&) = default;
};

inline Said WhatItSays(const Advance& advance, const VertexDictionary& keys) {
  const Provenance& about = advance.provenance;
  Said said{about.window,
            about.snapshot.value,
            about.window_start,
            about.window_end,
            about.watermark,
            about.gap,
            about.vertices,
            about.late,
            about.refused,
            about.accepted.value_or(0),
            advance.slices,
            advance.ordinal,
            {},
            advance.rewind,
            ListOut(advance.view, keys)};
  for (const auto& [place, span] : about.offsets) {
    said.offsets[place] = {span.least, span.greatest};
  }
  return said;
}

}  // namespace sash::testing
