// A short stream over windows of every axis. Each step leaves something for a checkpoint to store:
// open slices, late and refused records, removals, weights of every kind, a recycled id.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/reference_stream.h"
#include "windows/ingest/time_policy.h"
#include "windows/slide/window_spec.h"

namespace sash::testing {

inline std::vector<WindowSpec> SmallWindows() {
  return {{.name = "times", .length = 30, .slide = 10, .duplicates = DuplicatesPolicy::kWeigh},
          {.name = "for ever", .length = {}, .slide = 20},
          {.name = "numbers", .by = WindowAxis::kEvents, .length = 6, .slide = 3}};
}

// The comparisons of jobs on them (EngineSurroundings::compared): by the windows themselves, and by
// two followers.
inline std::map<std::string, std::set<std::uint32_t>> SmallCompared() {
  return {{"times", {1, 2}}, {"for ever", {1}}, {"numbers", {2}}};
}

inline TimePolicy SmallPolicy() {
  TimePolicy policy;
  policy.disorder = Duration(5);
  policy.check_ahead = false;
  policy.late = LatePolicy::kNextSlice;
  return policy;
}

// The records of one step; steps are numbered from 0.
inline std::vector<ScriptRecord> SmallStep(std::int64_t step) {
  const std::int64_t time = 10 * step;
  const std::int64_t first = 4 * step;
  return {{.partition = 0, .offset = first, .time = time, .source = step, .target = step + 1},
          {.partition = 0,
           .offset = first + 1,
           .time = time + 3,
           .source = 1,
           .target = 2,
           .weight = Weight::Integer(step - 2)},
          {.partition = 0, .offset = first + 2, .refused = true},
          {.partition = 1,
           .offset = step,
           .time = time - 1,
           .operation = step % 3 == 2 ? Operation::kRemove : Operation::kAdd,
           .source = 1,
           .target = 2,
           .weight = Weight::Real(0.5)},
          {.partition = 0, .offset = first + 3, .time = time - 40, .source = 7, .target = 8}};
}

}  // namespace sash::testing
