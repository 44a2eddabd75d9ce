// A stream whose events come in order, one edge per second, for tests of what windows hold at which
// time.
//
// Thread safety: pure functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "tests/support/engine_harness.h"

namespace sash::testing {

inline constexpr std::int64_t kSecond = 1'000'000'000;

// No event is late, a partition is idle after ten seconds, and event times of any year are
// accepted.
inline TimePolicy InOrder() {
  TimePolicy policy;
  policy.disorder = std::chrono::seconds(0);
  policy.idle_after = std::chrono::seconds(10);
  policy.check_ahead = false;
  return policy;
}

// One edge per second; its offset is the second.
inline std::vector<ScriptRecord> Seconds(std::int64_t first, std::int64_t last) {
  std::vector<ScriptRecord> records;
  for (std::int64_t s = first; s <= last; ++s) {
    records.push_back(
        {.offset = s, .time = s * kSecond, .source = s, .target = s + 1, .weight = {}});
  }
  return records;
}

// An edge between two vertices that no other offset has.
inline ScriptRecord EdgeAt(std::int64_t second, std::int64_t offset, std::uint32_t partition = 0) {
  return {.partition = partition,
          .offset = offset,
          .time = second * kSecond,
          .source = offset,
          .target = offset + 1,
          .weight = {}};
}

// A window named after its axis; by time, `length` and `slide` are seconds.
inline WindowSpec SpanningWindow(std::int64_t length, std::int64_t slide,
                                 WindowAxis by = WindowAxis::kEventTime) {
  const std::int64_t unit = by == WindowAxis::kEvents ? 1 : kSecond;
  WindowSpec spec;
  spec.name = by == WindowAxis::kEvents ? "events" : "time";
  spec.by = by;
  spec.length = length * unit;
  spec.slide = slide * unit;
  return spec;
}

}  // namespace sash::testing
