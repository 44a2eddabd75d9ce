// The cost of checkpoints: the same stream through an engine with checkpoints and one without. A
// slide represents a second and the window has ten, so there is a state each time the window has
// been renewed.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/event_slides.h"
#include "tests/bench/kept_engine.h"
#include "tests/bench/stopwatch.h"

namespace sash::bench {
namespace {

constexpr int kCheckpointSlides = 10;  // the window's length, and the interval between states
// A broker delivers records of one partition, then those of the next.
constexpr std::size_t kRun = 500;

class Taking {
 public:
  Taking(const BenchOptions& options, const std::string& path)
      : events_(options, options.edges / kCheckpointSlides, kRun),
        engine_(kCheckpointSlides, path),
        keeps_(!path.empty()) {
    begun_ = engine_.Begin().ok();
    if (keeps_) engine_.Start();
    Take();
  }

  // The slides of one interval. Wall time ends when the engine has taken them; processor time
  // includes writing.
  void Measure() {
    const auto [elapsed, cpu] = Take();
    const double edges = static_cast<double>(kCheckpointSlides * events_.slide_size());
    elapsed_.Add(elapsed / edges * 1e9);
    cpu_.Add(cpu / edges * 1e9);
  }

  std::optional<std::string> Wrong() const {
    if (!begun_ || !written_) return "no checkpoint can be written";
    if (engine_.newest()->provenance.edges != kCheckpointSlides * events_.slide_size()) {
      return "the window has " + std::to_string(engine_.newest()->provenance.edges) + " edges";
    }
    return std::nullopt;
  }

  double bytes_written() const { return static_cast<double>(engine_.counts().written); }
  double edges_taken() const {
    return static_cast<double>(events_.slides() * events_.slide_size());
  }
  const Samples& elapsed() const { return elapsed_; }
  const Samples& cpu() const { return cpu_; }

 private:
  std::pair<double, double> Take() {
    std::vector<std::vector<EventBatch>> slides(kCheckpointSlides);
    for (std::vector<EventBatch>& slide : slides) events_.AddNext(slide);
    const CpuWatch cpu;
    const WallWatch wall;
    for (std::vector<EventBatch>& slide : slides) {
      for (EventBatch& batch : slide) engine_.Round(std::move(batch));
      engine_.PassSlide();
    }
    const double elapsed = wall.Seconds();
    if (keeps_) written_ = written_ && engine_.AwaitCheckpoints(++states_);
    return {elapsed, cpu.Seconds()};
  }

  EventSlides events_;
  KeptEngine engine_;
  const bool keeps_;
  bool begun_ = false;
  bool written_ = true;
  std::uint64_t states_ = 0;
  Samples elapsed_;
  Samples cpu_;
};

}  // namespace

void RunCheckpoint(const Bench& bench) {
  const StateFolder folder;
  Taking without(bench.options, "");
  Taking with(bench.options, folder.path());
  for (int i = 0; i < bench.options.repetitions; ++i) {
    without.Measure();
    with.Measure();
  }
  bench.report.Verify("without checkpoints", without.Wrong());
  bench.report.Verify("checkpoint_cpu", with.Wrong());
  bench.report.Add("checkpoint_cpu", "ns of CPU", with.cpu(), Ratios(with.cpu(), without.cpu()),
                   "without");
  bench.report.Add("checkpoint_elapsed", "ns", with.elapsed(),
                   Ratios(with.elapsed(), without.elapsed()), "without");
  bench.report.Add("checkpoint_bytes", "bytes",
                   Samples({with.bytes_written() / with.edges_taken()}));
}

}  // namespace sash::bench
