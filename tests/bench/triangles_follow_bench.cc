// Triangles of a window that has moved by 1 % or 0.1 %, counted from the previous counts, compared
// with the same counts from nothing. The time includes comparing the views and exchanging the lists
// that are kept; it does not include ranking, which both have.
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/stopwatch.h"
#include "windows/kernels/following/tracked_triangles.h"
#include "windows/kernels/triangles.h"

namespace sash::bench {
namespace {

// Slides by a `slices`-th of the window each time.
void MeasureTriangles(const Bench& bench, const std::string& name, std::size_t slices) {
  const std::size_t slice_size = bench.options.edges / slices;
  MovingWindow window({.removals = false},
                      CutIntoSlices(bench.edges, 0, slice_size * slices, slices),
                      bench.edges.id_limit);
  const TrianglesOptions options{.threads = bench.options.threads};
  TrackedTriangles tracked;
  TrianglesResult newest = tracked.Begin(GraphOf(window.published().view), options);
  Samples followed_seconds;
  Samples full_seconds;
  std::optional<std::string> wrong;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    const std::size_t number = slices + static_cast<std::size_t>(i);
    const std::size_t begin = number * slice_size;
    if (begin + slice_size > bench.edges.size()) break;
    const auto slice = MakeSlice(bench.edges, begin, begin + slice_size, number);
    const WindowView before = window.published().view;
    window.Advance([&] { return slice; });
    const MultiversionedView& after = GraphOf(window.published().view);
    std::optional<TrianglesResult> followed;
    followed_seconds.Add(
        Time([&] { followed = tracked.Follow(GraphOf(before), after, newest.counts, options); }));
    full_seconds.Add(Time([&] { newest = Triangles(after, options); }));
    if (!followed) {
      wrong = "too much has changed";
      break;
    }
    if (followed->counts != newest.counts || followed->triangles != newest.triangles) {
      wrong = "other counts";
    }
  }
  bench.report.Verify(name, wrong);
  bench.report.Add(name, "s", followed_seconds, Ratios(full_seconds, followed_seconds),
                   "as fast as from nothing");
}

}  // namespace

void RunTrianglesFollow(const Bench& bench) {
  MeasureTriangles(bench, "triangles_follow_1pct", 100);
  MeasureTriangles(bench, "triangles_follow_01pct", 1000);
}

}  // namespace sash::bench
