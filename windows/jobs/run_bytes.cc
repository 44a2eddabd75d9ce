#include "windows/jobs/run_bytes.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace sash {
namespace {

// For each id, to compare scores and order them by surprise, when all of them are equal.
constexpr std::uint64_t kComparisonBytes = 72;

}  // namespace

std::uint64_t RunBytes(const JobParameters& parameters, std::uint64_t edges, std::uint64_t id_limit,
                       bool on_disk) {
  const JobTraits traits = TraitsOfJob(parameters);
  const std::uint64_t edge_bytes = on_disk && traits.leaves_edges_on_disk ? 0 : traits.edge_bytes;
  return edge_bytes * edges + traits.id_bytes * id_limit + traits.run_bytes;
}

std::uint64_t RunBytes(const JobSpec& job, std::uint64_t edges, std::uint64_t id_limit,
                       bool on_disk) {
  const std::uint64_t run = RunBytes(job.parameters, edges, id_limit, on_disk);
  return job.baseline ? run + kComparisonBytes * id_limit : run;
}

std::uint64_t SumOfGreatest(std::vector<std::uint64_t> needs, std::size_t count) {
  count = std::min(count, needs.size());
  const auto end = needs.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::partial_sort(needs, end, std::greater());
  return std::accumulate(needs.begin(), end, std::uint64_t{0});
}

}  // namespace sash
