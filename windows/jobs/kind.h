// A kind: all that the rest of the program knows about a kernel. It is the struct K of the kernel's
// parameters (kinds/<kernel>.h), and beside it
//   K::kKernel                                          its name, in configurations and results
//   ParameterRows<K> RowsOf(const K&)                   its parameters (parameter.h), if it has any
//   JobTraits TraitsOf(const K&)                        what holds for a job before it runs
//   KernelRun RunKernel(const K&, const RunSetting&)    a run (kernel_run.h)
//   ResultTable Describe(const K&, const RunResult&)    the content of its result (result_table.h)
// kinds/kinds.h has the list of all kinds.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "windows/jobs/parameter.h"
#include "windows/jobs/result_rows.h"

namespace sash {

struct KernelRun;
struct RunResult;
struct RunSetting;
struct ResultTable;

struct JobTraits {
  // What a row of the result is about. A set counts as a vertex.
  enum class Rows : std::uint8_t { kNone, kPairs, kCycles, kPaths, kVertices };

  // An upper bound of the temporary memory of a run, beside the window and the previous result:
  // bytes for each visible edge, and for each id. Measured (run_bytes_test.cc), not computed.
  std::uint64_t edge_bytes = 0;
  std::uint64_t id_bytes = 0;
  std::uint64_t run_bytes = 0;  // beside these, whatever the size of the window
  bool leaves_edges_on_disk = false;

  Rows rows = Rows::kVertices;
  std::size_t lists = 1;    // of rows
  bool is_one_list = true;  // not one list for each root
  std::size_t row_bytes = sizeof(RankedVertex);

  bool compares_windows = false;  // with the window of the previous result
  bool needs_slices = false;      // the slices in which edges came (Advance::history)
  bool has_scores = true;         // rows of vertices are ranked by a score, greatest first
};

}  // namespace sash
