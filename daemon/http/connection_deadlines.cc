#include "daemon/http/connection_deadlines.h"

#include <sys/socket.h>

#include <algorithm>

namespace sash {

ConnectionDeadlines::Connection* ConnectionDeadlines::Add(int descriptor, SteadyTime deadline) {
  connections_.push_back({descriptor, deadline, {}});
  connections_.back().self = std::prev(connections_.end());
  return &connections_.back();
}

void ConnectionDeadlines::Remove(Connection* connection) { connections_.erase(connection->self); }

void ConnectionDeadlines::CutOverdue(SteadyTime now) {
  for (Connection& connection : connections_) {
    if (!connection.deadline || *connection.deadline > now) continue;
    shutdown(connection.descriptor, SHUT_RDWR);
    connection.deadline.reset();
  }
}

std::optional<std::chrono::milliseconds> ConnectionDeadlines::UntilNext(SteadyTime now) const {
  std::optional<SteadyTime> next;
  for (const Connection& connection : connections_) {
    if (!connection.deadline) continue;
    next = next ? std::min(*next, *connection.deadline) : *connection.deadline;
  }
  if (!next) return std::nullopt;
  return std::max(std::chrono::ceil<std::chrono::milliseconds>(*next - now),
                  std::chrono::milliseconds(0));
}

}  // namespace sash
