// ConnectionTable: the open connections of a server, their deadlines, and the choice of the
// connection to evict when there is no room for a new one.
//
// An idle timeout alone does not stop a client that sends one byte a second; a deadline does.
// Limits alone do not stop patient clients that fill all places. So a new connection waits only
// while no open connection can be evicted, and is refused only because of the limit of its address.
// Connections without a valid token are evicted first: the connection that has waited longest for a
// request, then the connection to which the server has been sending an answer for longest. A
// connection whose answer is being made is never evicted.
//
// Thread safety: belongs to the server's thread, except counts().
//
// Invariants
//   (1) At most `per_address` connections without a valid token are open from one address.
//   (2) At most `connections` connections are open, and at most `connections - reserve` without a
//       valid token.
//   (3) A connection that was cut off no longer counts, although it is listed until Remove().
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>

#include "windows/base/clock.h"

namespace sash {

struct ConnectionLimits {
  std::size_t connections = 256;
  std::size_t per_address = 192;  // an IPv6 client is its /64
  std::size_t reserve = 64;       // of `connections`, for clients with a valid token
};

// Totals since the start; `open` is the current number.
struct ConnectionCounts {
  std::uint64_t open = 0;
  std::uint64_t evicted = 0;  // to make room for a new one
  std::uint64_t refused = 0;  // because there was no room
};

class ConnectionTable {
 public:
  enum class State : std::uint8_t {
    kWaiting,  // for a request, or for the rest of one
    kWorking,  // its answer is being made
    kSending,  // its answer is being sent
  };

  // One open connection. Its address in memory is stable until Remove().
  struct Connection {
    int descriptor = -1;
    std::string network;                 // its client's address, or /64
    std::optional<SteadyTime> deadline;  // none: cut off, or its answer is pending
    SteadyTime accepted;
    SteadyTime changed;  // when it entered its state
    State state = State::kWaiting;
    bool exempt = false;  // it has sent a valid token
    bool cut = false;
    std::uint64_t requests = 0;
    std::list<Connection>::iterator self{};

    void Enter(State now_in, SteadyTime now) {
      state = now_in;
      changed = now;
    }
  };

  explicit ConnectionTable(ConnectionLimits limits) : limits_(limits) {}

  // Whether there is a free place, or a connection that can be evicted for a new one.
  bool CanTakeMore() const;
  // Whether there is room for a connection from `address`. May cut off another connection for it.
  bool MakeRoom(const std::string& address);
  // Cuts off the first connection in the order of eviction. False: none can be evicted.
  bool Evict();

  Connection* Add(int descriptor, const std::string& address, SteadyTime now, SteadyTime deadline);
  void Remove(Connection* connection);

  // Shuts down the sockets of overdue connections; their owner then sees them close.
  void CutOverdue(SteadyTime now);

  // Time until the next deadline, at least 0; nothing without a deadline.
  std::optional<std::chrono::milliseconds> UntilNext(SteadyTime now) const;

  // May be called from any thread.
  ConnectionCounts counts() const { return {open_, evicted_, refused_}; }

 private:
  bool EvictOf(const std::string* network, bool exempt_too);
  void Cut(Connection& connection);
  std::size_t Count(const std::string* network, bool exempt_too) const;

  const ConnectionLimits limits_;
  std::list<Connection> connections_;
  std::atomic<std::uint64_t> open_ = 0;
  std::atomic<std::uint64_t> evicted_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
};

}  // namespace sash
