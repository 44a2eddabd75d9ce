// Compares layouts of a window's lists, including prototypes of LLAMA's, with the plain CSR of the
// same edges: a pull over all in-lists, walking them in random order, the advance, and memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/generate/random.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/layouts/copying_layout.h"
#include "tests/bench/layouts/forward_layout.h"
#include "tests/bench/layouts/implicit_layout.h"
#include "tests/bench/layouts/layout_stream.h"
#include "tests/bench/layouts/layout_window.h"
#include "tests/bench/layouts/linked_layout.h"
#include "tests/bench/window_cases.h"

namespace sash::bench {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 14;  // ids; like PageRank's pull
constexpr double kMostLayoutDifference = 1e-9;        // relative: the same numbers in another order

// The input of the reads, the same for every layout.
struct ReadInput {
  std::vector<double> contributions;  // by id
  std::vector<std::int32_t> depths;   // by id
  std::vector<VertexId> order;        // every id once, shuffled
};

ReadInput DrawInput(VertexId id_limit, std::uint64_t seed) {
  Xoshiro256 random(seed);
  ReadInput input;
  for (VertexId v = 0; v < id_limit; ++v) {
    input.contributions.push_back(1.0 / static_cast<double>(1 + random.Below(1000)));
    input.depths.push_back(static_cast<std::int32_t>(random.Below(8)));
    input.order.push_back(v);
  }
  for (std::size_t i = input.order.size(); i > 1; --i) {
    std::swap(input.order[i - 1], input.order[random.Below(i)]);
  }
  return input;
}

double Pull(const auto& lists, const ReadInput& input) {
  const std::size_t id_limit = input.contributions.size();
  const double* contributions = input.contributions.data();
  std::vector<double> incoming(kBlock);
  double sum = 0;
  for (std::size_t first = 0; first < id_limit; first += kBlock) {
    const std::size_t last = std::min(first + kBlock, id_limit);
    std::ranges::fill(incoming, 0);
    lists.ForEachIn(static_cast<VertexId>(first), static_cast<VertexId>(last),
                    [&](VertexId v, VertexId u) { incoming[v - first] += contributions[u]; });
    for (const double in : incoming) sum += in;
  }
  return sum;
}

double Walk(const auto& lists, const ReadInput& input) {
  const std::int32_t* depths = input.depths.data();
  std::int64_t sum = 0;
  for (const VertexId v : input.order) {
    lists.ForEachOf(v, [&](VertexId u) { sum += depths[u]; });
  }
  return static_cast<double>(sum);
}

// One thread reads: its CPU time equals the wall time on an idle machine.
template <typename F>
double CpuMilliseconds(const F& f) {
  const CpuWatch watch;
  f();
  return watch.Seconds() * 1e3;
}

// A window that has been filled and moved, and its measurements.
struct Contender {
  std::string name;
  std::function<double()> pull;
  std::function<double()> walk;
  Samples advance_ms;
  double bytes = 0;
  Samples pull_ms;
  Samples walk_ms;
};

class LayoutContest {
 public:
  LayoutContest(const Bench& bench, std::string prefix, LayoutStream stream)
      : bench_(bench),
        prefix_(std::move(prefix)),
        stream_(std::move(stream)),
        input_(DrawInput(stream_.id_limit, bench.options.seed)) {
    EnterPlain();
  }

  template <typename Window>
  void Enter(const std::string& name, std::unique_ptr<Window> made) {
    const std::shared_ptr<Window> window = std::move(made);
    Samples advances;
    for (std::size_t i = stream_.length; i < stream_.slices.size(); ++i) {
      advances.Add(window->Advance().cpu_seconds * 1e3);
    }
    bench_.report.Verify(prefix_ + name, window->Difference(*plain_));
    contenders_.push_back(
        {.name = name,
         .pull =
             [this, window] {
               return window->WithIn([&](const auto& lists) { return Pull(lists, input_); });
             },
         .walk =
             [this, window] {
               return window->WithIn([&](const auto& lists) { return Walk(lists, input_); });
             },
         .advance_ms = MeansOfParts(advances),
         .bytes = static_cast<double>(window->bytes()),
         .pull_ms = {},
         .walk_ms = {}});
  }

  template <typename Layout>
  void EnterLayout(const std::string& name, const Layout& out = Layout(),
                   const Layout& in = Layout()) {
    Enter(name, std::make_unique<LayoutWindow<Layout>>(stream_, out, in));
  }

  void EnterStore() { Enter("store", std::make_unique<StoreWindow>(stream_)); }

  // Repetitions alternate between the contenders.
  void Compare() {
    const double pulled = contenders_.front().pull();
    const double walked = contenders_.front().walk();
    for (int i = 0; i < bench_.options.repetitions; ++i) {
      for (Contender& contender : contenders_) {
        double answer = 0;
        contender.pull_ms.Add(CpuMilliseconds([&] { answer = contender.pull(); }));
        if (std::abs(answer - pulled) > kMostLayoutDifference * pulled) Wrong(contender, "pull");
        contender.walk_ms.Add(CpuMilliseconds([&] { answer = contender.walk(); }));
        if (answer != walked) Wrong(contender, "walk");
      }
    }
    for (const Contender& contender : contenders_) Summarise(contender);
  }

  const CsrGraph& plain() const { return *plain_; }

 private:
  // The plain CSR, which must be rebuilt at each advance.
  void EnterPlain() {
    const BenchEdges live = stream_.Live();
    Samples builds;
    for (int i = 0; i < bench_.options.repetitions; ++i) {
      const CpuWatch cpu;
      plain_ = stream_.weighs ? stream_.WeighedGraph() : MakePlainCsr(live, 0, live.size());
      builds.Add(cpu.Seconds() * 1e3);
    }
    const auto lists = [this] { return InLists(*plain_); };
    const auto edges = static_cast<double>(plain_->edge_count());
    contenders_.push_back(
        {.name = "csr",
         .pull = [this, lists] { return Pull(lists(), input_); },
         .walk = [this, lists] { return Walk(lists(), input_); },
         .advance_ms = builds,
         .bytes = 2 * (edges * (stream_.weighs ? 8 : 4) + (stream_.id_limit + 1.0) * 8),
         .pull_ms = {},
         .walk_ms = {}});
  }

  // The mean of each part, with as many parts as repetitions, so that the spread is that of the
  // parts.
  Samples MeansOfParts(const Samples& advances) const {
    const std::size_t count = advances.size();
    const auto parts = static_cast<std::size_t>(bench_.options.repetitions);
    Samples means;
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t begin = std::min(count * part / parts, count - 1);
      const std::size_t end = std::max(count * (part + 1) / parts, begin + 1);
      const auto values = advances.values().begin();
      means.Add(Samples({values + static_cast<std::ptrdiff_t>(begin),
                         values + static_cast<std::ptrdiff_t>(end)})
                    .Mean());
    }
    return means;
  }

  void Wrong(const Contender& contender, const std::string& what) {
    bench_.report.Wrong(prefix_ + contender.name + "_" + what, "another sum than the plain CSR's");
  }

  void Summarise(const Contender& contender) {
    const Contender& plain = contenders_.front();
    const auto add = [&](const std::string& what, const std::string& unit, const Samples& values,
                         const Samples& against) {
      const std::string name = prefix_ + contender.name + "_" + what;
      if (&contender == &plain) {
        bench_.report.Add(name, unit, values);
      } else {
        bench_.report.Add(name, unit, values, Ratios(values, against), "plain CSR");
      }
    };
    add("pull", "ms of CPU", contender.pull_ms, plain.pull_ms);
    add("walk", "ms of CPU", contender.walk_ms, plain.walk_ms);
    add("advance", "ms of CPU", contender.advance_ms, plain.advance_ms);
    add("memory", "MiB", Samples({contender.bytes / kMebibyte}),
        Samples({plain.bytes / kMebibyte}));
  }

  const Bench& bench_;
  const std::string prefix_;
  const LayoutStream stream_;
  const ReadInput input_;
  std::shared_ptr<const CsrGraph> plain_;
  std::vector<Contender> contenders_;  // the plain CSR first
};

// The lists that copy_large copies: those not shorter than the 16th longest.
constexpr std::size_t kLargest = 16;

template <typename Degree>
CopyPolicy CopyLargest(const CsrGraph& graph, const Degree& degree) {
  std::vector<std::uint32_t> degrees;
  for (const VertexId v : graph.vertices()) degrees.push_back(degree(v));
  const auto last =
      degrees.begin() + static_cast<std::ptrdiff_t>(std::min(kLargest, degrees.size()));
  std::ranges::partial_sort(degrees, last, std::greater<>());
  return {.at_most = 0, .at_least = *(last - 1)};
}

void CompareLinking(const Bench& bench, std::size_t slices) {
  LayoutContest contest(bench, fmt::format("layouts_{}_", slices), KeepStream(bench.edges, slices));
  const CsrGraph& plain = contest.plain();
  contest.EnterLayout<ExplicitLayout>("explicit");
  contest.EnterLayout<ImplicitLayout>("implicit");
  const CopyingLayout smallest(CopyPolicy{.at_most = 4});
  contest.EnterLayout("copy_small", smallest, smallest);
  contest.EnterLayout(
      "copy_large",
      CopyingLayout(CopyLargest(plain, [&](VertexId v) { return plain.out_degree(v); })),
      CopyingLayout(CopyLargest(plain, [&](VertexId v) { return plain.in_degree(v); })));
  contest.EnterStore();
  contest.Compare();
}

void CompareDeaths(const Bench& bench, std::size_t percent) {
  LayoutContest contest(
      bench, fmt::format("layouts_die{}_", percent),
      DyingStream(bench.edges, 60, static_cast<double>(percent) / 100, bench.options.seed));
  contest.EnterLayout<DeletionVectorLayout>("vector");
  contest.EnterLayout<CopyingLayout>("copy");
  contest.EnterStore();
  contest.Compare();
}

// Duplicates become weights: SLOTH's forward pointers, and the store's chains of copies.
void CompareWeights(const Bench& bench) {
  LayoutContest contest(bench, "layouts_weigh20_",
                        WeighStream(DrawCase(bench, kWeighCase, bench.options.edges), 60));
  contest.EnterLayout<ForwardLayout>("forward");
  contest.EnterStore();
  contest.Compare();
}

}  // namespace

void RunLayouts(const Bench& bench) {
  CompareLinking(bench, 60);
  CompareLinking(bench, 600);
  CompareDeaths(bench, 5);
  CompareDeaths(bench, 20);
  CompareWeights(bench);
}

}  // namespace sash::bench
