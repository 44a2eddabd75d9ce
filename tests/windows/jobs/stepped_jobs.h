// A scheduler whose runners a test can stop: the base for tests of jobs.
//
// Thread safety: what a SteppedSink keeps, except for its semaphores, is read after Drain() or
// Stop().
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <semaphore>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/manual_clock.h"
#include "tests/support/random_graph.h"
#include "windows/jobs/job_scheduler.h"

namespace sash::testing {

// Stops the runner inside Deliver() until the test lets it continue.
class SteppedSink final : public ResultSink {
 public:
  void Deliver(const CompletedRun& run) override {
    entered.release();
    if (stepped) proceed.acquire();
    delivered.push_back(run.result->provenance.snapshot.value);
    before[run.result->job].push_back(run.before ? run.before->provenance.snapshot.value : 0);
    triggered += run.result->triggered ? 1 : 0;
  }
  void DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) override {
    past.push_back(run.result->provenance.snapshot.value);
    deliveries.emplace_back();
  }
  void NoteUnfinished(const Advance& advance, const std::string& job,
                      const std::optional<RunFailure>& failure) override {
    unfinished.push_back({job, advance.provenance.snapshot.value, failure ? failure->why : ""});
    noted.release();
  }
  void Complete(const AdvanceReport& report) override { reports.push_back(report); }
  Status Flush() override { return Ok{}; }
  bool Rest() override {
    rested.release();
    return --rests > 0;
  }

  struct Unfinished {
    std::string job;
    std::uint64_t snapshot = 0;
    std::string why;  // empty: cancelled
    bool operator==(const Unfinished&) const = default;
  };

  bool stepped = true;
  int rests = 0;  // wanted calls of Rest()
  std::counting_semaphore<1000> rested{0};
  std::counting_semaphore<1000> entered{0};
  std::counting_semaphore<1000> proceed{0};
  std::counting_semaphore<1000> noted{0};                    // runs without a result
  std::vector<std::uint64_t> delivered;                      // read after Drain() or Stop()
  std::vector<std::uint64_t> past;                           // snapshots, by DeliverPast()
  int triggered = 0;                                         // how many of the delivered
  std::map<std::string, std::vector<std::uint64_t>> before;  // snapshots (0: none), by job
  std::vector<Unfinished> unfinished;
  std::vector<AdvanceReport> reports;
};

inline AdvancePtr MakeAdvance(std::uint64_t snapshot, const std::string& window = "w") {
  auto advance = std::make_shared<Advance>();
  advance->provenance.window = window;
  advance->provenance.snapshot = SnapshotId{snapshot};
  advance->ordinal = static_cast<std::int64_t>(snapshot);
  advance->view = std::make_shared<const CsrGraph>(MakeCsr({{0, 1}, {1, 2}}, 3));
  return advance;
}

inline JobSpec Job(const std::string& name, JobParameters parameters = ShapeParameters()) {
  JobSpec job;
  job.name = name;
  job.window = "w";
  job.parameters = std::move(parameters);
  return job;
}

// A job whose run on Star() does not end by itself, because the ranks of a star oscillate. On a
// graph without edges it ends at once.
inline JobSpec EndlessJob(const std::string& name) {
  return Job(name, PageRankParameters{
                       .damping = 0.999999999, .tolerance = 0, .max_iterations = 1'000'000'000});
}
inline std::shared_ptr<Advance> AdvanceOfPairs(std::uint64_t snapshot, const Pairs& pairs) {
  auto advance = std::make_shared<Advance>(*MakeAdvance(snapshot));
  advance->view = std::make_shared<const CsrGraph>(MakeCsr(pairs, 3));
  return advance;
}
inline AdvancePtr Star(std::uint64_t snapshot) {
  return AdvanceOfPairs(snapshot, {{0, 1}, {0, 2}, {1, 0}, {2, 0}});
}

struct World {
  explicit World(std::vector<JobSpec> jobs, bool lossless = false, std::size_t runners = 1,
                 WorkDesk* external = nullptr)
      : history(jobs),
        scheduler(
            std::move(jobs), keys, clock, history, sink, lossless,
            [this](const std::string& job, const JobParameters&) { return compared.contains(job); },
            runners, external) {
    for (const char* key : {"a", "b", "c"}) VertexDictionary::Writer(keys).Intern(key);
  }
  VertexDictionary keys{KeyKind::kString};
  ManualClock clock;
  SteppedSink sink;
  std::set<std::string> compared;  // jobs; set before Start()
  ResultHistory history;
  WorkDesk desk{clock, "p"};
  JobScheduler scheduler;
};

}  // namespace sash::testing
