// An advance of a keep window at 600 and at 60 slices: the same slices of the same size enter both,
// over the same vertices. It should not matter how long the window is.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"

namespace sash::bench {
namespace {

constexpr std::size_t kLong = 600;
constexpr std::size_t kShort = 60;
constexpr std::size_t kAdvances = 300;  // a repetition; the last three decide the 99th percentile
constexpr std::size_t kRebuilds = 3;    // a repetition: each costs the whole window

using Slices = std::vector<std::shared_ptr<const Slice>>;
using SomeSlices = std::span<const std::shared_ptr<const Slice>>;

// Advances of one window within one repetition.
struct Advances {
  Samples wall;
  Samples cpu;
  void Add(const AdvanceTime& time) {
    wall.Add(time.wall_seconds * 1e3);
    cpu.Add(time.cpu_seconds * 1e3);
  }
};

// One number a repetition.
struct Summary {
  Samples mean_cpu;
  Samples p99_wall;
  void Add(const Advances& advances) {
    mean_cpu.Add(advances.cpu.Mean());
    p99_wall.Add(advances.wall.Percentile(99));
  }
};

class AdvanceBench {
 public:
  explicit AdvanceBench(const Bench& bench)
      : bench_(bench), slice_size_(bench.options.edges / kLong) {
    for (std::size_t i = 0; i < kLong + kAdvances; ++i) {
      slices_.push_back(MakeSlice(bench.edges, i * slice_size_, (i + 1) * slice_size_, i));
    }
  }

  void Repeat() {
    MovingWindow many = Filled(StoreKind::kMultiversioned, kLong);
    MovingWindow few = Filled(StoreKind::kMultiversioned, kShort);
    Advances many_advances;
    Advances few_advances;
    for (std::size_t i = kLong; i < slices_.size(); ++i) {
      const auto slice = [&] { return slices_[i]; };
      if (i % 2 == 0) many_advances.Add(many.Advance(slice));
      few_advances.Add(few.Advance(slice));
      if (i % 2 == 1) many_advances.Add(many.Advance(slice));
    }
    many_.Add(many_advances);
    few_.Add(few_advances);
    rebuilt_many_.Add(Rebuilt(kLong));
    rebuilt_few_.Add(Rebuilt(kShort));
    if (many_.mean_cpu.size() == 1) {
      Verify("advance_600_keep", many, kLong, slices_.size());
      Verify("advance_60_keep", few, kShort, slices_.size());
    }
  }

  void Summarise() const {
    Report& report = bench_.report;
    report.Add("advance_60_keep", "ms of CPU", few_.mean_cpu);
    report.Add("advance_600_over_60_mean", "ms of CPU", many_.mean_cpu,
               Ratios(many_.mean_cpu, few_.mean_cpu), "60 slices");
    report.Add("advance_60_keep_p99", "ms", few_.p99_wall);
    report.Add("advance_600_over_60_p99", "ms", many_.p99_wall,
               Ratios(many_.p99_wall, few_.p99_wall), "60 slices");
    report.Add("advance_60_rebuild", "ms of CPU", rebuilt_few_, Ratios(rebuilt_few_, few_.mean_cpu),
               "multiversioned");
    report.Add("advance_600_rebuild", "ms of CPU", rebuilt_many_,
               Ratios(rebuilt_many_, many_.mean_cpu), "multiversioned");
  }

 private:
  // The `length` slices before the first one that enters.
  MovingWindow Filled(StoreKind kind, std::size_t length) const {
    return {kind, SomeSlices(slices_).subspan(kLong - length, length), bench_.edges.id_limit};
  }

  // The mean CPU time of an advance of the rebuilt window.
  double Rebuilt(std::size_t length) const {
    MovingWindow window = Filled(StoreKind::kRebuild, length);
    Advances advances;
    for (std::size_t i = kLong; i < kLong + kRebuilds; ++i) {
      advances.Add(window.Advance([&] { return slices_[i]; }));
    }
    return advances.cpu.Mean();
  }

  // `window` holds the `length` slices before slice `end`.
  void Verify(std::string_view name, const MovingWindow& window, std::size_t length,
              std::size_t end) const {
    const auto expected =
        MakePlainCsr(bench_.edges, (end - length) * slice_size_, end * slice_size_);
    bench_.report.Verify(name, Difference(window.published().view, *expected));
  }

  const Bench& bench_;
  const std::size_t slice_size_;
  Slices slices_;
  Summary many_;
  Summary few_;
  Samples rebuilt_many_;
  Samples rebuilt_few_;
};

}  // namespace

void RunAdvance(const Bench& bench) {
  AdvanceBench advance(bench);
  for (int i = 0; i < bench.options.repetitions; ++i) advance.Repeat();
  advance.Summarise();
}

}  // namespace sash::bench
