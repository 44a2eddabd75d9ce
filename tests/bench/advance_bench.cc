// An advance at 600 and at 60 slices, for every policy: both windows take in the same slices over
// the same vertices. The length of the window should not matter.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"
#include "tests/bench/slice_stream.h"
#include "tests/bench/window_cases.h"

namespace sash::bench {
namespace {

constexpr std::size_t kLong = 600;
constexpr std::size_t kShort = 60;
constexpr std::size_t kTimedAdvances = 150;  // a repetition; the 99 % contain all but the slowest
constexpr std::size_t kRebuilds = 3;         // a repetition: each costs the whole window

// The advances of one window in one repetition.
struct Advances {
  Samples wall;
  Samples cpu;
  void Add(const AdvanceTime& time) {
    wall.Add(time.wall_seconds * 1e3);
    cpu.Add(time.cpu_seconds * 1e3);
  }
};

// A window that moves on from repetition to repetition, so the effects of ageing out, deaths and
// rebuilt blocks are included. One figure per repetition.
struct MeasuredWindow {
  MeasuredWindow(const SliceStream& stream, const StoreSpec& spec, std::size_t slices)
      : length(slices),
        window(spec, stream.Range(kLong - slices, kLong), stream.id_limit()),
        next(kLong) {}

  void Advance(const SliceStream& stream) {
    const auto slice = stream.At(next++);
    const std::uint64_t before = window.moved();
    advances.Add(window.Advance([&] { return slice; }));
    most_moved = std::max(most_moved, window.moved() - before);
  }
  void EndRepetition() {
    mean_cpu.Add(advances.cpu.Mean());
    p99_wall.Add(advances.wall.Percentile(99));
    advances = {};
  }

  std::size_t length;
  MovingWindow window;
  std::uint64_t next;            // the slice to enter next
  Advances advances;             // of this repetition
  std::uint64_t most_moved = 0;  // slots, by one advance
  Samples mean_cpu;
  Samples p99_wall;
};

class AdvanceBench {
 public:
  AdvanceBench(const Bench& bench, const WindowCase& window_case)
      : bench_(bench),
        case_(window_case),
        // Repeats and removals affect the shorter window too: both have the same work.
        stream_(DrawCase(bench, window_case, bench.options.edges * kShort / kLong),
                bench.options.edges / kLong),
        many_(stream_, window_case.spec, kLong),
        few_(stream_, window_case.spec, kShort) {}

  void Run() {
    const std::uint64_t many_moved = many_.window.moved();
    const std::uint64_t few_moved = few_.window.moved();
    for (int i = 0; i < bench_.options.repetitions; ++i) Repeat();
    Verify(many_);
    Verify(few_);
    Summarise();
    SummariseMoved(few_, few_moved);
    SummariseMoved(many_, many_moved);
  }

  // Measures the rebuilt windows, for comparison.
  void RunRebuilt() {
    Samples many;
    Samples few;
    for (int i = 0; i < bench_.options.repetitions; ++i) {
      many.Add(Rebuilt(kLong));
      few.Add(Rebuilt(kShort));
    }
    bench_.report.Add("advance_60_rebuild", "ms of CPU", few, Ratios(few, few_.mean_cpu),
                      "multiversioned");
    bench_.report.Add("advance_600_rebuild", "ms of CPU", many, Ratios(many, many_.mean_cpu),
                      "multiversioned");
  }

 private:
  void Repeat() {
    for (std::size_t i = 0; i < kTimedAdvances; ++i) {
      if (i % 2 == 0) many_.Advance(stream_);
      few_.Advance(stream_);
      if (i % 2 == 1) many_.Advance(stream_);
    }
    many_.EndRepetition();
    few_.EndRepetition();
  }

  void Summarise() const {
    Report& report = bench_.report;
    const std::string name(case_.name);
    // The row names of keep are older than those of the others.
    const std::string long_name =
        case_.name == "keep" ? "advance_600_over_60" : "advance_600_over_60_" + name;
    report.Add("advance_60_" + name, "ms of CPU", few_.mean_cpu);
    report.Add(long_name + "_mean", "ms of CPU", many_.mean_cpu,
               Ratios(many_.mean_cpu, few_.mean_cpu), "60 slices");
    report.Add("advance_60_" + name + "_p99", "ms", few_.p99_wall);
    report.Add(long_name + "_p99", "ms", many_.p99_wall, Ratios(many_.p99_wall, few_.p99_wall),
               "60 slices");
  }

  // Slots that the advances copied, in both directions, per edge that entered: over all advances,
  // and for the advance that copied most.
  void SummariseMoved(const MeasuredWindow& measured, std::uint64_t before) const {
    const auto edges = static_cast<double>((measured.next - kLong) * stream_.slice_size());
    const auto moved = static_cast<double>(measured.window.moved() - before);
    const std::string name = std::to_string(measured.length) + "_" + std::string(case_.name);
    bench_.report.Add("moved_per_edge_" + name, "slots", Samples({moved / edges}));
    const auto most = static_cast<double>(measured.most_moved);
    bench_.report.Add("moved_most_per_edge_" + name, "slots",
                      Samples({most / static_cast<double>(stream_.slice_size())}));
  }

  void Verify(const MeasuredWindow& measured) const {
    const auto slices = stream_.Range(measured.next - measured.length, measured.next);
    bench_.report.Verify(
        "advance_" + std::to_string(measured.length) + "_" + std::string(case_.name),
        Difference(measured.window.published().view,
                   *VisibleCsr(slices, case_.spec, stream_.id_limit())));
  }

  // Mean CPU time of an advance of the rebuilt window.
  double Rebuilt(std::size_t length) const {
    MovingWindow window({.kind = StoreKind::kRebuild, .duplicates = case_.spec.duplicates},
                        stream_.Range(kLong - length, kLong), stream_.id_limit());
    Advances advances;
    for (std::size_t i = kLong; i < kLong + kRebuilds; ++i) {
      const auto slice = stream_.At(i);
      advances.Add(window.Advance([&] { return slice; }));
    }
    return advances.cpu.Mean();
  }

  const Bench& bench_;
  const WindowCase& case_;
  const SliceStream stream_;
  MeasuredWindow many_;
  MeasuredWindow few_;
};

}  // namespace

void RunAdvance(const Bench& bench) {
  {
    AdvanceBench keep(bench, kKeepCase);
    keep.Run();
    keep.RunRebuilt();
  }
  for (const WindowCase& window_case : {kDropCase, kWeighCase, kRemovalsCase}) {
    AdvanceBench(bench, window_case).Run();
  }
}

}  // namespace sash::bench
