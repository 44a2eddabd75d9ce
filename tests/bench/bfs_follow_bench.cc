// Searches that follow their window over a slide of 0.1 %, from the previous depths, compared with
// the same searches from their sources.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/bfs_sources.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/stopwatch.h"
#include "windows/kernels/bfs_each.h"
#include "windows/kernels/following/bfs_follow.h"

namespace sash::bench {
namespace {

constexpr std::size_t kFollowedSlices = 1000;

void MeasureBfsFollowing(const Bench& bench, const std::string& name,
                         std::span<const VertexId> sources, MovingWindow& window,
                         std::size_t& next_slice) {
  const std::size_t slice_size = bench.options.edges / kFollowedSlices;
  const BfsOptions options{.threads = bench.options.threads};
  std::vector<BfsResult> found = BfsEach(GraphOf(window.published().view), sources, options);
  Samples followed_seconds;
  Samples full_seconds;
  std::optional<std::string> wrong;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    const std::size_t begin = next_slice * slice_size;
    if (begin + slice_size > bench.edges.size()) break;
    const auto slice = MakeSlice(bench.edges, begin, begin + slice_size, next_slice++);
    const WindowView before = window.published().view;
    window.Advance([&] { return slice; });
    std::vector<EarlierBfs> searches;
    for (std::size_t s = 0; s < sources.size(); ++s) {
      searches.push_back({sources.subspan(s, 1), found[s].depths, found[s].levels});
    }
    const WindowView after = window.published().view;
    std::optional<FollowedBfs> followed;
    followed_seconds.Add(
        Time([&] { followed = FollowBfs(GraphOf(before), GraphOf(after), searches, options); }));
    full_seconds.Add(Time([&] { found = BfsEach(GraphOf(after), sources, options); }));
    if (!followed) wrong = "too much has changed";
    for (std::size_t s = 0; followed && s < sources.size(); ++s) {
      if (followed->results[s].depths != found[s].depths) wrong = "other depths";
    }
  }
  bench.report.Verify(name, wrong);
  bench.report.Add(name, "s", followed_seconds, Ratios(full_seconds, followed_seconds),
                   "as fast as from the sources");
}

}  // namespace

void RunBfsFollow(const Bench& bench) {
  const std::size_t visible = bench.options.edges / kFollowedSlices * kFollowedSlices;
  MovingWindow window({.removals = false}, CutIntoSlices(bench.edges, 0, visible, kFollowedSlices),
                      bench.edges.id_limit);
  const std::vector<VertexId> sources =
      DrawBfsSources(GraphOf(window.published().view), bench.options.seed);
  std::size_t next_slice = kFollowedSlices;
  MeasureBfsFollowing(bench, "bfs_follow_01pct", sources, window, next_slice);
  MeasureBfsFollowing(bench, "bfs_follow_01pct_single", std::span(sources).first(1), window,
                      next_slice);
}

}  // namespace sash::bench
