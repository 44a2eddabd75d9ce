// The whole engine from memory: events of 4 partitions into a window of 10 slides that moves by one,
// PageRank of 20 iterations on every advance, none skipped. A slide stands for a second, so whoever
// takes more edges in a second than a slide has keeps up with a stream of that rate.
#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/slide/window_engine.h"

namespace sash::bench {
namespace {

constexpr PartitionIndex kPartitions = 4;
constexpr std::size_t kBatchEvents = 4096;
constexpr int kSlides = 10;
constexpr int kIterations = 20;
constexpr Duration kSlide = std::chrono::seconds(1);

class NoRefusals final : public RefusalSink {
 public:
  void Refuse(const RefusedRecord&) override {}
};

// Counts what it is given: runs with all their iterations, and reports.
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

  // Read after Drain().
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
      : slide_size_(slide_size), stream_(StreamOptions(options)), jobs_(Jobs(options)) {
    EventBatch batch;
    batch.start.emplace();
    for (PartitionIndex p = 0; p < kPartitions; ++p) {
      batch.start->partitions.push_back(partitions_.Index("bench", static_cast<std::int32_t>(p)));
    }
    engine_.Process(batch);
    scheduler_.Start();
    for (int i = 0; i <= kSlides; ++i) Take(1);
  }

  // Seconds from the first of the events to the last result.
  double Take(int slides) {
    std::vector<EventBatch> batches;
    for (int i = 0; i < slides; ++i) AddSlide(batches);
    return Time([&] {
      for (EventBatch& batch : batches) {
        engine_.Process(batch);
        batch = EventBatch();
      }
      scheduler_.Drain();
    });
  }

  std::optional<std::string> Wrong() const {
    const std::uint64_t advances = next_ - 1;  // the newest slide is open
    if (sink_.runs != advances || sink_.reports != advances || sink_.skipped > 0) {
      return fmt::format("{} runs and {} reports for {} advances", sink_.runs, sink_.reports,
                         advances);
    }
    if (sink_.edges != kSlides * slide_size_) {
      return fmt::format("the window has {} edges, not {}", sink_.edges, kSlides * slide_size_);
    }
    return std::nullopt;
  }

 private:
  static KeyRef Key(std::uint64_t vertex, EventBatch& batch) {
    std::array<char, 24> text{'v'};
    const auto [end, error] = std::to_chars(text.data() + 1, text.data() + text.size(), vertex);
    return KeyRef::Text(batch.Store({text.data(), end}));
  }

  void AddSlide(std::vector<EventBatch>& batches) {
    const auto begin = EventTime(static_cast<std::int64_t>(next_++) * kSlide);
    for (std::size_t i = 0; i < slide_size_; ++i) {
      if (i % kBatchEvents == 0) {
        batches.push_back(batches.empty() ? EventBatch() : EventBatch::AsLargeAs(batches.back()));
      }
      const GeneratedEdge edge = stream_.Next();
      const KeyRef source = Key(edge.source, batches.back());
      const KeyRef target = Key(edge.target, batches.back());
      EdgeEvent& event = batches.back().Add();
      event.time =
          begin + kSlide * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(slide_size_);
      event.offset = static_cast<std::int64_t>(offset_ / kPartitions);
      event.partition = static_cast<PartitionIndex>(offset_++ % kPartitions);
      event.source = source;
      event.target = target;
    }
  }

  const std::size_t slide_size_;
  EdgeStream stream_;
  std::uint64_t next_ = 0;  // the slide that comes next
  std::uint64_t offset_ = 0;
  const std::vector<JobSpec> jobs_;
  VertexDictionary keys_{KeyKind::kString};
  PartitionTable partitions_;
  const SystemClock clock_;
  NoRefusals refusals_;
  EngineStats stats_;
  StreamProgress progress_;
  CountingSink sink_;
  ResultHistory history_{jobs_};
  JobScheduler scheduler_{jobs_, keys_, clock_, history_, sink_, true};
  WindowEngine engine_{{{.name = "w",
                         .length = (kSlides * kSlide).count(),
                         .slide = kSlide.count(),
                         .removals = false}},
                       {.disorder = Duration(0), .check_ahead = false},
                       {keys_, partitions_, clock_, refusals_, stats_, progress_,
                        [this](AdvancePtr advance) { scheduler_.Submit(std::move(advance)); }}};
};

// M edges/s with slides of so many edges.
Samples Rates(const Bench& bench, std::size_t slide_size) {
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
  // A window of smaller slides is smaller, and faster: the rate counts only with slides no smaller
  // than what it has in a second.
  std::size_t slide_size = bench.options.edges / 4;
  for (int tries = 1;; ++tries) {
    const Samples rates = Rates(bench, slide_size);
    const double rate = rates.Median() * 1e6;
    if (rate <= static_cast<double>(slide_size) || tries == 4) {
      bench.report.Add("sustained", "M edges/s", rates);
      return;
    }
    slide_size = static_cast<std::size_t>(rate);
  }
}

}  // namespace sash::bench
