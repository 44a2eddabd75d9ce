// Searches that follow a stream, as in GraphOne's figure 15: the time in which 50 slides of 0.1 %
// pass through the engine and the last results are there, without jobs, with one search on every
// advance, and with eight from different roots. A search begins from its previous depths. Every job
// searches every advance; the stream waits for a job that is four advances late.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/engine_parts.h"
#include "tests/bench/event_slides.h"
#include "tests/bench/stopwatch.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/kernels/bfs.h"
#include "windows/store/window_view.h"

namespace sash::bench {
namespace {

constexpr int kStreamedSlides = 1000;
constexpr std::size_t kMostJobs = 8;
constexpr std::size_t kRunners = 2;
constexpr std::size_t kMostWaiting = 4;  // advances of a job

// Keeps the newest result of each job, and counts them.
class NewestResults final : public ResultSink {
 public:
  void Deliver(const CompletedRun& run) override {
    ++runs;
    followed += run.result->mode == RunMode::kIncremental ? 1 : 0;
    newest[run.result->job] = run.result;
  }
  void Complete(const AdvanceReport&) override {}
  Status Flush() override { return Ok{}; }

  // Read them after Drain().
  std::uint64_t runs = 0;
  std::uint64_t followed = 0;  // of these
  std::map<std::string, std::shared_ptr<const RunResult>> newest;
};

struct Streamed {
  double seconds = 0;
  double followed = 0;  // of the runs, those that began from the previous depths
};

class SearchedStream {
 public:
  explicit SearchedStream(const BenchOptions& options)
      : measured_(options.quick ? 20 : 50),
        events_(options, std::max<std::size_t>(1, options.edges / kStreamedSlides), 1),
        engine_({WindowOf(kStreamedSlides, kSlide)}, InOrder(),
                parts_.Around([this](AdvancePtr advance) {
                  newest_ = std::move(advance);
                  if (scheduler_) scheduler_->Submit(newest_);
                })) {
    engine_.Process(EventSlides::Begin(parts_.partitions));
    for (int i = 0; i <= kStreamedSlides; ++i) {
      std::vector<EventBatch> batches;
      events_.AddNext(batches);
      Process(batches);
    }
    roots_ = VisitView(newest_->view, [](const auto& graph) { return Hubs(graph); });
  }

  // With this number of jobs, which have a result of the window before the first slide.
  Streamed Take(std::size_t count) {
    const std::vector<JobSpec> jobs = Jobs(count);
    ResultHistory history(jobs);
    NewestResults sink;
    scheduler_ = std::make_unique<JobScheduler>(
        jobs, parts_.keys, clock_, history, sink, false,
        [](const std::string&, const JobParameters&) { return false; }, kRunners);
    scheduler_->Start();
    scheduler_->Submit(newest_);
    scheduler_->Drain();
    std::vector<EventBatch> batches;
    for (int i = 0; i < measured_; ++i) events_.AddNext(batches);
    const double seconds = Time([&] {
      Process(batches);
      scheduler_->Drain();
    });
    scheduler_.reset();
    for (std::size_t i = 0; i < count; ++i) Verify(roots_[i], *sink.newest[jobs[i].name]);
    if (count == 0) return {.seconds = seconds};
    const std::uint64_t all = count * (static_cast<std::uint64_t>(measured_) + 1);
    if (sink.runs != all) wrong_ = fmt::format("{} runs, not {}", sink.runs, all);
    return {seconds, static_cast<double>(sink.followed) / static_cast<double>(all)};
  }

  const std::optional<std::string>& wrong() const { return wrong_; }

 private:
  // Vertices with the most out-edges: they never leave the window, so they keep their ids.
  static std::vector<VertexId> Hubs(const auto& graph) {
    std::vector<VertexId> vertices(graph.vertices().begin(), graph.vertices().end());
    std::ranges::partial_sort(vertices, vertices.begin() + kMostJobs, {}, [&](VertexId v) {
      return -static_cast<std::int64_t>(graph.out_degree(v));
    });
    vertices.resize(kMostJobs);
    return vertices;
  }
  std::vector<JobSpec> Jobs(std::size_t count) const {
    std::vector<JobSpec> jobs;
    for (std::size_t i = 0; i < count; ++i) {
      JobSpec job;
      job.name = fmt::format("search_{}", i);
      job.window = "w";
      job.parameters = BfsParameters{.roots = {parts_.keys.KeyOf(roots_[i])}, .warm_start = true};
      job.threads = 1;
      job.overrun = {.queue = kMostWaiting};
      jobs.push_back(job);
    }
    return jobs;
  }
  void Process(std::vector<EventBatch>& batches) {
    for (EventBatch& batch : batches) {
      engine_.Process(batch);
      batch = EventBatch();
    }
  }
  // The newest result follows all earlier ones; it must be that of a new search.
  void Verify(VertexId root, const RunResult& result) {
    const auto expected = VisitView(
        newest_->view, [&](const auto& graph) { return Bfs(graph, std::array{root}).levels; });
    if (result.provenance.snapshot != newest_->provenance.snapshot) {
      wrong_ = "the newest window was not searched";
    } else if (std::get<BfsOutput>(result.output).traversals.front().levels != expected) {
      wrong_ = fmt::format("other levels from vertex {}", root);
    }
  }

  const int measured_;  // slides a repetition
  EventSlides events_;
  const SystemClock clock_;
  EngineParts parts_{clock_};
  AdvancePtr newest_;
  std::vector<VertexId> roots_;
  std::unique_ptr<JobScheduler> scheduler_;
  std::optional<std::string> wrong_;
  WindowEngine engine_;
};

}  // namespace

void RunStreamingBfs(const Bench& bench) {
  SearchedStream stream(bench.options);
  Samples none, one, eight, followed;
  for (int i = 0; i < bench.options.repetitions; ++i) {
    none.Add(stream.Take(0).seconds);
    one.Add(stream.Take(1).seconds);
    const Streamed streamed = stream.Take(kMostJobs);
    eight.Add(streamed.seconds);
    followed.Add(streamed.followed * 100);
  }
  bench.report.Verify("streaming_bfs", stream.wrong());
  bench.report.Add("streaming_bfs_0", "s", none);
  bench.report.Add("streaming_bfs_1", "s", one, Ratios(one, none), "without jobs");
  bench.report.Add("streaming_bfs_8", "s", eight, Ratios(eight, one), "one job");
  bench.report.Add("streaming_bfs_8_followed", "% of runs", followed);
}

}  // namespace sash::bench
