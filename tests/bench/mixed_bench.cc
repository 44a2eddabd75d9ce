// A log of adds and removals through the engine, over a graph that is loaded first, as CSR++ was
// measured: with 10, 40 and 50 % removals, compared with adds alone. A removal ends an edge that is
// there, chosen at random. The window forgets nothing and is published after each slide.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "daemon/generate/edge_stream.h"
#include "daemon/generate/random.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/engine_parts.h"
#include "tests/bench/event_slides.h"
#include "tests/bench/stopwatch.h"
#include "windows/store/folded_slice.h"
#include "windows/store/window_view.h"

namespace sash::bench {
namespace {

constexpr std::size_t kLoadedSlides = 80;
constexpr int kMixedRun = 10;  // slides a repetition
constexpr std::array kRemovalShares = {0, 10, 40, 50};

// The generator's edges, of which a share is replaced by removals once the graph is loaded.
class MixedLog {
 public:
  MixedLog(const BenchOptions& options, int percent)
      : stream_(StreamOptions(options)), random_(options.seed), removals_(percent / 100.0) {}

  void EndLoading() { is_loading_ = false; }

  GeneratedEdge Next() {
    if (!is_loading_ && !pairs_.empty() && random_.Happens(removals_)) return Removal();
    const GeneratedEdge edge = stream_.Next();
    const PairKey pair =
        MakePairKey(static_cast<VertexId>(edge.source), static_cast<VertexId>(edge.target));
    if (copies_[pair]++ == 0) pairs_.push_back(pair);
    ++edges_;
    return edge;
  }

  // What the log leaves: the number of edges, and the copies of each pair.
  std::uint64_t edges() const { return edges_; }
  std::uint64_t CopiesOf(std::uint64_t source, std::uint64_t target) const {
    const auto found =
        copies_.find(MakePairKey(static_cast<VertexId>(source), static_cast<VertexId>(target)));
    return found == copies_.end() ? 0 : found->second;
  }

 private:
  // It ends every copy of its pair.
  GeneratedEdge Removal() {
    PairKey& chosen = pairs_[random_.Below(pairs_.size())];
    const PairKey pair = std::exchange(chosen, pairs_.back());
    pairs_.pop_back();
    const auto copies = copies_.find(pair);
    edges_ -= copies->second;
    copies_.erase(copies);
    GeneratedEdge edge;
    edge.source = SourceOf(pair);
    edge.target = TargetOf(pair);
    edge.operation = Operation::kRemove;
    return edge;
  }

  EdgeStream stream_;
  Xoshiro256 random_;
  const Chance removals_;
  bool is_loading_ = true;
  std::vector<PairKey> pairs_;  // that have an edge
  std::unordered_map<PairKey, std::uint64_t> copies_;
  std::uint64_t edges_ = 0;
};

class LoggedWindow {
 public:
  LoggedWindow(const BenchOptions& options, int percent)
      : log_(options, percent),
        events_([this] { return log_.Next(); },
                std::max<std::size_t>(1, options.edges / kLoadedSlides), 1),
        engine_({Forever()}, InOrder(),
                parts_.Around([this](AdvancePtr advance) { newest_ = std::move(advance); })) {
    engine_.Process(EventSlides::Begin(parts_.partitions));
    for (std::size_t i = 0; i < kLoadedSlides; ++i) Take(1);
    log_.EndLoading();
    Take(1);
  }

  // M events for each second of CPU time, which is that of all threads. The slide before the first
  // closes within the time, and the last one stays open.
  double Rate() {
    return static_cast<double>(kMixedRun * events_.slide_size()) / Take(kMixedRun) * 1e-6;
  }

  // Ends the stream.
  std::optional<std::string> Wrong() {
    EventBatch last;
    last.end_of_source = true;
    engine_.Process(last);
    return VisitView(newest_->view, [&](const auto& graph) -> std::optional<std::string> {
      if (graph.edge_count() != log_.edges()) {
        return fmt::format("{} edges, not {}", graph.edge_count(), log_.edges());
      }
      for (const VertexId v : graph.vertices()) {
        if (auto error = ListError(v, graph.out(v), true)) return error;
        if (auto error = ListError(v, graph.in(v), false)) return error;
      }
      return std::nullopt;
    });
  }

 private:
  static WindowSpec Forever() {
    WindowSpec spec = WindowOf(1, kSlide);
    spec.length.reset();
    spec.removals = true;
    return spec;
  }

  // Seconds of CPU time, without that of making the events.
  double Take(int slides) {
    std::vector<EventBatch> batches;
    for (int i = 0; i < slides; ++i) events_.AddNext(batches);
    const CpuWatch watch;
    for (EventBatch& batch : batches) {
      engine_.Process(batch);
      batch = EventBatch();
    }
    return watch.Seconds();
  }

  std::uint64_t NumberOf(VertexId v) const {
    return std::stoull(std::string(parts_.keys.TextOf(v).substr(1)));
  }

  // With as many edges in all as expected, lists are right when each has the copies of each of its
  // pairs.
  std::optional<std::string> ListError(VertexId v, const auto& list, bool is_out) const {
    std::unordered_map<VertexId, std::uint64_t> copies;
    for (const VertexId u : list) ++copies[u];
    for (const auto& [u, count] : copies) {
      const std::uint64_t source = NumberOf(is_out ? v : u);
      const std::uint64_t target = NumberOf(is_out ? u : v);
      const std::uint64_t expected = log_.CopiesOf(source, target);
      if (count == expected) continue;
      return fmt::format("{} copies of {} to {}, not {}", count, source, target, expected);
    }
    return std::nullopt;
  }

  MixedLog log_;
  EventSlides events_;
  const SystemClock clock_;
  EngineParts parts_{clock_};
  AdvancePtr newest_;
  WindowEngine engine_;
};

}  // namespace

void RunMixed(const Bench& bench) {
  std::deque<LoggedWindow> windows;
  for (const int percent : kRemovalShares) windows.emplace_back(bench.options, percent);
  std::array<Samples, kRemovalShares.size()> rates;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    for (std::size_t w = 0; w < windows.size(); ++w) rates[w].Add(windows[w].Rate());
  }
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const std::string name = fmt::format("mixed_{}", kRemovalShares[w]);
    if (w == 0) {
      bench.report.Add(name, "M events/s of CPU", rates[w]);
    } else {
      bench.report.Add(name, "M events/s of CPU", rates[w], Ratios(rates[w], rates[0]),
                       "adds alone");
    }
    bench.report.Verify(name, windows[w].Wrong());
  }
}

}  // namespace sash::bench
