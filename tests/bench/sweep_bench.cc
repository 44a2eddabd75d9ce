// SLOTH's figures 7.4 to 7.14: PageRank, an advance, and memory, over the rate of the stream and
// the share of duplicates, for windows of each type. A window is 6 slides long, like SLOTH's
// shortest, and has --edges edges at the highest rate, 150,000 a second; at the default that is 27
// seconds. Each type is kept multiversioned and rebuilt at each slide, which SLOTH calls
// single-snapshot. Times are CPU time of all threads.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"
#include "tests/bench/slice_stream.h"
#include "tests/bench/stopwatch.h"
#include "tests/bench/window_cases.h"
#include "windows/kernels/pagerank.h"

namespace sash::bench {
namespace {

constexpr std::size_t kSweepSlices = 6;
constexpr std::size_t kSweepAdvances = 3;
constexpr int kHighest = 150;                  // thousand edges a second
constexpr double kMostSweepDifference = 1e-9;  // sums in another order

struct Point {
  int rate = 0;        // thousand edges a second
  int duplicates = 0;  // percent of the stream
};
constexpr std::array kPoints = {Point{10, 1},  Point{50, 1},  Point{100, 1},
                                Point{150, 1}, Point{100, 8}, Point{100, 32}};

struct Kind {
  std::string_view name;  // in the rows
  StoreSpec spec;
};
constexpr StoreSpec Rebuilt(StoreSpec spec) {
  spec.kind = StoreKind::kRebuild;
  return spec;
}
// The rebuilt one follows its type. `removable` has no removals, but may have: its cost is that of
// SLOTH's deletion vector.
constexpr std::array kKinds = {
    Kind{"keep", kKeepCase.spec},         Kind{"keep_rebuilt", Rebuilt(kKeepCase.spec)},
    Kind{"drop", kDropCase.spec},         Kind{"drop_rebuilt", Rebuilt(kDropCase.spec)},
    Kind{"weigh", kWeighCase.spec},       Kind{"weigh_rebuilt", Rebuilt(kWeighCase.spec)},
    Kind{"removable", kRemovalsCase.spec}};

// A window that has been moved by half its length.
class SweptWindow {
 public:
  SweptWindow(const Bench& bench, const Kind& kind, const SliceStream& stream)
      : threads_(bench.options.threads),
        window_(kind.spec, stream.Range(0, kSweepSlices), stream.id_limit()) {
    for (std::size_t i = kSweepSlices; i < kSweepSlices + kSweepAdvances; ++i) {
      const auto entering = stream.At(i);
      advances_.Add(window_.Advance([&] { return entering; }).cpu_seconds * 1e3);
    }
    bench.report.Verify(
        fmt::format("sweep_{}", kind.name),
        Difference(window_.FreshView(),
                   *VisibleCsr(stream.Range(kSweepAdvances, kSweepSlices + kSweepAdvances),
                               kind.spec, stream.id_limit())));
  }

  void Rank() {
    const PageRankOptions options{.tolerance = 0,
                                  .max_iterations = 20,
                                  .threads = threads_,
                                  .precision = Precision::kBfloat16};
    const WindowView view = window_.FreshView();
    const CpuWatch watch;
    residual_ =
        VisitView(view, [&](const auto& graph) { return PageRank(graph, options).residual; });
    ranks_.Add(watch.Seconds() * 1e3);
  }

  const Samples& ranks() const { return ranks_; }
  const Samples& advances() const { return advances_; }
  // With the graph of the newest view, which is a rebuilt window's own.
  Samples memory() const {
    std::size_t bytes = window_.bytes();
    if (const auto* graph =
            std::get_if<std::shared_ptr<const CsrGraph>>(&window_.published().view)) {
      bytes += (*graph)->bytes();
    }
    return Samples({static_cast<double>(bytes) / kMebibyte});
  }
  double residual() const { return residual_; }

 private:
  const int threads_;
  MovingWindow window_;
  Samples advances_;
  Samples ranks_;
  double residual_ = 0;
};

void Add(Report& report, const std::string& measure, const std::string& unit, std::size_t kind,
         const std::string& at, const Samples& values, const Samples& against) {
  const std::string name = fmt::format("sweep_{}_{}_{}", measure, kKinds[kind].name, at);
  const bool is_base = kKinds[kind].spec.kind == StoreKind::kRebuild;
  if (is_base) {
    report.Add(name, unit, values);
  } else {
    report.Add(name, unit, values, Ratios(values, against),
               kKinds[kind].name == "removable" ? "keep" : "rebuilt");
  }
}

void MeasurePoint(const Bench& bench, const Point& point) {
  BenchOptions options = bench.options;
  options.edges = options.edges * static_cast<std::size_t>(point.rate) / kHighest;
  const std::size_t slice_size = options.edges / kSweepSlices;
  const SliceStream stream(
      DrawEdges(options, slice_size * (kSweepSlices + kSweepAdvances),
                {.duplicates = point.duplicates / 100.0, .recent = options.edges}),
      slice_size);
  std::deque<SweptWindow> windows;
  for (const Kind& kind : kKinds) windows.emplace_back(bench, kind, stream);
  for (int i = 0; i < bench.options.repetitions; ++i) {
    for (SweptWindow& window : windows) window.Rank();
  }
  const std::string at = fmt::format("{}k_{}", point.rate, point.duplicates);
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    const SweptWindow& window = windows[kind];
    // A type's rebuilt window comes next; `removable` is compared with `keep`.
    const SweptWindow& base = windows[kind + 1 < kKinds.size() ? kind + 1 : 0];
    if (kKinds[kind].spec.kind != StoreKind::kRebuild &&
        std::abs(window.residual() - base.residual()) > kMostSweepDifference) {
      bench.report.Wrong(fmt::format("sweep_pagerank_{}_{}", kKinds[kind].name, at),
                         "another residual");
    }
    Add(bench.report, "pagerank", "ms of CPU", kind, at, window.ranks(), base.ranks());
    Add(bench.report, "advance", "ms of CPU", kind, at, window.advances(), base.advances());
    Add(bench.report, "memory", "MiB", kind, at, window.memory(), base.memory());
  }
}

}  // namespace

void RunSweep(const Bench& bench) {
  for (const Point& point : kPoints) MeasurePoint(bench, point);
}

}  // namespace sash::bench
