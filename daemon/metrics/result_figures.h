// The numbers of a result, for gauges: the figures of its ResultTable, so that a new kernel needs
// nothing here, and members that every result has. Each has the name of its member in JSON.
//
// Thread safety: a value, and a pure function.
//
// Invariants
//   (1) Every number is finite, and no name comes twice. What has no finite value is left out.
//   (2) A result whose table has an error has no numbers: they would be missing or partial.
//   (3) Names do not depend on vertices, so the number of names is bounded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/jobs/run_result.h"

namespace sash {

struct ResultFigures {
  struct Number {
    std::string name;
    double value = 0;
  };
  std::vector<Number> numbers;
  bool has_error = false;
  EventTime window_end{};
};

// The numbers are
//   - the figures of the table, and of its list if there is one; not times
//   - `top_` and the name of the value of the rows: the value of the first row, if the rows are
//     ranked from the greatest value down
//   - `edges` and `vertices` of its window
//   - `iterations`, `converged` (1 or 0), and `drift` if it is known
ResultFigures FiguresOf(const RunResult& result);

}  // namespace sash
