#include "windows/jobs/run_job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/support/manual_clock.h"
#include "tests/support/random_graph.h"

namespace sash {
namespace {

using testing::MakeCsr;
using testing::Pairs;
using testing::RandomPairs;

// Pairs of numbers as a window whose vertex ids were handed out in an order of its own.
class Numbering {
 public:
  Numbering(const Pairs& pairs, VertexId ids, std::uint64_t seed) : keys(KeyKind::kInteger) {
    std::vector<VertexId> order(ids);
    for (VertexId v = 0; v < ids; ++v) order[v] = v;
    std::ranges::shuffle(order, std::mt19937_64(seed));
    std::vector<VertexId> id_of(ids);
    for (const VertexId v : order) {
      id_of[v] = VertexDictionary::Writer(keys).Intern(std::int64_t{v});
    }
    Pairs named;
    for (const auto& [source, target] : pairs) named.emplace_back(id_of[source], id_of[target]);
    auto made = std::make_shared<Advance>();
    made->view = std::make_shared<const CsrGraph>(MakeCsr(named, ids));
    advance = std::move(made);
  }

  CompletedRun Run(JobParameters parameters, const KernelProgress& progress = {}) const {
    JobSpec job;
    job.parameters = std::move(parameters);
    job.top = 10'000;
    const ManualClock clock;
    return *RunJob(job, advance, keys, clock, progress);
  }

  VertexDictionary keys;
  AdvancePtr advance;
};

// By key: the key that the vertex's group goes by.
std::map<VertexKey, VertexKey> Members(const Numbering& window, const CompletedRun& run) {
  std::map<VertexKey, VertexKey> members;
  VisitView(window.advance->view, [&](const auto& graph) {
    for (const VertexId v : graph.vertices()) {
      members[window.keys.KeyOf(v)] = window.keys.KeyOf(run.whole->groups[v]);
    }
  });
  return members;
}

TEST(RunJobTest, GroupsDoNotDependOnTheIdsOfTheirVertices) {
  const Pairs pairs = RandomPairs(7, 400, 420);
  const Numbering one(pairs, 400, 1);
  const Numbering other(pairs, 400, 2);
  for (const JobParameters& parameters :
       {JobParameters(WccParameters()), JobParameters(CdlpParameters{5})}) {
    const CompletedRun run = one.Run(parameters);
    const auto members = Members(one, run);
    EXPECT_EQ(members, Members(other, other.Run(parameters)));
    std::map<VertexKey, std::uint64_t> sizes;
    for (const auto& [key, group] : members) ++sizes[group];
    const auto& output = std::get<GroupsOutput>(run.result->output);
    EXPECT_EQ(output.groups, sizes.size());
    ASSERT_EQ(output.top.size(), sizes.size());
    for (const CountedVertex& row : output.top) EXPECT_EQ(row.count, sizes[row.key]);
  }
}

TEST(RunJobTest, EveryKernelStopsWhenToldToAndPublishesNothing) {
  const Numbering window(RandomPairs(3, 200, 900), 200, 1);
  const std::vector<VertexKey> roots = {std::int64_t{0}, std::int64_t{1}};
  const JobParameters all[] = {PageRankParameters(),     BfsParameters{.roots = roots},
                               ShapeParameters(),        WccParameters(),
                               SsspParameters{roots},    TrianglesParameters(),
                               LccParameters(),          CdlpParameters(),
                               KcoreParameters(),        DegreeParameters(),
                               FanoutParameters(),       NewEdgesParameters(),
                               VanishedEdgesParameters()};
  static_assert(std::size(all) == std::variant_size_v<JobParameters>);
  for (const JobParameters& parameters : all) {
    JobSpec job;
    job.parameters = parameters;
    const ManualClock clock;
    const auto kernel = std::visit([](const auto& p) { return p.kKernel; }, parameters);
    EXPECT_FALSE(RunJob(job, window.advance, window.keys, clock, [](int, double) { return false; }))
        << kernel;
    const auto run = RunJob(job, window.advance, window.keys, clock, {});
    ASSERT_TRUE(run) << kernel;
    EXPECT_EQ(run->result->kernel, kernel);
  }
}

}  // namespace
}  // namespace sash
