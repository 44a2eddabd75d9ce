// ComparedWindows: the same visible edges as a plain CSR and as one or two windows, and the
// alternating repetitions that compare reading them.
//
// Thread safety: belongs to one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"
#include "tests/bench/slice_stream.h"
#include "tests/bench/stopwatch.h"
#include "tests/bench/window_cases.h"

namespace sash::bench {

class ComparedWindows {
 public:
  // A keep window of 60 slices compared with the plain CSR, whose time has its own row, and a
  // window of 600 slices compared with that of 60.
  static ComparedWindows Keep(const Bench& bench) {
    ComparedWindows windows(bench, MakePlainCsr(bench.edges, 0, bench.options.edges), true);
    for (const std::size_t slices : {60, 600}) {
      windows.windows_.emplace_back(kKeepSpec,
                                    CutIntoSlices(bench.edges, 0, bench.options.edges, slices),
                                    bench.edges.id_limit);
    }
    windows.names_ = {"60_keep", "600_over_60"};
    return windows;
  }

  // A window of `slices` slices that has been moved by a tenth of its length, at least by one
  // slice, with the case's changes; `name` ends its row. Any edge of the window may be repeated or
  // removed.
  static ComparedWindows Changed(const Bench& bench, const WindowCase& window_case,
                                 const std::string& name, std::size_t slices = 60) {
    const std::size_t end = slices + std::max<std::size_t>(1, slices / 10);
    const SliceStream stream(DrawCase(bench, window_case, bench.options.edges),
                             bench.options.edges / slices);
    const auto plain =
        VisibleCsr(stream.Range(end - slices, end), window_case.spec, stream.id_limit());
    ComparedWindows windows(bench, plain, false);
    windows.windows_.emplace_back(window_case.spec, stream.Range(0, slices), stream.id_limit());
    for (std::size_t i = slices; i < end; ++i) {
      const auto entering = stream.At(i);
      const AdvanceTime time = windows.windows_.back().Advance([&] { return entering; });
      windows.advances_.Add(time.cpu_seconds * 1e9 / static_cast<double>(stream.slice_size()));
    }
    windows.names_ = {std::to_string(slices) + "_" + name};
    return windows;
  }

  const CsrGraph& plain() const { return *plain_; }
  // CPU time in ns per event that entered, for the advances that moved it.
  const Samples& advances() const { return advances_; }
  const std::string& name() const { return names_.front(); }

  // Times compute(graph) from pin to result and reports a row for each window. Every repetition has
  // views that were never read, so the time includes what a view prepares for its readers.
  // compute() returns a number that represents its answer; it must be the same each time.
  template <typename Compute>
  void Compare(const std::string& kernel, const Compute& compute) {
    Samples plain;
    std::vector<Samples> times(windows_.size());
    for (int i = 0; i < bench_.options.repetitions; ++i) {
      plain.Add(TimeOn(plain_, compute));
      for (std::size_t w = 0; w < windows_.size(); ++w) {
        times[w].Add(TimeOn(windows_[w].FreshView(), compute));
      }
    }
    Report& report = bench_.report;
    const Samples answers(std::exchange(answers_, {}));
    if (answers.Greatest() - answers.Least() > kMostDifference) {
      report.Wrong(kernel + "_" + names_.front(), "repetitions gave different answers");
    }
    if (reports_plain_) report.Add(kernel + "_csr", "s", plain);
    report.Add(kernel + "_" + names_[0], "s", times[0], Ratios(times[0], plain), "plain CSR");
    for (std::size_t w = 1; w < windows_.size(); ++w) {
      report.Add(kernel + "_" + names_[w], "s", times[w], Ratios(times[w], times[0]), "60 slices");
    }
  }

  // Reports what difference(graph), an optional text, finds in the windows.
  template <typename FindDifference>
  void Verify(const std::string& kernel, const FindDifference& difference) {
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      bench_.report.Verify(kernel + "_" + names_[w],
                           VisitView(windows_[w].FreshView(), difference));
    }
  }

  // Whether they equal the plain CSR, edge by edge.
  void VerifyEdges(const std::string& what) {
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      bench_.report.Verify(what + "_" + names_[w], Difference(windows_[w].FreshView(), *plain_));
    }
  }

 private:
  ComparedWindows(const Bench& bench, std::shared_ptr<const CsrGraph> plain, bool reports_plain)
      : bench_(bench), plain_(std::move(plain)), reports_plain_(reports_plain) {}

  template <typename Compute>
  double TimeOn(const WindowView& view, const Compute& compute) {
    return Time([&] {
      const WindowView pin = view;
      answers_.push_back(VisitView(pin, compute));
    });
  }

  static constexpr double kMostDifference = 1e-9;  // sums in another order

  const Bench& bench_;
  std::vector<double> answers_;  // of the current comparison
  std::shared_ptr<const CsrGraph> plain_;
  bool reports_plain_;
  std::vector<MovingWindow> windows_;
  Samples advances_;
  std::vector<std::string> names_;  // the ends of the row names, by window
};

// Calls compare(windows) for keep, and for windows whose edges die.
template <typename CompareWindows>
void ForEachComparison(const Bench& bench, const CompareWindows& compare) {
  compare(ComparedWindows::Keep(bench));
  compare(ComparedWindows::Changed(bench, kDropCase, "drop20"));
  compare(ComparedWindows::Changed(bench, kWeighCase, "weigh20"));
  compare(ComparedWindows::Changed(bench, kRemovalsCase, "removals5"));
}

}  // namespace sash::bench
