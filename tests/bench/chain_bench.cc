// An advance when every slice repeats the same pairs: chains of 10, 100 and 1,000 copies, as many
// as the window has slices. The length of a chain should not matter.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/generate/random.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"
#include "tests/bench/window_cases.h"

namespace sash::bench {
namespace {

constexpr std::array<std::size_t, 3> kChainLengths = {10, 100, 1000};
constexpr std::size_t kChainAdvances = 100;  // a repetition

struct ChainCase {
  std::string name;  // in the rows
  DuplicatesPolicy duplicates;
  bool real = false;  // the weights
};

// The same pairs in each slice, with different weights.
class ChainStream {
 public:
  ChainStream(const Bench& bench, bool real)
      : real_(real),
        // Half of the pairs belong to one vertex, the others are scattered.
        pairs_(std::max<std::size_t>(50, bench.options.edges / 8000)) {
    Xoshiro256 random(bench.options.seed);
    edges_.id_limit = static_cast<VertexId>(4 * pairs_);
    for (std::size_t i = 0; i < pairs_; ++i) {
      const auto source = static_cast<VertexId>(i % 2 == 0 ? 0 : random.Below(pairs_));
      edges_.sources.push_back(source);
      edges_.targets.push_back(static_cast<VertexId>(pairs_ + i));
    }
  }

  std::shared_ptr<const Slice> At(std::uint64_t id) const {
    auto slice = std::make_shared<Slice>(*MakeSlice(edges_, 0, pairs_, id));
    using Kind = WeightColumn::Kind;
    slice->weights = WeightColumn(pairs_, real_ ? Kind::kMixed : Kind::kIntegers);
    for (std::size_t i = 0; i < pairs_; ++i) {
      const auto number = static_cast<std::int64_t>((id * 7 + i * 5) % 11 + 1);
      slice->weights.Set(
          i, real_ ? Weight::Real(static_cast<double>(number) / 16) : Weight::Integer(number));
    }
    return slice;
  }

  std::vector<std::shared_ptr<const Slice>> Range(std::uint64_t begin, std::uint64_t end) const {
    std::vector<std::shared_ptr<const Slice>> slices;
    for (std::uint64_t id = begin; id < end; ++id) slices.push_back(At(id));
    return slices;
  }

  VertexId id_limit() const { return edges_.id_limit; }

 private:
  const bool real_;
  const std::size_t pairs_;
  BenchEdges edges_;
};

class ChainWindow {
 public:
  ChainWindow(const ChainStream& stream, DuplicatesPolicy duplicates, std::size_t length)
      : stream_(stream),
        spec_{.duplicates = duplicates, .removals = false},
        length_(length),
        window_(spec_, stream.Range(0, length), stream.id_limit()),
        next_(length) {}

  void Repeat() {
    Samples cpu;
    for (std::size_t i = 0; i < kChainAdvances; ++i) {
      const auto slice = stream_.At(next_++);
      cpu.Add(window_.Advance([&] { return slice; }).cpu_seconds * 1e3);
    }
    means_.Add(cpu.Mean());
  }

  std::optional<std::string> Wrong() const {
    return Difference(window_.published().view, *VisibleCsr(stream_.Range(next_ - length_, next_),
                                                            spec_, stream_.id_limit()));
  }

  std::size_t length() const { return length_; }
  const Samples& means() const { return means_; }

 private:
  const ChainStream& stream_;
  const StoreSpec spec_;
  const std::size_t length_;
  MovingWindow window_;
  std::uint64_t next_;
  Samples means_;
};

void MeasureChain(const Bench& bench, const ChainCase& chain) {
  const ChainStream stream(bench, chain.real);
  std::vector<ChainWindow> windows;
  for (const std::size_t length : kChainLengths) {
    windows.emplace_back(stream, chain.duplicates, length);
  }
  for (int i = 0; i < bench.options.repetitions; ++i) {
    for (ChainWindow& window : windows) window.Repeat();
  }
  const Samples& shortest = windows.front().means();
  bench.report.Add("advance_chain_10_" + chain.name, "ms of CPU", shortest);
  for (const ChainWindow& window : windows) {
    const std::string length = std::to_string(window.length());
    bench.report.Verify("advance_chain_" + length + "_" + chain.name, window.Wrong());
    if (&window == &windows.front()) continue;
    bench.report.Add("advance_chain_" + length + "_over_10_" + chain.name, "ms of CPU",
                     window.means(), Ratios(window.means(), shortest), "10 copies");
  }
}

}  // namespace

void RunChain(const Bench& bench) {
  MeasureChain(bench, {"drop", DuplicatesPolicy::kDrop});
  MeasureChain(bench, {"weigh", DuplicatesPolicy::kWeigh});
  MeasureChain(bench, {"weigh_real", DuplicatesPolicy::kWeigh, true});
}

}  // namespace sash::bench
