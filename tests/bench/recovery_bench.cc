// From the folder of checkpoints to an engine that answers, for a window of all the edges and for
// one of a tenth: the folder is read and checked, the window is rebuilt, the stream goes on, and
// its first events publish the next window.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/event_slides.h"
#include "tests/bench/kept_engine.h"
#include "tests/bench/stopwatch.h"

namespace sash::bench {
namespace {

constexpr int kRecoveredSlides = 60;

// Every partition has a few turns in a slide.
std::size_t RunOfPartition(std::size_t edges) {
  return std::clamp<std::size_t>(edges / kRecoveredSlides / 8, 1, 500);
}

struct Recovered {
  Samples seconds;
  Samples checking;  // part of that: reading and checking every byte
  double bytes = 0;  // of the checkpoint
};

class Stream {
 public:
  Stream(const Bench& bench, std::size_t edges)
      : events_(bench.options, edges / kRecoveredSlides, RunOfPartition(edges)) {}

  // Fills a window and writes a checkpoint of it. False: it cannot.
  bool Leave(const std::string& path) {
    KeptEngine engine(kRecoveredSlides, path);
    if (!engine.Begin()) return false;
    engine.Start();
    for (int i = 0; i < kRecoveredSlides + kRecoveredSlides / 10; ++i) {
      std::vector<EventBatch> slide;
      events_.AddNext(slide);
      for (EventBatch& batch : slide) engine.Round(std::move(batch));
      engine.PassSlide();
    }
    engine.Finish();
    events_.AddNext(next_);
    engine.Round(next_.front());
    expected_ = engine.newest()->provenance;
    return engine.counts().failures == 0;
  }

  // Seconds until the next window is published, which the first engine would have published next.
  std::optional<double> GoOn(const std::string& path) const {
    EventBatch first = next_.front();
    const WallWatch watch;
    KeptEngine engine(kRecoveredSlides, path);
    if (!engine.Begin()) return std::nullopt;
    engine.Round(std::move(first));
    const double seconds = watch.Seconds();
    if (!engine.newest()) return std::nullopt;
    const Provenance& about = engine.newest()->provenance;
    const bool is_same = about.window_end == expected_.window_end &&
                         about.edges == expected_.edges && about.vertices == expected_.vertices;
    return is_same ? std::optional(seconds) : std::nullopt;
  }

 private:
  EventSlides events_;
  std::vector<EventBatch> next_;  // the slide that the first engine did not complete
  Provenance expected_;
};

Recovered MeasureRecovery(const Bench& bench, std::string_view row, std::size_t edges) {
  const StateFolder folder;
  Stream stream(bench, edges);
  if (!stream.Leave(folder.path())) bench.report.Wrong(row, "no checkpoint can be written");
  Recovered recovered;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    const WallWatch watch;
    const auto opened = PosixFolder::OpenToRead(folder.path());
    const auto found = SavedCheckpoint::Find(*opened.value(), KeyKind::kString);
    recovered.checking.Add(watch.Seconds());
    recovered.bytes = static_cast<double>(found.value()->bytes());
    const std::optional<double> seconds = stream.GoOn(folder.path());
    if (!seconds) bench.report.Wrong(row, "it does not go on as it would have");
    recovered.seconds.Add(seconds.value_or(0));
  }
  return recovered;
}

}  // namespace

void RunRecovery(const Bench& bench) {
  const std::size_t edges = bench.options.edges;
  const Recovered tenth = MeasureRecovery(bench, "recovery_tenth", edges / 10);
  bench.report.Add("recovery_tenth", "s", tenth.seconds);
  const Recovered whole = MeasureRecovery(bench, "recovery", edges);
  bench.report.Add("recovery", "s", whole.seconds, Ratios(whole.seconds, tenth.seconds), "a tenth");
  bench.report.Add("recovery_checking", "s", whole.checking);
  bench.report.Add("recovery_bytes", "bytes", Samples({whole.bytes / static_cast<double>(edges)}));
}

}  // namespace sash::bench
