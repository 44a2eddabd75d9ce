// What results are compared with, in an engine with a scheduler: every baseline of random streams
// equals one that is computed from all results afterwards. Keys never repeat for long, so ids are
// recycled while results are kept.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "tests/support/edge_a_second.h"
#include "tests/support/engine_harness.h"
#include "tests/support/named_seed.h"
#include "windows/jobs/comparison.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/jobs/whole_rows.h"

namespace sash {
namespace {

using testing::EngineHarness;
using testing::kSecond;
using testing::NumberOf;
using testing::ScriptRecord;

struct Found {
  ResultBaseline about{};
  std::uint64_t vertices = 0;
  std::map<std::int64_t, double> scores{};  // by key
  std::map<std::int64_t, ComparedRow> compared{};
};
using FoundResults = std::map<std::string, std::map<std::int64_t, Found>>;  // by job, by end

class RecordingSink final : public ResultSink {
 public:
  explicit RecordingSink(const VertexDictionary& keys) : keys_(keys) {}

  void Deliver(const CompletedRun& run) override {
    const RunResult& result = *run.result;
    Found found{.vertices = result.provenance.vertices};
    std::vector<CountedVertex> rows;
    for (const VertexId v : VerticesOf(run)) {
      found.scores[NumberOf(keys_, v)] = ScoreIn(*run.whole, v);
      rows.push_back({.key = keys_.KeyOf(v)});
    }
    if (result.baseline) {
      found.about = *result.baseline;
      const auto compared = CompareRows(rows, result, *run.whole, run.advance->view, keys_);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        found.compared[std::get<std::int64_t>(rows[i].key)] = compared[i];
      }
    }
    results[result.job][run.advance->end] = std::move(found);
  }
  void Complete(const AdvanceReport&) override {}
  Status Flush() override { return Ok{}; }

  FoundResults results;

 private:
  const VertexDictionary& keys_;
};

// Two to three jobs on each of three windows, which are in any order.
struct BaselineScript {
  std::vector<WindowSpec> windows;
  std::vector<JobSpec> jobs;
  std::vector<ScriptRecord> records;
};

BaselineScript RandomBaselineScript(std::mt19937& chance) {
  const auto upto = [&](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(chance);
  };
  BaselineScript script;
  const std::int64_t slides[] = {1, 1 + upto(2), 1 + upto(4)};
  const std::int64_t lengths[] = {2, 6, 4};
  for (int i = 0; i < 3; ++i) {
    const std::int64_t slide = slides[i] * kSecond;
    script.windows.push_back({.name = std::string(1, static_cast<char>('a' + i)),
                              .length = lengths[i] * slide,
                              .slide = slide,
                              .duplicates = DuplicatesPolicy(upto(2)),
                              .empty_windows = EmptyWindows(upto(1))});
    JobSpec job;
    job.name = "of-" + script.windows.back().name;
    job.window = script.windows.back().name;
    job.parameters = DegreeParameters{};
    job.overrun.queue = static_cast<std::size_t>(1 + upto(2));
    job.every = static_cast<std::uint32_t>(1 + upto(2));
    script.jobs.push_back(job);
  }
  JobSpec compared = script.jobs[0];
  for (const char* window : {"b", "c"}) {
    compared.name = std::string("with-") + window;
    compared.every = static_cast<std::uint32_t>(1 + upto(1));
    compared.baseline = BaselineSpec{.window = window};
    compared.order = ListOrder(upto(1));
    script.jobs.push_back(compared);
  }
  script.jobs[1].baseline = BaselineSpec{.window = "c"};  // so there are chains
  compared.name = "with-earlier";
  compared.baseline = BaselineSpec{.results = static_cast<std::uint32_t>(1 + upto(3))};
  script.jobs.push_back(compared);
  std::shuffle(script.windows.begin(), script.windows.end(), chance);
  std::shuffle(script.jobs.begin(), script.jobs.end(), chance);
  std::int64_t time = 0;
  for (std::int64_t offset = 0; offset < 400; ++offset) {
    time += upto(30) == 0 ? upto(30) * kSecond : upto(kSecond / 4);
    const std::int64_t newest = time / kSecond * 3;
    script.records.push_back({.offset = offset,
                              .time = time,
                              .operation = upto(9) == 0 ? Operation::kRemove : Operation::kAdd,
                              .source = newest - upto(12),
                              .target = upto(3) == 0 ? -1 : newest - upto(12)});
  }
  return script;
}

std::vector<const Found*> ExpectedFor(const JobSpec& job, std::int64_t end,
                                      const std::vector<JobSpec>& jobs,
                                      const FoundResults& results) {
  std::vector<const Found*> expected;
  std::int64_t newest = std::numeric_limits<std::int64_t>::min();
  for (const JobSpec& other : jobs) {
    const auto kept = results.find(other.name);
    if (kept == results.end()) continue;
    if (other.name == job.name && job.baseline->results > 0) {
      for (auto i = kept->second.find(end);
           i != kept->second.begin() && expected.size() < job.baseline->results;) {
        expected.insert(expected.begin(), &(--i)->second);
      }
    } else if (other.window == job.baseline->window) {
      const auto behind = kept->second.upper_bound(end);
      if (behind == kept->second.begin() || std::prev(behind)->first <= newest) continue;
      newest = std::prev(behind)->first;
      expected = {&std::prev(behind)->second};
    }
  }
  return expected;
}

std::uint64_t RankIn(const Found& found, std::int64_t key) {
  const double score = found.scores.at(key);
  return 1 + static_cast<std::uint64_t>(std::ranges::count_if(
                 found.scores, [&](const auto& other) { return other.second > score; }));
}

void Check(const Found& found, const std::vector<const Found*>& expected) {
  ASSERT_EQ(found.about.results, expected.size()) << found.about.missing;
  if (expected.empty()) return;
  double vertices = 0;
  for (const Found* each : expected) vertices += static_cast<double>(each->vertices);
  vertices /= static_cast<double>(expected.size());
  ASSERT_DOUBLE_EQ(found.about.vertices, vertices);
  for (const auto& [key, row] : found.compared) {
    double sum = 0;
    bool is_known = false;
    for (const Found* each : expected) {
      const auto before = each->scores.find(key);
      if (before == each->scores.end()) continue;
      is_known = true;
      sum += before->second;
    }
    const double mean = sum / static_cast<double>(expected.size());
    ASSERT_EQ(std::isnan(row.score), !is_known) << key;
    if (is_known) {
      ASSERT_DOUBLE_EQ(row.score, mean) << key;
    }
    const double now = found.scores.at(key) * static_cast<double>(found.vertices) + 1;
    ASSERT_DOUBLE_EQ(row.surprise, now / (mean * vertices + 1)) << key;
    const bool is_ranked = expected.back()->scores.contains(key);
    ASSERT_EQ(row.rank, is_ranked ? RankIn(*expected.back(), key) : 0) << key;
    if (!is_ranked) continue;
    ASSERT_EQ(row.rank_change,
              static_cast<std::int64_t>(row.rank) - static_cast<std::int64_t>(RankIn(found, key)));
  }
}

// Returns how many results were compared.
std::size_t Follow(const BaselineScript& script, bool lossless) {
  TimePolicy policy;
  policy.disorder = Duration(0);
  policy.check_ahead = false;
  EngineHarness harness(script.windows, policy);
  ResultHistory history(script.jobs);
  RecordingSink sink(harness.keys);
  JobScheduler scheduler(
      script.jobs, harness.keys, harness.clock, history, sink, lossless,
      [](const std::string&, const JobParameters&) { return false; }, 2);
  harness.on_advance = [&](AdvancePtr advance) { scheduler.Submit(std::move(advance)); };
  harness.on_all_passed = [&](const std::string& window, std::int64_t end) {
    scheduler.PassAll(window, end);
  };
  scheduler.Start();
  harness.Start();
  for (std::size_t i = 0; i < script.records.size(); i += 7) {
    const std::size_t end = std::min(i + 7, script.records.size());
    harness.Feed({script.records.begin() + static_cast<std::ptrdiff_t>(i),
                  script.records.begin() + static_cast<std::ptrdiff_t>(end)});
  }
  harness.End();
  scheduler.Drain();
  scheduler.Stop();
  std::size_t compared = 0;
  for (const JobSpec& job : script.jobs) {
    if (!job.baseline) continue;
    for (const auto& [end, found] : sink.results[job.name]) {
      SCOPED_TRACE(job.name + " at " + std::to_string(end / kSecond));
      Check(found, ExpectedFor(job, end, script.jobs, sink.results));
      if (::testing::Test::HasFatalFailure()) return compared;
      compared += found.about.results > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(harness.stats.ids_recycled, 0u);
  return compared;
}

TEST(BaselinesOracleTest, EveryBaselineIsWhatWindowEndsSay) {
  const testing::NamedSeed seed;
  std::mt19937 chance(seed.value());
  std::size_t compared = 0;
  for (int script = 0; script < 24 && !HasFatalFailure(); ++script) {
    SCOPED_TRACE("script " + std::to_string(script));
    compared += Follow(RandomBaselineScript(chance), script % 2 == 0);
  }
  EXPECT_GT(compared, 1000u);
}

}  // namespace
}  // namespace sash
