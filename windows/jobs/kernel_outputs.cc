#include "windows/jobs/kernel_outputs.h"

#include <utility>

#include "windows/base/check.h"
#include "windows/jobs/groups.h"
#include "windows/jobs/ranking.h"

namespace sash {

KernelRun ScoredRun(std::span<const VertexId> vertices, std::vector<double> scores,
                    std::optional<ScoreOutput::Figure> figure, const RunSetting& setting) {
  const std::vector<VertexId> scored = HavingScore(vertices, scores);
  KernelRun run{.output = ScoreOutput{TopByScore(scored, scores, setting.job.top, setting.keys),
                                      scored.size(), figure}};
  run.whole.scores = std::move(scores);
  return run;
}

KernelRun CountedRun(std::span<const VertexId> vertices, std::vector<std::uint64_t> counts,
                     std::optional<CountOutput::Figure> figure, const RunSetting& setting) {
  KernelRun run{
      .output = CountOutput{TopByCount(vertices, counts, setting.job.top, setting.keys), figure}};
  run.whole.counts = std::move(counts);
  return run;
}

KernelRun GroupedRun(std::span<const VertexId> vertices, std::vector<VertexId> groups,
                     std::string_view one, std::string_view many, const RunSetting& setting) {
  const GroupSizes counted = CountMembers(vertices, groups);
  KernelRun run{.output = GroupsOutput{
                    one, many, counted.groups.size(),
                    TopByCount(counted.groups, counted.sizes, setting.job.top, setting.keys)}};
  run.whole.groups = std::move(groups);
  return run;
}

KernelRun NumberedSetsRun(std::span<const VertexId> vertices,
                          const std::vector<std::uint32_t>& sets, const RunSetting& setting) {
  std::vector<VertexId> groups(sets.size());
  std::vector<VertexId> named(sets.size(), kNoVertex);  // by number
  for (const VertexId v : vertices) {
    SASH_CHECK(sets[v] < named.size());
    VertexId& name = named[sets[v]];
    if (name == kNoVertex) name = v;
    groups[v] = name;
  }
  NameByLeastKey(vertices, setting.keys, groups);
  return GroupedRun(vertices, std::move(groups), "set", "sets", setting);
}

}  // namespace sash
