// RandomSinks: random valid sinks and exports of a configuration that has its source, windows and
// jobs.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "tests/daemon/config/random_values.h"

namespace sash {

class RandomSinks {
 public:
  explicit RandomSinks(RandomValues& random) : random_(random) {}

  SinkSpec Sink(const Config& config, std::uint64_t index);
  ExportSpec Export(const Config& config, std::uint64_t index);
  // A destination of results or of dead letters.
  void Destination(const Config& config, const std::string& name, KafkaDestination& to);

 private:
  std::vector<std::string> Jobs(const Config& config);
  SinkContent Content(const Config& config, VerticesWritten vertices,
                      const std::vector<std::string>& jobs);
  KafkaSinkSpec KafkaSink(const Config& config, std::uint64_t index);

  RandomValues& random_;
};

}  // namespace sash
