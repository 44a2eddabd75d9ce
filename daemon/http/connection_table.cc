#include "daemon/http/connection_table.h"

#include <sys/socket.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "daemon/http/client_rates.h"

namespace sash {

bool ConnectionTable::MakeRoom(const std::string& address) {
  const std::string network = ClientNetwork(address);
  const std::size_t open_to_all = limits_.connections - limits_.reserve;
  bool room = true;
  if (Count(&network, false) >= limits_.per_address) room = EvictOf(&network, false);
  if (room && Count(nullptr, false) >= open_to_all) room = EvictOf(nullptr, false);
  if (room && Count(nullptr, true) >= limits_.connections) room = EvictOf(nullptr, true);
  if (!room) ++refused_;
  return room;
}

bool ConnectionTable::CanTakeMore() const {
  const bool open_to_all = Count(nullptr, false) < limits_.connections - limits_.reserve;
  if (open_to_all && Count(nullptr, true) < limits_.connections) return true;
  return std::ranges::any_of(connections_, [&](const Connection& each) {
    return !each.cut && each.state != State::kWorking && (open_to_all || !each.exempt);
  });
}

bool ConnectionTable::Evict() { return EvictOf(nullptr, true); }

ConnectionTable::Connection* ConnectionTable::Add(int descriptor, const std::string& address,
                                                  SteadyTime now, SteadyTime deadline) {
  connections_.push_back({.descriptor = descriptor,
                          .network = ClientNetwork(address),
                          .deadline = deadline,
                          .accepted = now,
                          .changed = now});
  connections_.back().self = std::prev(connections_.end());
  ++open_;
  return &connections_.back();
}

void ConnectionTable::Remove(Connection* connection) {
  connections_.erase(connection->self);
  --open_;
}

// `network` null: any network. Connections with a valid token go last, and only if `exempt_too`.
bool ConnectionTable::EvictOf(const std::string* network, bool exempt_too) {
  const auto order = [](const Connection& each) {
    return std::tuple(each.exempt, each.state, each.changed);
  };
  Connection* first = nullptr;
  for (Connection& each : connections_) {
    if (each.cut || each.state == State::kWorking || (each.exempt && !exempt_too)) continue;
    if (network != nullptr && each.network != *network) continue;
    if (first == nullptr || order(each) < order(*first)) first = &each;
  }
  if (first == nullptr) return false;
  Cut(*first);
  ++evicted_;
  return true;
}

void ConnectionTable::Cut(Connection& connection) {
  shutdown(connection.descriptor, SHUT_RDWR);
  connection.cut = true;
  connection.deadline.reset();
}

std::size_t ConnectionTable::Count(const std::string* network, bool exempt_too) const {
  return static_cast<std::size_t>(std::ranges::count_if(connections_, [&](const Connection& each) {
    return !each.cut && (exempt_too || !each.exempt) &&
           (network == nullptr || each.network == *network);
  }));
}

void ConnectionTable::CutOverdue(SteadyTime now) {
  for (Connection& connection : connections_) {
    if (connection.deadline && *connection.deadline <= now) Cut(connection);
  }
}

std::optional<std::chrono::milliseconds> ConnectionTable::UntilNext(SteadyTime now) const {
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
