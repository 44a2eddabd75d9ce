// AlertRoutes: where alerts go: to their receivers, to the log, and to the subscribers of events.
//
// Thread safety: belongs to one thread at a time; AlertDesk guards it.
//
// Invariants
//   (1) When an alert no longer goes to a receiver, the receiver is told that no alert of this
//       definition stands.
//   (2) Only receivers that follow ends get alerts that have ended and alerts that stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/sinks/alert_receiver.h"
#include "connectors/sinks/alerts/alert_spec.h"
#include "windows/base/event_log.h"

namespace sash {

// Receivers by their names.
using AlertReceivers = std::vector<std::pair<std::string, AlertReceiver*>>;

struct AlertRoute {
  std::string alert{};
  bool to_log = false;
  std::vector<AlertReceiver*> receivers{};
  bool follows_ends = false;  // one of them does
};

AlertRoute RouteOf(const AlertSpec& spec, const AlertReceivers& receivers);

class AlertRoutes {
 public:
  // Subscribers of the API's events.
  using Subscribers = std::function<void(const std::string& alert, const std::string& json)>;

  // Both outlive the routes.
  AlertRoutes(EventLog& log, const Subscribers& subscribers)
      : log_(log), subscribers_(subscribers) {}

  std::size_t size() const { return routes_.size(); }
  // Replaces the route at this place, or adds it at the end.
  void Put(std::size_t place, AlertRoute route);
  void Remove(std::size_t place);

  void Tell(std::size_t place, std::uint64_t advance, const AlertMessage& message) const;
  bool FollowsEnds(std::size_t place) const { return routes_[place].follows_ends; }
  void Hold(std::size_t place, const std::vector<AlertMessage>& standing) const;

 private:
  EventLog& log_;
  const Subscribers& subscribers_;
  std::vector<AlertRoute> routes_;
};

}  // namespace sash
