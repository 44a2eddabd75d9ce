// The neighbours of 512 vertices, one vertex after the other in one thread, in the process of the
// engine: in the published window, in the live view without fresh edges, and with 1,024 fresh edges
// that the first reader has to index. GraphOne's table 11 has the last two.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
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
#include "windows/store/live_view.h"
#include "windows/store/window_view.h"

namespace sash::bench {
namespace {

constexpr std::size_t kAskedSlides = 60;
constexpr std::size_t kFresh = 1024;
constexpr std::size_t kQueries = 512;

// The answer to a query: the neighbours of a vertex.
struct Hop {
  std::uint64_t neighbours = 0;
  std::uint64_t ids = 0;  // their sum
  friend bool operator==(const Hop&, const Hop&) = default;
};
using Hops = std::vector<Hop>;

Hop HopOf(const auto& graph, VertexId v) {
  Hop hop;
  if (v >= graph.id_limit()) return hop;
  for (const VertexId u : graph.out(v)) {
    ++hop.neighbours;
    hop.ids += u;
  }
  return hop;
}

// A window of 60 slides with a live view.
class LiveStream {
 public:
  explicit LiveStream(const BenchOptions& options)
      : slide_size_(std::max(2 * kFresh, options.edges / kAskedSlides)),
        events_(options, slide_size_, 1),
        same_(StreamOptions(options)),
        engine_({LiveWindowSpec()}, InOrder(),
                parts_.Around([this](AdvancePtr advance) { newest_ = std::move(advance); })) {
    engine_.Process(EventSlides::Begin(parts_.partitions));
    for (std::size_t i = 0; i <= kAskedSlides; ++i) MoveOn();
  }

  // The next slide begins: the one before it closes, and 1,024 edges are fresh.
  void MoveOn() {
    for (; given_ < batches_.size(); ++given_) engine_.Process(batches_[given_]);
    batches_.clear();
    events_.AddNext(batches_, kFresh);
    engine_.Process(batches_.front());
    given_ = 1;
    for (std::size_t i = 0; i < slide_size_; ++i) drawn_.push_back(same_.Next());
  }

  const AdvancePtr& newest() const { return newest_; }
  LiveParts parts() const { return engine_.Find("w")->live->parts; }

  // 512 vertices with out-edges in the published window.
  std::vector<VertexId> Draw(std::uint64_t seed) const {
    Xoshiro256 random(seed);
    return VisitView(newest_->view, [&](const auto& graph) {
      std::vector<VertexId> vertices;
      while (vertices.size() < kQueries) {
        const VertexId v = graph.vertices()[random.Below(graph.vertices().size())];
        if (graph.out_degree(v) > 0) vertices.push_back(v);
      }
      return vertices;
    });
  }

  // The answers by the events themselves, which a second stream of the generator gives: `slides`
  // slides that end at the begin of the newest one, and `fresh` events of that.
  Hops Expected(const std::vector<VertexId>& vertices, std::size_t slides,
                std::size_t fresh) const {
    const std::size_t newest = drawn_.size() - slide_size_;
    std::unordered_map<std::uint64_t, Hop> hops;
    for (const VertexId v : vertices) hops[NumberOf(v)] = Hop();
    for (std::size_t i = newest - slides * slide_size_; i < newest + fresh; ++i) {
      const auto hop = hops.find(drawn_[i].source);
      if (hop == hops.end()) continue;
      ++hop->second.neighbours;
      hop->second.ids += *parts_.keys.Find(VertexKey(fmt::format("v{}", drawn_[i].target)));
    }
    Hops expected;
    for (const VertexId v : vertices) expected.push_back(hops[NumberOf(v)]);
    return expected;
  }

 private:
  static WindowSpec LiveWindowSpec() {
    WindowSpec spec = WindowOf(kAskedSlides, kSlide);
    spec.live = true;
    return spec;
  }
  std::uint64_t NumberOf(VertexId v) const {
    return std::stoull(std::string(parts_.keys.TextOf(v).substr(1)));
  }

  const std::size_t slide_size_;
  EventSlides events_;
  EdgeStream same_;
  std::vector<GeneratedEdge> drawn_;
  std::vector<EventBatch> batches_;  // of the newest slide
  std::size_t given_ = 0;            // of these
  const SystemClock clock_;
  EngineParts parts_{clock_};
  AdvancePtr newest_;
  WindowEngine engine_;
};

// Microseconds of CPU time for 512 queries; a live view is made within the time. One thread reads,
// so on an idle machine it is the wall time.
class Queries {
 public:
  explicit Queries(std::vector<VertexId> vertices) : vertices_(std::move(vertices)) {}

  double Published(const WindowView& view) {
    return Measured([&] {
      VisitView(view, [&](const auto& graph) {
        for (const VertexId v : vertices_) hops_.push_back(HopOf(graph, v));
      });
    });
  }
  double Live(const LiveParts& parts) {
    return Measured([&] {
      const LiveView view(parts);
      for (const VertexId v : vertices_) hops_.push_back(HopOf(view, v));
    });
  }
  // Each query makes its own view, as a request over HTTP does.
  double LiveOneByOne(const LiveParts& parts) {
    return Measured([&] {
      for (const VertexId v : vertices_) hops_.push_back(HopOf(LiveView(parts), v));
    });
  }

  const std::vector<VertexId>& vertices() const { return vertices_; }
  const Hops& hops() const { return hops_; }  // the answers of the newest measurement

 private:
  double Measured(const std::function<void()>& ask) {
    hops_.clear();
    hops_.reserve(vertices_.size());
    const CpuWatch watch;
    ask();
    return watch.Seconds() * 1e6;
  }

  const std::vector<VertexId> vertices_;
  Hops hops_;
};

}  // namespace

void RunOneHop(const Bench& bench) {
  LiveStream stream(bench.options);
  Samples published, none, fresh, one_by_one;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    stream.MoveOn();
    Queries queries(stream.Draw(bench.options.seed + static_cast<std::uint64_t>(i)));
    const LiveParts parts = stream.parts();
    LiveParts without = parts;
    without.tails.clear();
    const auto add = [&](Samples& times, double time, std::size_t slides, std::size_t edges) {
      times.Add(time);
      if (queries.hops() != stream.Expected(queries.vertices(), slides, edges)) {
        bench.report.Wrong("one_hop", fmt::format("other neighbours with {} fresh edges", edges));
      }
    };
    queries.Published(stream.newest()->view);  // the lists come into the caches
    add(published, queries.Published(stream.newest()->view), kAskedSlides, 0);
    add(none, queries.Live(without), kAskedSlides - 1, 0);
    add(fresh, queries.Live(parts), kAskedSlides - 1, kFresh);
    add(one_by_one, queries.LiveOneByOne(parts), kAskedSlides - 1, kFresh);
  }
  bench.report.Add("one_hop_published", "us of CPU", published);
  bench.report.Add("one_hop_live", "us of CPU", none, Ratios(none, published), "published");
  bench.report.Add("one_hop_live_1024", "us of CPU", fresh, Ratios(fresh, none),
                   "without fresh edges");
  bench.report.Add("one_hop_live_1024_each", "us of CPU", one_by_one, Ratios(one_by_one, none),
                   "without fresh edges");
}

}  // namespace sash::bench
