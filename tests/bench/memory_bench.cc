// Memory of a keep window, both directions, newest view, dictionary apart, against the plain CSR.
#include <cstddef>

#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"

namespace sash::bench {
namespace {

constexpr double kMebibyte = 1 << 20;

// Both directions with 4-byte targets and 8-byte offsets.
double PlainBytes(const Bench& bench) {
  const auto edges = static_cast<double>(bench.options.edges);
  const auto rows = static_cast<double>(bench.edges.id_limit) + 1;
  return 2 * (edges * 4 + rows * 8);
}

void Measure(const Bench& bench, const std::string& name, std::size_t slices) {
  const MovingWindow window(StoreKind::kMultiversioned,
                            CutIntoSlices(bench.edges, 0, bench.options.edges, slices),
                            bench.edges.id_limit);
  const auto bytes = static_cast<double>(window.bytes());
  bench.report.Add(name, "MiB", Samples({bytes / kMebibyte}), Samples({bytes / PlainBytes(bench)}),
                   "plain CSR");
  bench.report.Verify(name, Difference(window.published().view,
                                       *MakePlainCsr(bench.edges, 0, bench.options.edges)));
}

}  // namespace

void RunMemory(const Bench& bench) {
  bench.report.Add("memory_csr", "MiB", Samples({PlainBytes(bench) / kMebibyte}));
  Measure(bench, "memory_60_keep", 60);
  Measure(bench, "memory_600_keep", 600);
}

}  // namespace sash::bench
