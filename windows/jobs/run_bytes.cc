#include "windows/jobs/run_bytes.h"

namespace sash {

std::uint64_t RunBytes(const JobParameters& parameters, std::uint64_t edges, std::uint64_t id_limit,
                       bool on_disk) {
  const JobTraits traits = TraitsOfJob(parameters);
  const std::uint64_t edge_bytes = on_disk && traits.leaves_edges_on_disk ? 0 : traits.edge_bytes;
  return edge_bytes * edges + traits.id_bytes * id_limit;
}

}  // namespace sash
