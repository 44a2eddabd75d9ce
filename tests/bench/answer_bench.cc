// From a slide's events to the ranks of the window: an advance and a PageRank that follows it,
// compared with building rows of the window's edges and running PageRank from 1/n with the same
// error. Rows are built like a published builder does, and by counting alone.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/built_csr.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/rank_difference.h"
#include "windows/kernels/following/tracked_pagerank.h"
#include "windows/kernels/pagerank.h"

namespace sash::bench {
namespace {

class AnsweredWindow {
 public:
  AnsweredWindow(const Bench& bench, std::size_t slices)
      : bench_(bench),
        slice_size_(bench.options.edges / slices),
        end_(slices * slice_size_),
        window_({.removals = false}, CutIntoSlices(bench.edges, 0, end_, slices),
                bench.edges.id_limit),
        next_slice_(slices),
        ranked_(window_.published().view),
        full_(tracked_.Begin(GraphOf(ranked_), Options())),
        ranks_(full_) {}

  // In seconds. Like a job with a warm start (windows/jobs/kinds/pagerank.cc).
  double Advance() {
    const auto slice = MakeSlice(bench_.edges, end_, end_ + slice_size_, next_slice_++);
    begin_ += slice_size_;
    end_ += slice_size_;
    const double advance = window_.Advance([&] { return slice; }).wall_seconds;
    advance_.Add(advance * 1e3);
    return advance + Time([&] { Rank(); });
  }

  // In seconds.
  double Rebuild(BuiltRows rows) {
    return Time([&] {
      const std::span sources(bench_.edges.sources);
      const std::span targets(bench_.edges.targets);
      const BuiltCsr graph(sources.subspan(begin_, end_ - begin_),
                           targets.subspan(begin_, end_ - begin_), bench_.edges.id_limit, rows);
      rebuilt_ = PageRank(InRuns(graph, RowOrder::kHotFirst, bench_.options.threads),
                          graph.id_limit(), Options());
    });
  }

  bool ends() const { return end_ + slice_size_ > bench_.edges.size(); }
  const Samples& advance() const { return advance_; }  // ms

  // Call it after Rebuild().
  std::optional<std::string> Wrong() const {
    const auto plain = MakePlainCsr(bench_.edges, begin_, end_);
    PageRankOptions exactly = Options();
    exactly.tolerance = 1e-12;
    const std::vector<double> truth = PageRank(*plain, exactly).ranks;
    const double error = testing::L1Difference(ranks_.ranks, truth);
    const double rebuilt_error = testing::L1Difference(rebuilt_.ranks, truth);
    if (error > rebuilt_error) {
      return fmt::format("its L1 error is {:.3g}, that of a full run {:.3g}", error, rebuilt_error);
    }
    return Difference(window_.published().view, *plain);
  }

 private:
  PageRankOptions Options() const { return {.threads = bench_.options.threads}; }

  void Rank() {
    PageRankOptions options = Options();
    options.tolerance = full_.residual / 2;
    const WindowView before = std::exchange(ranked_, window_.published().view);
    std::optional<PageRankResult> followed =
        tracked_.Follow(GraphOf(before), GraphOf(ranked_), options);
    options.start = ranks_.ranks;
    ranks_ = followed ? *std::move(followed) : tracked_.Begin(GraphOf(ranked_), options);
  }

  const Bench& bench_;
  const std::size_t slice_size_;
  std::size_t begin_ = 0;  // of the visible edges
  std::size_t end_;
  MovingWindow window_;
  std::uint64_t next_slice_;
  WindowView ranked_;
  TrackedPageRank tracked_;
  const PageRankResult full_;  // of the window after filling
  PageRankResult ranks_;
  PageRankResult rebuilt_;
  Samples advance_;
};

void MeasureAnswer(const Bench& bench, const std::string& name, std::size_t slices) {
  AnsweredWindow window(bench, slices);
  Samples advanced;
  Samples rebuilt;
  Samples counted;
  for (int i = 0; i < bench.options.repetitions && !window.ends(); ++i) {
    advanced.Add(window.Advance());
    counted.Add(window.Rebuild(BuiltRows::kAsTheyCome));
    rebuilt.Add(window.Rebuild(BuiltRows::kSorted));
  }
  bench.report.Verify(name, window.Wrong());
  bench.report.Add(name, "s", advanced, Ratios(rebuilt, advanced), "as fast as from nothing");
  bench.report.Add(name + "_advance", "ms", window.advance());
  bench.report.Add(name + "_rebuilt", "s", rebuilt);
  bench.report.Add(name + "_counted", "s", counted, Ratios(counted, advanced), "the answer");
}

}  // namespace

void RunAnswer(const Bench& bench) {
  MeasureAnswer(bench, "answer_1pct", 100);
  MeasureAnswer(bench, "answer_01pct", 1000);
}

}  // namespace sash::bench
