// ComparedWindows: the same visible edges as a plain CSR and as keep windows of 60 and of 600
// slices, and the alternating repetitions that compare reading them.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/stopwatch.h"

namespace sash::bench {

class ComparedWindows {
 public:
  explicit ComparedWindows(const Bench& bench)
      : bench_(bench),
        plain_(MakePlainCsr(bench.edges, 0, bench.options.edges)),
        few_(Keep(bench, 60)),
        many_(Keep(bench, 600)) {}

  const CsrGraph& plain() const { return *plain_; }

  // Times compute(graph) from pin to result and reports <kernel>_csr, <kernel>_60_keep against it
  // and <kernel>_600_over_60. Every repetition has views that nobody has read, so what a view
  // prepares for its readers is in the time. What compute() returns, a number that stands for its
  // answer, must be the same each time.
  template <typename Compute>
  void Compare(const std::string& kernel, const Compute& compute) {
    Samples plain;
    Samples few;
    Samples many;
    for (int i = 0; i < bench_.options.repetitions; ++i) {
      plain.Add(TimeOn(plain_, compute));
      few.Add(TimeOn(few_.FreshView(), compute));
      many.Add(TimeOn(many_.FreshView(), compute));
    }
    Report& report = bench_.report;
    const Samples answers(std::exchange(answers_, {}));
    if (answers.Greatest() - answers.Least() > kMostDifference) {
      report.Wrong(kernel, "repetitions on the same graph gave different answers");
    }
    report.Add(kernel + "_csr", "s", plain);
    report.Add(kernel + "_60_keep", "s", few, Ratios(few, plain), "plain CSR");
    report.Add(kernel + "_600_over_60", "s", many, Ratios(many, few), "60 slices");
  }

  // Reports what difference(graph), an optional text, finds in the two windows.
  template <typename FindDifference>
  void Verify(const std::string& kernel, const FindDifference& difference) {
    bench_.report.Verify(kernel + "_60_keep", VisitView(few_.FreshView(), difference));
    bench_.report.Verify(kernel + "_600_over_60", VisitView(many_.FreshView(), difference));
  }

 private:
  static MovingWindow Keep(const Bench& bench, std::size_t slices) {
    return {StoreKind::kMultiversioned, CutIntoSlices(bench.edges, 0, bench.options.edges, slices),
            bench.edges.id_limit};
  }

  template <typename Compute>
  double TimeOn(const WindowView& view, const Compute& compute) {
    return Time([&] {
      const WindowView pin = view;
      answers_.push_back(VisitView(pin, compute));
    });
  }

  static constexpr double kMostDifference = 1e-9;  // sums in another order

  const Bench& bench_;
  std::vector<double> answers_;  // of the comparison in work
  std::shared_ptr<const CsrGraph> plain_;
  MovingWindow few_;
  MovingWindow many_;
};

}  // namespace sash::bench
