#include "daemon/forecast/tell_forecast.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "connectors/kafka/embedded_broker.h"
#include "daemon/config/idle_keys.h"
#include "daemon/forecast/capacity_report.h"
#include "daemon/forecast/first_result.h"
#include "daemon/memory/memory_limit.h"
#include "daemon/probe/run_probe.h"

namespace sash {

namespace {

void TellKeys(const Config& config, Findings& findings) {
  for (IdleKey& idle : FindIdleKeys(config)) {
    findings.Warn(std::move(idle.key), std::move(idle.what), std::move(idle.remedy));
  }
  if (config.source.is_embedded()) findings.Warn("source.kafka.brokers", kEmbeddedBrokerNote, "");
}

}  // namespace

void TellForecast(const Config& config, Findings& findings) {
  TellKeys(config, findings);
  std::optional<std::uint64_t> limit;
  if (config.memory.kind == MemoryConfig::Kind::kBytes) limit = config.memory.limit_bytes;
  TellFirstResults(config, findings);
  TellCapacity(config, limit, findings);
}

void ProbeAndForecast(const Config& config, Findings& findings) {
  TellKeys(config, findings);
  const std::optional<SourceRate> rate = RunProbe(config, findings);
  const std::optional<MemoryLimit> chosen =
      ChooseMemoryLimit(config.memory, LeastCeiling(FindCgroupCeiling(), FindResourceCeilings()));
  std::optional<std::uint64_t> limit;
  if (chosen) {
    limit = chosen->bytes;
    if (!chosen->warning.empty()) findings.Warn("memory.limit", chosen->warning, "");
  }
  TellFirstResults(config, findings);
  TellCapacity(config, limit, findings);
  if (rate) TellLoad(config, rate->events_per_second, rate->when, limit, findings);
}

}  // namespace sash
