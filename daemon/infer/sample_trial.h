// SampleTrial: what a configuration makes of a sample. The rows are split and decoded by the parts
// that the source itself uses.
//
// Thread safety: a function.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/config.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

struct SampleTrial {
  std::size_t records = 0;
  std::size_t edges = 0;
  std::string first_record{};  // the first that is an edge, as it is written
  std::string first_edge{};    // for people: "a" -> "b", weight 1, ...
  EventTime first_time{};
  std::string first_refusal{};          // line, reason and detail; empty: no record is refused
  std::string first_wrong_weight{};     // the same, of a weight
  std::vector<EventTime> times{};       // of the edges, in their order; empty without a time field
  std::vector<std::string> warnings{};  // keys that are probably not vertices (key_watch.h)
};

// Tries at most kMostSampleRecords. The error says why nothing can be decoded.
Result<SampleTrial> TrySample(const SourceConfig& source, std::string_view text);

}  // namespace sash
