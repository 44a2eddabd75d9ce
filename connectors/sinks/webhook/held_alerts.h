// HeldAlerts: the alerts that stand, for a receiver that forgets an alert which does not come again
// (Alertmanager: after its resolve_timeout, 5 minutes if nothing else is set).
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) Until Hold() says otherwise, alerts that stand are due kAgain after they were sent, and
//       kAfterFailure after they could not be sent.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "connectors/sinks/alert_receiver.h"
#include "windows/base/clock.h"
#include "windows/base/mutex.h"

namespace sash {

class HeldAlerts {
 public:
  static constexpr std::chrono::seconds kAgain{60};
  static constexpr std::chrono::seconds kAfterFailure{10};

  // All alerts of this definition that stand.
  void Hold(const std::string& alert, std::vector<AlertMessage> standing);

  // The alerts to send now; none: nothing is due, or no alert stands.
  std::optional<std::vector<AlertMessage>> Due(SteadyTime now);
  void Sent(SteadyTime now, bool is_delivered);

 private:
  Mutex mutex_;
  std::map<std::string, std::vector<AlertMessage>> standing_ SASH_GUARDED_BY(mutex_);
  std::optional<SteadyTime> due_ SASH_GUARDED_BY(mutex_);  // none: at once
};

}  // namespace sash
