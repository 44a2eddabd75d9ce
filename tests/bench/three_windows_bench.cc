// Three windows of 1, 60 and 1,440 panes, like a minute, an hour and a day, that share a store,
// compared with the longest alone: memory and advances.
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/same_graph.h"
#include "tests/bench/slice_stream.h"
#include "tests/bench/stopwatch.h"
#include "tests/bench/window_cases.h"
#include "windows/store/window_store.h"

namespace sash::bench {
namespace {

constexpr std::array<std::size_t, 3> kSharedLengths = {1440, 60, 1};
constexpr std::size_t kSharedAdvances = 60;  // a repetition
constexpr std::size_t kShare = 4;            // a quarter of the edges is enough: both are filled

// Windows of one store that move together, each with its newest view pinned.
class SharingWindows {
 public:
  SharingWindows(const SliceStream& stream, const StoreSpec& spec,
                 std::span<const std::size_t> lengths)
      : stream_(stream), spec_(spec), store_(MakeSliceStore(spec)) {
    for (const std::size_t length : lengths) windows_.push_back({length, store_->Open(0), {}});
    while (next_ < kSharedLengths.front()) Advance();
  }

  // CPU time of all of them, to publication.
  double Advance() {
    const auto slice = stream_.At(next_);
    const CpuWatch cpu;
    store_->Add(slice);
    ++next_;
    for (Window& window : windows_) {
      if (next_ > window.length) window.store->AgeOutOldest();
      window.published = window.store->Publish(stream_.id_limit());
    }
    return cpu.Seconds();
  }

  void Repeat() {
    Samples cpu;
    for (std::size_t i = 0; i < kSharedAdvances; ++i) cpu.Add(Advance() * 1e3);
    means_.Add(cpu.Mean());
  }

  double mebibytes() const {
    std::size_t bytes = store_->shared_memory().total();
    for (const Window& window : windows_) bytes += window.store->own_memory().total();
    return static_cast<double>(bytes) / kMebibyte;
  }

  void Verify(Report& report, const std::string& row) const {
    for (const Window& window : windows_) {
      const auto slices = stream_.Range(next_ - window.length, next_);
      report.Verify(
          row + ", " + std::to_string(window.length) + " panes",
          Difference(window.published.view, *VisibleCsr(slices, spec_, stream_.id_limit())));
    }
  }

  const Samples& means() const { return means_; }

 private:
  struct Window {
    std::size_t length;
    std::unique_ptr<WindowStore> store;
    PublishedView published;
  };

  const SliceStream& stream_;
  const StoreSpec spec_;
  std::shared_ptr<SliceStore> store_;
  std::vector<Window> windows_;
  std::uint64_t next_ = 0;
  Samples means_;
};

void MeasureSharing(const Bench& bench, const WindowCase& window_case) {
  const std::string name(window_case.name);
  const SliceStream stream(DrawCase(bench, window_case, bench.options.edges / kShare),
                           bench.options.edges / kShare / kSharedLengths.front());
  SharingWindows three(stream, window_case.spec, kSharedLengths);
  SharingWindows longest(stream, window_case.spec, std::span(kSharedLengths).first(1));
  for (int i = 0; i < bench.options.repetitions; ++i) {
    three.Repeat();
    longest.Repeat();
  }
  bench.report.Add("memory_three_windows_over_longest_" + name, "MiB", Samples({three.mebibytes()}),
                   Samples({three.mebibytes() / longest.mebibytes()}), "the longest");
  bench.report.Add("advance_three_windows_over_longest_" + name, "ms of CPU", three.means(),
                   Ratios(three.means(), longest.means()), "the longest");
  three.Verify(bench.report, "three_windows_" + name);
  longest.Verify(bench.report, "longest_window_" + name);
}

}  // namespace

void RunThreeWindows(const Bench& bench) {
  for (const WindowCase& window_case : kPolicyCases) MeasureSharing(bench, window_case);
}

}  // namespace sash::bench
