// Compares the memory that runs use, as the operating system counts it, with the prediction.
#include "windows/jobs/run_bytes.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/manual_clock.h"
#include "tests/support/plugin_of_scores.h"
#include "tests/support/random_graph.h"
#include "windows/base/sanitizers.h"
#include "windows/jobs/comparison.h"
#include "windows/jobs/run_job.h"
#include "windows/store/window_store.h"

namespace sash {
namespace {

using testing::Pairs;
using testing::RandomPairs;

std::uint64_t StatusBytes(const std::string& field) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(field)) return std::stoull(line.substr(field.size())) * 1024;
  }
  return 0;
}

// The peak of resident memory while work() ran, minus the memory before.
template <typename Work>
std::uint64_t Peak(const Work& work) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // resets the peak
  const std::uint64_t before = StatusBytes("VmRSS:");
  work();
  return StatusBytes("VmHWM:") - before;
}

// A multiversioned window with integer keys. The second half of the edges is in another slice.
struct Window {
  Window(VertexId ids, std::size_t edges) : keys(KeyKind::kInteger) {
    for (VertexId v = 0; v < ids; ++v) VertexDictionary::Writer(keys).Intern(std::int64_t{v});
    store = MakeSliceStore({.duplicates = DuplicatesPolicy::kKeep, .removals = false});
    window = store->Open(0);
    for (std::uint64_t i = 0; i < 2; ++i) {
      auto slice = std::make_shared<Slice>();
      slice->id = SliceId{i};
      for (const auto& [source, target] : RandomPairs(i + 1, ids, edges / 2)) {
        slice->sources.push_back(source);
        slice->targets.push_back(target);
      }
      slice->weights = WeightColumn(edges / 2, WeightColumn::Kind::kOnes);
      store->Add(slice);
    }
    auto made = std::make_shared<Advance>();
    made->view = window->Publish(ids).view;
    advance = std::move(made);
  }

  VertexDictionary keys;
  std::shared_ptr<SliceStore> store;
  std::unique_ptr<WindowStore> window;
  AdvancePtr advance;
};

std::vector<JobParameters> EveryKernel() {
  const std::vector<VertexKey> roots = {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}};
  // A part of the vertices has no in-edge, so that a search goes on until it has seen the others.
  std::vector<VertexKey> ends;
  for (std::int64_t key = 10; key < 1'010; ++key) ends.emplace_back(key);
  return {PageRankParameters{.max_iterations = 3},
          PageRankParameters{.max_iterations = 3, .weighted = true, .sources = roots},
          PageRankParameters{
              .max_iterations = 3, .weighted = true, .direction = TraversalDirection::kBoth},
          PageRankParameters{.max_iterations = 3, .direction = TraversalDirection::kIn},
          HitsParameters{.max_iterations = 3},
          HitsParameters{.max_iterations = 3, .weighted = true},
          BfsParameters{roots},
          BfsParameters{roots, TraversalDirection::kOut, true},
          ShapeParameters{},
          WccParameters{},
          SccParameters{},
          SsspParameters{roots},
          TrianglesParameters{},
          TrianglesParameters{.warm_start = true},
          LccParameters{},
          CdlpParameters{3},
          KcoreParameters{},
          DegreeParameters{},
          StrengthParameters{},
          FanoutParameters{},
          ReciprocityParameters{},
          NewEdgesParameters{},
          VanishedEdgesParameters{},
          CyclesParameters{.max_length = 3},
          PathsParameters{.from = roots, .to = ends, .most = 100},
          PathsParameters{.from = roots, .to = ends, .by = PathMeasure::kWeight, .most = 100},
          EdgeFeaturesParameters{.max_length = 3},
          ExternalParameters{},
          ExternalParameters{ExternalAnswers::kRows},
          testing::PluginOfScores()};
}

// The answer of a worker, whose memory counts: with as many rows as it may have.
AnswerSource MostRowsOf(const Advance& advance) {
  return [&advance](const KernelProgress&) -> std::optional<ExternalAnswer> {
    const auto vertices = static_cast<VertexId>(
        VisitView(advance.view, [](const auto& graph) { return graph.vertices().size(); }));
    ExternalAnswer answer;
    answer.rows.pairs.reserve(ExternalAnswer::kMostRows);
    for (VertexId i = 0; i < ExternalAnswer::kMostRows; ++i) {
      answer.rows.pairs.emplace_back(i % vertices, i / vertices % vertices);
    }
    answer.rows.scores.assign(ExternalAnswer::kMostRows, 0.5);
    return answer;
  };
}

// The answer of a worker, whose memory counts.
AnswerSource ScoresOf(const Advance& advance) {
  return [&advance](const KernelProgress&) -> std::optional<ExternalAnswer> {
    const auto vertices =
        VisitView(advance.view, [](const auto& graph) { return graph.vertices().size(); });
    return ExternalAnswer{.scores = std::vector<double>(vertices, 0.5)};
  };
}

// Empty for a kernel that is not external.
AnswerSource AnswerFor(const JobParameters& parameters, const Advance& advance) {
  const auto* const external = std::get_if<ExternalParameters>(&parameters);
  if (external == nullptr) return {};
  return external->returns == ExternalAnswers::kRows ? MostRowsOf(advance) : ScoresOf(advance);
}

// Why memory cannot be measured. Empty: it can be measured from now on.
std::string WhyNotMeasured() {
  if (kSanitized) return "sanitizers use additional memory";
  if (!(std::ofstream("/proc/self/clear_refs") << 5).flush()) {
    return "the operating system cannot reset the peak";
  }
  // Large arrays are returned to the system at once. Otherwise results would depend on free space
  // in the heap, and memory that the heap keeps would count for the next run.
  EXPECT_EQ(mallopt(M_MMAP_THRESHOLD, 128 << 10), 1);
  EXPECT_EQ(mallopt(M_ARENA_MAX, 1), 1);
  return {};
}

constexpr std::uint64_t kAnyway = 4 << 20;  // that a process uses in any case

TEST(RunBytesTest, NoRunTakesMoreThanIsSaidOfIt) {
  if (const std::string why = WhyNotMeasured(); !why.empty()) GTEST_SKIP() << why;
  for (const auto& [ids, edges] : {std::pair{400'000u, 800'000u}, std::pair{50'000u, 2'000'000u}}) {
    const Window window(ids, edges);
    const ManualClock clock;
    for (const JobParameters& parameters : EveryKernel()) {
      JobSpec job;
      job.threads = 2;
      job.parameters = parameters;
      const std::uint64_t peak = Peak([&] {
        (void)RunJob(job, window.advance, window.keys, clock, {}, nullptr, false,
                     AnswerFor(parameters, *window.advance));
      });
      const std::uint64_t said = RunBytes(parameters, edges, ids);
      SCOPED_TRACE(std::visit([](const auto& of) { return std::string(of.kKernel); }, parameters) +
                   ": " + std::to_string(ids) + " ids, " + std::to_string(edges) + " edges");
      EXPECT_LE(peak, said + kAnyway);
      EXPECT_LE(said, 3 * peak + 2 * kAnyway);  // the prediction is not far too high either
    }
  }
}

TEST(RunBytesTest, NoComparisonTakesMoreThanIsSaidOfIt) {
  if (const std::string why = WhyNotMeasured(); !why.empty()) GTEST_SKIP() << why;
  constexpr VertexId kIds = 400'000;
  constexpr std::size_t kEdges = 800'000;
  const Window window(kIds, kEdges);
  const ManualClock clock;
  // The scores of the external job are equal, so every vertex may be among the first.
  for (const JobParameters& parameters :
       std::vector<JobParameters>{ExternalParameters{}, DegreeParameters{}, PageRankParameters{}}) {
    JobSpec job;
    job.threads = 2;
    job.parameters = parameters;
    const auto run = [&](const Baseline* baseline) {
      return RunJob(job, window.advance, window.keys, clock, {}, nullptr, false,
                    IsExternal(parameters) ? ScoresOf(*window.advance) : AnswerSource(), nullptr,
                    nullptr, baseline);
    };
    const Baseline baseline{.results = {sash::ScoresOf(*run(nullptr))}};
    job.baseline = BaselineSpec{.results = 1};
    job.order = ListOrder::kSurprise;
    const std::uint64_t peak = Peak([&] { (void)run(&baseline); });
    const std::uint64_t said = RunBytes(job, kEdges, kIds);
    SCOPED_TRACE(std::visit([](const auto& of) { return std::string(of.kKernel); }, parameters));
    EXPECT_LE(peak, said + kAnyway);
    EXPECT_LE(said, 3 * peak + 2 * kAnyway);
  }
}

}  // namespace
}  // namespace sash
