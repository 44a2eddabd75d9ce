#include "daemon/alerts/alert_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "daemon/alerts/log_events.h"

namespace sash {
namespace {

bool Names(const AlertSpec& alert, std::string_view receiver) {
  return alert.to.empty() || std::ranges::find(alert.to, receiver) != alert.to.end();
}

}  // namespace

AlertRoute RouteOf(const AlertSpec& spec, const AlertReceivers& receivers) {
  AlertRoute route{.alert = spec.name, .to_log = Names(spec, AlertSpec::kLog)};
  for (const auto& [name, receiver] : receivers) {
    if (!Names(spec, name)) continue;
    route.receivers.push_back(receiver);
    route.follows_ends = route.follows_ends || receiver->FollowsEnds();
  }
  return route;
}

void AlertRoutes::Put(std::size_t place, AlertRoute route) {
  if (place == routes_.size()) routes_.emplace_back();
  std::swap(routes_[place], route);
  const AlertRoute& now = routes_[place];
  for (AlertReceiver* const receiver : route.receivers) {  // those before
    if (std::ranges::find(now.receivers, receiver) == now.receivers.end()) {
      receiver->Hold(now.alert, {});
    }
  }
}

void AlertRoutes::Remove(std::size_t place) {
  const AlertRoute left = std::move(routes_[place]);
  routes_.erase(routes_.begin() + static_cast<std::ptrdiff_t>(place));
  for (AlertReceiver* const receiver : left.receivers) receiver->Hold(left.alert, {});
}

void AlertRoutes::Hold(std::size_t place, const std::vector<AlertMessage>& standing) const {
  const AlertRoute& route = routes_[place];
  for (AlertReceiver* const receiver : route.receivers) {
    if (receiver->FollowsEnds()) receiver->Hold(route.alert, standing);
  }
}

void AlertRoutes::Tell(std::size_t place, std::uint64_t advance,
                       const AlertMessage& message) const {
  const AlertRoute& route = routes_[place];
  for (AlertReceiver* const receiver : route.receivers) {
    if (!message.ended || receiver->FollowsEnds()) receiver->Notify(advance, message);
  }
  if (message.ended) return;
  if (route.to_log) {
    log_.Log(alert_events::kFired, fmt::format("alert {}: {}", route.alert, message.text),
             {{"alert", route.alert}, {"job", message.identity.origin.job}});
  }
  subscribers_(route.alert, message.json);
}

}  // namespace sash
