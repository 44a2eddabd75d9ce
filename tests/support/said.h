// The content of an advance, for comparison with an advance of another engine.
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

// The names of the fields that differ, of all but `window` and `snapshot`; "" when none do.
inline std::string WhatDiffers(const Said& a, const Said& b) {
  std::string names;
  const auto look = [&](const char* name, const auto& one, const auto& other) {
    if (!(one == other)) names += std::string(names.empty() ? "" : ", ") + name;
  };
  look("start", a.start, b.start);
  look("end", a.end, b.end);
  look("watermark", a.watermark, b.watermark);
  look("gap", a.gap, b.gap);
  look("vertices", a.vertices, b.vertices);
  look("late", a.late, b.late);
  look("refused", a.refused, b.refused);
  look("accepted", a.accepted, b.accepted);
  look("slices", a.slices, b.slices);
  look("ordinal", a.ordinal, b.ordinal);
  look("offsets", a.offsets, b.offsets);
  look("rewind positions", a.rewind.positions, b.rewind.positions);
  look("published until then", a.rewind.published, b.rewind.published);
  look("newest until then", a.rewind.newest, b.rewind.newest);
  look("gap until", a.rewind.gap_until, b.rewind.gap_until);
  look("accepted before", a.rewind.accepted_before, b.rewind.accepted_before);
  look("edges", a.edges, b.edges);
  return names;
}

}  // namespace sash::testing
