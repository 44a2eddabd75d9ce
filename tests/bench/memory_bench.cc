// Memory of windows, both directions, newest view, without the dictionary: keep compared with the
// plain CSR, and 600 slices compared with 60 that hold the same uniformly random edges.
#include <cstddef>
#include <string>
#include <utility>

#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"
#include "tests/bench/slice_stream.h"
#include "tests/bench/window_cases.h"

namespace sash::bench {
namespace {

// Both directions with 4-byte targets and 8-byte offsets.
double PlainBytes(const Bench& bench) {
  const auto edges = static_cast<double>(bench.options.edges);
  const auto rows = static_cast<double>(bench.edges.id_limit) + 1;
  return 2 * (edges * 4 + rows * 8);
}

void MeasureMemory(const Bench& bench, const std::string& name, std::size_t slices) {
  const MovingWindow window(kKeepSpec, CutIntoSlices(bench.edges, 0, bench.options.edges, slices),
                            bench.edges.id_limit);
  const auto bytes = static_cast<double>(window.bytes());
  bench.report.Add(name, "MiB", Samples({bytes / kMebibyte}), Samples({bytes / PlainBytes(bench)}),
                   "plain CSR");
  bench.report.Verify(name, Difference(window.published().view,
                                       *MakePlainCsr(bench.edges, 0, bench.options.edges)));
}

// MiB of a window that has been filled and moved by a tenth of its length.
double MovedMebibytes(const Bench& bench, const BenchEdges& edges, const WindowCase& window_case,
                      std::size_t length) {
  const SliceStream stream(edges, bench.options.edges / kMostSlices * (kMostSlices / length));
  MovingWindow window(window_case.spec, stream.Range(0, length), stream.id_limit());
  const std::size_t end = length + length / 10;
  for (std::size_t i = length; i < end; ++i) {
    window.Advance([&] { return stream.At(i); });
  }
  bench.report.Verify(
      "memory_" + std::to_string(length) + "_uniform_" + std::string(window_case.name),
      Difference(window.published().view, *VisibleCsr(stream.Range(end - length, end),
                                                      window_case.spec, stream.id_limit())));
  return static_cast<double>(window.bytes()) / kMebibyte;
}

void MeasureUniform(const Bench& bench, const WindowCase& window_case) {
  BenchOptions options = bench.options;
  options.graph = GraphShape::kUniform;
  const BenchEdges edges =
      DrawCase({options, bench.edges, bench.report}, window_case, options.edges);
  const double few = MovedMebibytes(bench, edges, window_case, 60);
  const double many = MovedMebibytes(bench, edges, window_case, kMostSlices);
  const std::string name(window_case.name);
  bench.report.Add("memory_60_uniform_" + name, "MiB", Samples({few}));
  bench.report.Add("memory_600_over_60_uniform_" + name, "MiB", Samples({many}),
                   Samples({many / few}), "60 slices");
}

}  // namespace

void RunMemory(const Bench& bench) {
  bench.report.Add("memory_csr", "MiB", Samples({PlainBytes(bench) / kMebibyte}));
  MeasureMemory(bench, "memory_60_keep", 60);
  MeasureMemory(bench, "memory_600_keep", 600);
  for (const WindowCase& window_case : kPolicyCases) MeasureUniform(bench, window_case);
}

}  // namespace sash::bench
