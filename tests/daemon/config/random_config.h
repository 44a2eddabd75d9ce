// RandomConfig: a random valid configuration. It may set variables of the environment for tokens.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>

#include "daemon/config/config.h"
#include "tests/daemon/config/random_jobs.h"
#include "tests/daemon/config/random_sinks.h"
#include "tests/daemon/config/random_source.h"
#include "tests/daemon/config/random_values.h"

namespace sash {

class RandomConfig {
 public:
  explicit RandomConfig(std::uint32_t seed) : random_(seed) {}

  Config Make();

 private:
  WindowSpec Window(const Config& config, std::uint64_t index);

  RandomValues random_;
  RandomSource source_{random_};
  RandomJobs jobs_{random_};
  RandomSinks sinks_{random_};
};

}  // namespace sash
