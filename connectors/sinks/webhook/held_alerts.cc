#include "connectors/sinks/webhook/held_alerts.h"

#include <utility>

namespace sash {

void HeldAlerts::Hold(const std::string& alert, std::vector<AlertMessage> standing) {
  const MutexLock lock(mutex_);
  standing_[alert] = std::move(standing);
}

std::optional<std::vector<AlertMessage>> HeldAlerts::Due(SteadyTime now) {
  const MutexLock lock(mutex_);
  if (due_ && now < *due_) return std::nullopt;
  std::vector<AlertMessage> all;
  for (const auto& [alert, standing] : standing_) {
    all.insert(all.end(), standing.begin(), standing.end());
  }
  if (all.empty()) return std::nullopt;
  return all;
}

void HeldAlerts::Sent(SteadyTime now, bool is_delivered) {
  const MutexLock lock(mutex_);
  due_ = now + (is_delivered ? kAgain : kAfterFailure);
}

}  // namespace sash
