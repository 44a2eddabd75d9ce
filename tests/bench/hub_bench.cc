// An advance when every edge points to one vertex, or comes from it, compared with a stream of the
// same size without hubs. A list of a million neighbours should cost no more than a million short
// ones.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include "daemon/generate/random.h"
#include "daemon/generate/vertex_pairs.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/moving_window.h"
#include "tests/bench/same_graph.h"
#include "tests/bench/slice_stream.h"
#include "tests/bench/window_cases.h"

namespace sash::bench {
namespace {

constexpr std::size_t kHubSlices = 60;
constexpr std::size_t kHubAdvances = 8;  // a repetition

// The other ends of the edges, all different until the stream repeats itself, and unordered; a
// share of the edges are copies of an edge in the previous window.
struct OtherEnds {
  OtherEnds(std::size_t count, std::size_t window, double duplicates, std::uint64_t seed)
      : id_limit(static_cast<VertexId>(std::bit_ceil(count))) {
    const Scramble scramble(std::countr_zero(id_limit), seed);
    Xoshiro256 random(seed);
    const Chance copies(duplicates);
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0 && random.Happens(copies)) {
        const std::size_t from = i - 1 - random.Below(std::min(i, window));
        ends.push_back(ends[from]);
        partners.push_back(partners[from]);
      } else {
        ends.push_back(static_cast<VertexId>(scramble(i)));
        partners.push_back(static_cast<VertexId>(random.Below(id_limit)));
      }
    }
  }

  VertexId id_limit;
  std::vector<VertexId> ends;
  std::vector<VertexId> partners;  // of the ends in the stream without hubs: a copy has the same
};

enum class Shape { kUniform, kToHub, kFromHub };

SliceStream MakeStream(const OtherEnds& others, Shape shape, std::size_t slice_size) {
  const VertexId hub = others.id_limit;
  BenchEdges edges;
  edges.id_limit = others.id_limit + 1;
  edges.sources = others.ends;
  edges.targets = others.partners;
  if (shape != Shape::kUniform) edges.targets.assign(others.ends.size(), hub);
  if (shape == Shape::kFromHub) std::swap(edges.sources, edges.targets);
  return {std::move(edges), slice_size};
}

class MeasuredStream {
 public:
  MeasuredStream(SliceStream stream, const StoreSpec& spec)
      : stream_(std::move(stream)),
        spec_(spec),
        window_(spec, stream_.Range(0, kHubSlices), stream_.id_limit()) {}

  void Repeat() {
    Samples cpu;
    for (std::size_t i = 0; i < kHubAdvances; ++i) {
      const auto slice = stream_.At(next_++);
      cpu.Add(window_.Advance([&] { return slice; }).cpu_seconds * 1e3);
    }
    means_.Add(cpu.Mean());
  }

  std::optional<std::string> Wrong() const {
    return Difference(
        window_.published().view,
        *VisibleCsr(stream_.Range(next_ - kHubSlices, next_), spec_, stream_.id_limit()));
  }

  const Samples& means() const { return means_; }

 private:
  const SliceStream stream_;
  const StoreSpec spec_;
  MovingWindow window_;
  std::uint64_t next_ = kHubSlices;
  Samples means_;
};

void MeasureHub(const Bench& bench, const WindowCase& window_case) {
  // 1.2 million edges by default; with every fifth edge a copy, the hub has a million neighbours.
  const std::size_t slice_size =
      std::max<std::size_t>(20, bench.options.edges * 3 / 10 / kHubSlices);
  const std::size_t window = slice_size * kHubSlices;
  const OtherEnds others(window * 3 / 2, window, window_case.duplicates, bench.options.seed);
  const auto measured = [&](Shape shape) {
    return MeasuredStream(MakeStream(others, shape, slice_size), window_case.spec);
  };
  MeasuredStream uniform = measured(Shape::kUniform);
  MeasuredStream to_hub = measured(Shape::kToHub);
  MeasuredStream from_hub = measured(Shape::kFromHub);
  for (int i = 0; i < bench.options.repetitions; ++i) {
    uniform.Repeat();
    to_hub.Repeat();
    from_hub.Repeat();
  }
  const std::string name(window_case.name);
  const auto add = [&](const std::string& row, const MeasuredStream& stream, bool is_base) {
    if (is_base) {
      bench.report.Add(row, "ms of CPU", stream.means());
    } else {
      bench.report.Add(row, "ms of CPU", stream.means(), Ratios(stream.means(), uniform.means()),
                       "uniform");
    }
    bench.report.Verify(row, stream.Wrong());
  };
  add("advance_uniform_" + name, uniform, true);
  add("advance_hub_over_uniform_" + name, to_hub, false);
  add("advance_hub_out_over_uniform_" + name, from_hub, false);
}

}  // namespace

void RunHub(const Bench& bench) {
  for (const WindowCase& window_case : kPolicyCases) MeasureHub(bench, window_case);
}

}  // namespace sash::bench
