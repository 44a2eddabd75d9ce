#include "daemon/recovery/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "daemon/log/log_events.h"
#include "daemon/recovery/checkpoints.h"
#include "daemon/recovery/rewind_recovery.h"

namespace sash {
namespace {

// Whether the source resumes after a restart: from its commits, on a broker that still exists.
bool GoesOn(const SourceConfig& source) {
  const auto* kafka = std::get_if<KafkaSpec>(&source.connector);
  return kafka != nullptr && !source.is_finite() && kafka->brokers != "embedded" &&
         std::holds_alternative<StartCommitted>(kafka->start);
}

}  // namespace

bool KeepsJournal(const Config& config) {
  if (config.recovery.kind == RecoveryConfig::Kind::kCheckpoint || !GoesOn(config.source)) {
    return false;
  }
  // The slice of an event depends on its arrival, and on the clock.
  const auto by_arrival = [](const WindowSpec& window) {
    return window.by != WindowAxis::kEventTime;
  };
  return config.recovery.is_placed || std::ranges::any_of(config.windows, by_arrival);
}

Result<std::unique_ptr<Recovery>> OpenRecovery(const Config& config,
                                               Recovery::Surroundings surroundings) {
  if (config.recovery.kind == RecoveryConfig::Kind::kCheckpoint) {
    return Checkpoints::Open(config.recovery, std::move(surroundings));
  }
  if (!KeepsJournal(config)) return std::unique_ptr<Recovery>();
  EventLog& log = surroundings.log;
  Result<std::unique_ptr<Recovery>> opened =
      RewindRecovery::Open(config.recovery, std::move(surroundings));
  if (opened || config.recovery.is_placed) return opened;
  // The folder is a default, so this is not an error.
  log.Log(process_events::kNoJournal,
          fmt::format("recovery: no journal is kept, so after a restart windows by arrival may be "
                      "cut differently: {}",
                      opened.error().message));
  return std::unique_ptr<Recovery>();
}

}  // namespace sash
