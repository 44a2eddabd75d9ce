#include "daemon/probe/run_probe.h"

#include <fmt/format.h>

#include <variant>

#include "daemon/probe/certificate_probe.h"
#include "daemon/probe/place_probe.h"
#include "daemon/probe/sample.h"
#include "daemon/probe/slices_probe.h"

namespace sash {

std::optional<SourceRate> RunProbe(const Config& config, Findings& findings) {
  const EventTime now = SystemClock().Now();
  ProbePlaces(config, findings);
  if (config.http.tls) ProbeServerCertificate(*config.http.tls, now, findings);
  KafkaProbe kafka(now, findings);
  std::optional<SourceRate> rate;
  if (const auto* source = std::get_if<KafkaSpec>(&config.source.connector)) {
    rate = kafka.Source(config.source, *source);
  } else if (const SliceSourceSpec* const slices = config.source.slices()) {
    ProbeSlices(*slices, findings);
  } else {
    ProbeReplayFile(config.source, findings);
  }
  for (std::size_t i = 0; i < config.sinks.size(); ++i) {
    const auto* sink = std::get_if<KafkaSinkSpec>(&config.sinks[i]);
    if (sink != nullptr) kafka.Destination(fmt::format("sinks[{}].kafka", i), *sink);
  }
  if (config.source.dead_letters.kafka) {
    kafka.Destination("source.dead_letters", *config.source.dead_letters.kafka);
  }
  return rate;
}

}  // namespace sash
