// RandomJobs: random valid jobs of a configuration that has its source, windows and exports.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "daemon/config/config.h"
#include "tests/daemon/config/random_values.h"

namespace sash {

class RandomJobs {
 public:
  explicit RandomJobs(RandomValues& random) : random_(random) {}

  JobSpec Job(const Config& config, std::uint64_t index);

 private:
  std::vector<VertexKey> Roots(const Config& config);
  TraversalDirection Direction();
  PageRankParameters PageRank(const Config& config, double share);
  PluginParameters Plugin(double share);
  JobParameters Parameters(const Config& config);

  RandomValues& random_;
};

}  // namespace sash
