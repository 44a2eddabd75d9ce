// How jobs and the stream slow each other down. PageRank with one thread, repeated on a held view,
// while events move the window on; compared with each alone, alternately. On two cores they share
// memory, caches, and a core whenever a slice freezes, which takes two threads. And how long a
// short job waits while PageRank runs, with one runner and with two.
#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/engine_parts.h"
#include "tests/bench/event_slides.h"
#include "tests/bench/stopwatch.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/kernels/pagerank.h"
#include "windows/store/window_view.h"

namespace sash::bench {
namespace {

constexpr int kDisturbedSlides = 10;
constexpr int kDisturbedRun = 4;  // slides a repetition
constexpr int kRuns = 3;          // alone, a repetition

// A window in an engine without jobs.
class StreamedWindow {
 public:
  explicit StreamedWindow(const BenchOptions& options)
      : events_(options, options.edges / kDisturbedSlides, 1) {
    engine_.Process(EventSlides::Begin(parts_.partitions));
    std::vector<EventBatch> batches;
    for (int i = 0; i <= kDisturbedSlides; ++i) {
      events_.AddNext(batches);
      Process(batches);
      batches.clear();
    }
  }

  // M edges/s, from the first event to the last advance; `streaming` is true during this time.
  double Stream(std::atomic<bool>& streaming) {
    std::vector<EventBatch> batches;
    for (int i = 0; i < kDisturbedRun; ++i) events_.AddNext(batches);
    streaming = true;
    const double seconds = Time([&] { Process(batches); });
    streaming = false;
    return static_cast<double>(kDisturbedRun * events_.slide_size()) / seconds * 1e-6;
  }
  double Stream() {
    std::atomic<bool> streaming = false;
    return Stream(streaming);
  }

  const AdvancePtr& newest() const { return newest_; }
  const VertexDictionary& keys() const { return parts_.keys; }
  std::optional<std::string> Wrong() const {
    const std::uint64_t edges = newest_->provenance.edges;
    if (edges == kDisturbedSlides * events_.slide_size()) return std::nullopt;
    return fmt::format("the window has {} edges, not {}", edges,
                       kDisturbedSlides * events_.slide_size());
  }

 private:
  // Frees each batch when it has been read.
  void Process(std::vector<EventBatch>& batches) {
    for (EventBatch& batch : batches) {
      engine_.Process(batch);
      batch = EventBatch();
    }
  }

  EventSlides events_;
  const SystemClock clock_;
  EngineParts parts_{clock_};
  AdvancePtr newest_;
  WindowEngine engine_{{WindowOf(kDisturbedSlides, kSlide)},
                       InOrder(),
                       parts_.Around([this](AdvancePtr advance) { newest_ = std::move(advance); })};
};

// Runs on one view, which must all give the same result, whatever happens to the window.
class RunsOnOneView {
 public:
  explicit RunsOnOneView(AdvancePtr advance) : advance_(std::move(advance)), first_(Rank()) {}

  // In seconds.
  double Run() {
    const WallWatch watch;
    const std::vector<double> ranks = Rank();
    const double seconds = watch.Seconds();
    wrong_ += ranks == first_ ? 0 : 1;
    return seconds;
  }
  std::optional<std::string> Wrong() const {
    if (wrong_ == 0) return std::nullopt;
    return fmt::format("{} runs on one view differ from the first", wrong_);
  }

 private:
  std::vector<double> Rank() const {
    const PageRankOptions options{
        .tolerance = 0, .max_iterations = 20, .threads = 1, .precision = Precision::kBfloat16};
    return VisitView(advance_->view,
                     [&](const auto& graph) { return PageRank(graph, options).ranks; });
  }

  const AdvancePtr advance_;
  const std::vector<double> first_;
  int wrong_ = 0;
};

// A thread that runs without a pause, and knows which of its runs took place entirely during the
// stream.
class RunsBeside {
 public:
  explicit RunsBeside(RunsOnOneView& job)
      : thread_([this, &job] {
          while (!stop_) {
            const int round = streaming_ ? round_.load() : 0;
            const double seconds = job.Run();
            if (round == 0 || !streaming_ || round != round_) continue;
            seconds_.Add(seconds);
            seen_ = true;
          }
        }) {}

  // M edges/s; repeated when no run took place entirely during the stream.
  double Stream(StreamedWindow& window) {
    Samples rates;
    do {
      ++round_;
      rates.Add(window.Stream(streaming_));
    } while (!seen_);
    return rates.Mean();
  }
  // The runs' times in seconds.
  const Samples& Stop() {
    stop_ = true;
    thread_.join();
    return seconds_;
  }

 private:
  std::atomic<bool> streaming_ = false;
  std::atomic<int> round_ = 0;  // of the stream
  std::atomic<bool> stop_ = false;
  std::atomic<bool> seen_ = false;
  Samples seconds_;  // belongs to the thread until it has ended
  std::thread thread_;
};

class ShortJobSink final : public ResultSink {
 public:
  void Deliver(const CompletedRun& run) override {
    if (run.result->job == "short") delivered.release();
  }
  void Complete(const AdvanceReport&) override {}
  Status Flush() override { return Ok{}; }

  std::binary_semaphore delivered{0};
};

// Milliseconds from an advance of an empty window until the result of its job, which takes no time,
// while PageRank runs on `busy`.
double ShortJobLatency(const StreamedWindow& busy, std::size_t runners) {
  JobSpec ranks;
  ranks.name = "long";
  ranks.window = busy.newest()->provenance.window;
  ranks.parameters = PageRankParameters{.tolerance = 0, .max_iterations = 20};
  ranks.threads = 1;
  JobSpec shape;
  shape.name = "short";
  shape.window = "empty";
  shape.parameters = ShapeParameters();
  auto empty = std::make_shared<Advance>();
  empty->provenance.window = shape.window;
  empty->view = EmptyView();

  const SystemClock clock;
  ResultHistory history({ranks, shape});
  ShortJobSink sink;
  JobScheduler scheduler(
      {ranks, shape}, busy.keys(), clock, history, sink, false,
      [](const std::string&, const JobParameters&) { return false; }, runners);
  scheduler.Start();
  scheduler.Submit(busy.newest());
  const auto has_begun = [&scheduler] {
    const JobStatus status = scheduler.Statuses()[0];
    return status.running || status.runs > 0;  // a run of few edges may end unseen
  };
  while (!has_begun()) std::this_thread::yield();
  const WallWatch watch;
  scheduler.Submit(std::move(empty));
  sink.delivered.acquire();
  const double seconds = watch.Seconds();
  scheduler.Drain();
  return seconds * 1e3;
}

}  // namespace

void RunInterference(const Bench& bench) {
  StreamedWindow window(bench.options);
  Samples rate, rate_beside, run, run_beside;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    RunsOnOneView job(window.newest());
    rate.Add(window.Stream());
    Samples alone;
    for (int k = 0; k < kRuns; ++k) alone.Add(job.Run());
    run.Add(alone.Mean());

    RunsBeside beside(job);
    rate_beside.Add(beside.Stream(window));
    run_beside.Add(beside.Stop().Mean());
    bench.report.Verify("interference", job.Wrong());
  }
  bench.report.Verify("interference", window.Wrong());
  bench.report.Add("interference_job", "s", run_beside, Ratios(run_beside, run), "alone");
  bench.report.Add("interference_ingest", "M edges/s", rate_beside, Ratios(rate_beside, rate),
                   "alone");

  Samples one, two;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    one.Add(ShortJobLatency(window, 1));
    two.Add(ShortJobLatency(window, 2));
  }
  bench.report.Add("interference_short_job", "ms", two, Ratios(two, one), "one runner");
}

}  // namespace sash::bench
