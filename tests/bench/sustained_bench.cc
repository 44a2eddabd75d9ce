// The whole engine from memory: events of 4 partitions into a window of 10 slides that moves by
// one, PageRank of 20 iterations on every advance, none skipped. A slide represents a second, so an
// engine that takes more edges per second than a slide has can follow a stream of that rate.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/engine_parts.h"
#include "tests/bench/event_slides.h"
#include "tests/bench/stopwatch.h"
#include "windows/jobs/job_scheduler.h"

namespace sash::bench {
namespace {

constexpr int kSustainedSlides = 10;
constexpr int kIterations = 20;

// Counts its input: runs with all their iterations, and reports.
class CountingSink final : public ResultSink {
 public:
  void Deliver(const CompletedRun& run) override {
    runs += run.result->iterations == kIterations ? 1 : 0;
    edges = run.result->provenance.edges;
  }
  void Complete(const AdvanceReport& report) override {
    ++reports;
    skipped += report.skipped.size() + report.cancelled.size();
  }
  Status Flush() override { return Ok{}; }

  // Read them after Drain().
  std::uint64_t runs = 0;
  std::uint64_t reports = 0;
  std::uint64_t skipped = 0;
  std::uint64_t edges = 0;  // in the newest window
};

std::vector<JobSpec> Jobs(const BenchOptions& options) {
  JobSpec job;
  job.name = "ranks";
  job.window = "w";
  job.parameters = PageRankParameters{.tolerance = 0, .max_iterations = kIterations};
  job.threads = options.threads;
  return {job};
}

class SustainedWindow {
 public:
  SustainedWindow(const BenchOptions& options, std::size_t slide_size)
      : events_(options, slide_size, 1), jobs_(Jobs(options)) {
    engine_.Process(EventSlides::Begin(parts_.partitions));
    scheduler_.Start();
    for (int i = 0; i <= kSustainedSlides; ++i) Take(1);
  }

  // Seconds from the first event to the last result.
  double Take(int slides) {
    std::vector<EventBatch> batches;
    for (int i = 0; i < slides; ++i) events_.AddNext(batches);
    return Time([&] {
      for (EventBatch& batch : batches) {
        engine_.Process(batch);
        batch = EventBatch();
      }
      scheduler_.Drain();
    });
  }

  std::optional<std::string> Wrong() const {
    const std::uint64_t advances = events_.slides() - 1;  // the newest slide is open
    if (sink_.runs != advances || sink_.reports != advances || sink_.skipped > 0) {
      return fmt::format("{} runs and {} reports for {} advances", sink_.runs, sink_.reports,
                         advances);
    }
    if (sink_.edges != kSustainedSlides * events_.slide_size()) {
      return fmt::format("the window has {} edges, not {}", sink_.edges,
                         kSustainedSlides * events_.slide_size());
    }
    return std::nullopt;
  }

 private:
  EventSlides events_;
  const std::vector<JobSpec> jobs_;
  const SystemClock clock_;
  EngineParts parts_{clock_};
  CountingSink sink_;
  ResultHistory history_{jobs_};
  JobScheduler scheduler_{jobs_, parts_.keys, clock_, history_, sink_, true};
  WindowEngine engine_{
      {WindowOf(kSustainedSlides, kSlide)}, InOrder(), parts_.Around([this](AdvancePtr advance) {
        scheduler_.Submit(std::move(advance));
      })};
};

// M edges/s with slides of this size.
Samples SustainedRates(const Bench& bench, std::size_t slide_size) {
  constexpr int kMeasured = 3;  // slides a repetition
  SustainedWindow window(bench.options, slide_size);
  Samples rates;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    rates.Add(static_cast<double>(kMeasured * slide_size) / window.Take(kMeasured) * 1e-6);
  }
  bench.report.Verify("sustained", window.Wrong());
  return rates;
}

}  // namespace

void RunSustained(const Bench& bench) {
  // A window of smaller slides is smaller, and faster: the rate only counts if its slides are at
  // least as large as what it takes in a second.
  std::size_t slide_size = bench.options.edges / 4;
  for (int tries = 1;; ++tries) {
    const Samples rates = SustainedRates(bench, slide_size);
    const double rate = rates.Median() * 1e6;
    if (rate <= static_cast<double>(slide_size) || tries == 4) {
      bench.report.Add("sustained", "M edges/s", rates);
      return;
    }
    slide_size = static_cast<std::size_t>(rate);
  }
}

}  // namespace sash::bench
