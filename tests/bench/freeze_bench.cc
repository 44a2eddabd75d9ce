// Freezing a slide and publishing it, in both directions: from events buffered in the open slice to
// the published window; as much ages out as enters.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"
#include "windows/ingest/slicer.h"

namespace sash::bench {
namespace {

// A window whose slices come from a slicer, as in the engine. Pane k is [k, k + 1).
class FrozenWindow {
 public:
  // `partitions`: if more than 1, their events, each in the order of time, must be merged before
  // the slice is frozen.
  FrozenWindow(const Bench& bench, std::size_t slices, std::uint32_t partitions)
      : bench_(bench),
        slices_(slices),
        partitions_(partitions),
        slice_size_(bench.options.edges / slices),
        window_({.removals = false}, FirstSlices(), bench.edges.id_limit) {}

  // Seconds until `advances` slides are published.
  double Advance(std::size_t advances) {
    double seconds = 0;
    for (std::size_t i = 0; i < advances; ++i) {
      Buffer();
      seconds += window_.Advance([&] { return Close(); }).wall_seconds;
    }
    return seconds;
  }

  std::size_t slice_size() const { return slice_size_; }
  // Slides that can still enter: the shared stream ends.
  std::size_t room() const { return bench_.edges.size() / slice_size_ - next_; }

  std::optional<std::string> Wrong() const {
    const std::size_t end = next_ * slice_size_;
    return Difference(window_.published().view,
                      *MakePlainCsr(bench_.edges, end - slices_ * slice_size_, end));
  }

 private:
  std::vector<std::shared_ptr<const Slice>> FirstSlices() {
    std::vector<std::shared_ptr<const Slice>> slices;
    for (std::size_t i = 0; i < slices_; ++i) {
      Buffer();
      slices.push_back(Close());
    }
    return slices;
  }

  // The next slide's events arrive. Consecutive events belong to different partitions, in the order
  // of time.
  void Buffer() {
    const auto pane = static_cast<Position>(next_);
    for (std::size_t i = next_ * slice_size_; i < (next_ + 1) * slice_size_; ++i) {
      const BufferedEvent event{.time = EventTime(std::chrono::milliseconds(i)),
                                .offset = static_cast<std::int64_t>(i),
                                .source = bench_.edges.sources[i],
                                .target = bench_.edges.targets[i],
                                .partition = static_cast<PartitionIndex>(i % partitions_)};
      slicer_.Add(pane, event, i + 1, std::nullopt);
    }
    ++next_;
  }

  std::shared_ptr<const Slice> Close() { return slicer_.CloseNext(kRanks); }

  static constexpr std::array<std::uint32_t, 4> kRanks = {0, 1, 2, 3};

  const Bench& bench_;
  const std::size_t slices_;
  const std::uint32_t partitions_;
  const std::size_t slice_size_;
  Slicer slicer_{1};
  std::size_t next_ = 0;  // the slide that arrives next
  MovingWindow window_;
};

void MeasureFreeze(const Bench& bench, const std::string& name, std::size_t slices,
                   std::uint32_t partitions) {
  const std::size_t advances = std::max<std::size_t>(1, slices / 10);  // a repetition
  std::unique_ptr<FrozenWindow> window;
  Samples rates;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    if (!window || window->room() < advances) {
      if (window) bench.report.Verify(name, window->Wrong());
      window = std::make_unique<FrozenWindow>(bench, slices, partitions);
    }
    const double seconds = window->Advance(advances);
    rates.Add(static_cast<double>(advances * window->slice_size()) / seconds * 1e-6);
  }
  bench.report.Add(name, "M edges/s", rates);
  bench.report.Verify(name, window->Wrong());
}

}  // namespace

void RunFreeze(const Bench& bench) {
  MeasureFreeze(bench, "freeze_1pct", 100, 1);
  MeasureFreeze(bench, "freeze_10pct", 10, 1);
  MeasureFreeze(bench, "freeze_1pct_interleaved", 100, 4);
  MeasureFreeze(bench, "freeze_10pct_interleaved", 10, 4);
}

}  // namespace sash::bench
