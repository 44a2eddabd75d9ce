// Kernels whose runs from nothing are short, in a window that has moved by 1 % or 0.1 %: strength
// from the previous sums, and components from the previous forest, compared with the same from
// nothing. The time includes comparing the views, repairing what is kept, and copying the result;
// it does not include ranking and naming, which both have.
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/stopwatch.h"
#include "windows/kernels/following/strength_follow.h"
#include "windows/kernels/following/tracked_components.h"
#include "windows/kernels/strength.h"
#include "windows/kernels/wcc.h"

namespace sash::bench {
namespace {

using Graph = MultiversionedView;

class Adding {
 public:
  Adding(const Graph& graph, int threads) : options_{.threads = threads} { FromNothing(graph); }

  void FromNothing(const Graph& graph) { full_ = Strength(graph, options_); }
  void Follow(const Graph& before, const Graph& after) {
    followed_ = FollowStrength(before, after, full_.sums, full_.overflowed, options_);
  }
  std::optional<std::string> Wrong() const {
    if (!followed_) return "too much has changed";
    return followed_->sums == full_.sums ? std::nullopt : std::optional("other sums");
  }

 private:
  const StrengthOptions options_;
  StrengthResult full_;
  std::optional<StrengthResult> followed_;
};

class Connecting {
 public:
  Connecting(const Graph& graph, int threads) : options_{.threads = threads} {
    tracked_.Begin(graph, options_);
  }

  void FromNothing(const Graph& graph) { full_ = Wcc(graph, options_); }
  void Follow(const Graph& before, const Graph& after) {
    followed_ = tracked_.Follow(before, after, options_);
  }
  std::optional<std::string> Wrong() const {
    if (!followed_) return "too much has changed";
    if (followed_->components != full_.components) return "another number of components";
    // As many components, and none of one is in two of the other: they are the same.
    std::vector<VertexId> of_label(full_.labels.size(), kNoVertex);
    for (std::size_t v = 0; v < full_.labels.size(); ++v) {
      const VertexId label = followed_->labels[v];
      if ((label == kNoVertex) != (full_.labels[v] == kNoVertex)) return "other vertices";
      if (label == kNoVertex) continue;
      if (of_label[label] == kNoVertex) of_label[label] = full_.labels[v];
      if (of_label[label] != full_.labels[v]) return "other components";
    }
    return std::nullopt;
  }

 private:
  const WccOptions options_;
  TrackedComponents tracked_;
  WccResult full_;
  std::optional<WccResult> followed_;
};

// The same slice with weights from 1 to 1000.
std::shared_ptr<const Slice> Weighted(const std::shared_ptr<const Slice>& slice) {
  auto weighted = std::make_shared<Slice>(*slice);
  weighted->weights = WeightColumn(slice->size(), WeightColumn::Kind::kIntegers);
  for (std::size_t i = 0; i < slice->size(); ++i) {
    const std::uint64_t drawn = (slice->id.value << 32 | i) * 0x9E3779B97F4A7C15U >> 32;
    weighted->weights.Set(i, Weight::Integer(static_cast<std::int64_t>(1 + drawn % 1'000)));
  }
  return weighted;
}

// Slides by a `slices`-th of the window each time.
template <typename Kernel>
void MeasureFollowing(const Bench& bench, const std::string& name, std::size_t slices) {
  const std::size_t slice_size = bench.options.edges / slices;
  auto first_slices = CutIntoSlices(bench.edges, 0, slice_size * slices, slices);
  for (auto& slice : first_slices) slice = Weighted(slice);
  MovingWindow window({.removals = false}, first_slices, bench.edges.id_limit);
  Kernel kernel(GraphOf(window.published().view), bench.options.threads);
  Samples followed_seconds;
  Samples full_seconds;
  std::optional<std::string> wrong;
  for (int i = 0; i < bench.options.repetitions && !wrong; ++i) {
    const std::size_t number = slices + static_cast<std::size_t>(i);
    const std::size_t begin = number * slice_size;
    if (begin + slice_size > bench.edges.size()) break;
    const auto slice = Weighted(MakeSlice(bench.edges, begin, begin + slice_size, number));
    const WindowView before = window.published().view;
    window.Advance([&] { return slice; });
    const Graph& after = GraphOf(window.published().view);
    after.vertices();  // a run needs the list in any case
    followed_seconds.Add(Time([&] { kernel.Follow(GraphOf(before), after); }));
    full_seconds.Add(Time([&] { kernel.FromNothing(after); }));
    wrong = kernel.Wrong();
  }
  bench.report.Verify(name, wrong);
  bench.report.Add(name, "s", followed_seconds, Ratios(full_seconds, followed_seconds),
                   "as fast as from nothing");
}

}  // namespace

void RunShortFollow(const Bench& bench) {
  MeasureFollowing<Adding>(bench, "strength_follow_1pct", 100);
  MeasureFollowing<Adding>(bench, "strength_follow_01pct", 1000);
  MeasureFollowing<Connecting>(bench, "wcc_follow_1pct", 100);
  MeasureFollowing<Connecting>(bench, "wcc_follow_01pct", 1000);
}

}  // namespace sash::bench
