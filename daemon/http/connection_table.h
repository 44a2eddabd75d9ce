// ConnectionTable: the open connections of a server, until when each may go on as it is, and which
// one gives way when there is no room for another.
//
// An idle timeout alone does not stop a client that sends one byte a second; a deadline does.
// Limits alone do not stop clients that are patient: so a newcomer waits only while there is
// nothing that could give way to it, and is refused only for the limit of its address. The one that
// gives way has no token that was right, and of those it is the one that has waited longest for a
// request of its client; where there is none, the one that has longest been sent its answer. A
// request that is being worked on never gives way.
//
// Thread safety: belongs to the server's thread, but counts().
//
// Invariants
//   (1) Of one address, at most `per_address` connections without a right token are open.
//   (2) At most `connections` are open, and at most that less `reserve` without a right token.
//   (3) A connection that was cut off counts no more, though it is listed until Remove().
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
  std::size_t reserve = 64;       // of `connections`, for clients with a right token
};

// Since the start, but `open`.
struct ConnectionCounts {
  std::uint64_t open = 0;
  std::uint64_t evicted = 0;  // gave way to a newcomer
  std::uint64_t refused = 0;  // found no room
};

class ConnectionTable {
 public:
  enum class State : std::uint8_t {
    kWaiting,  // for a request, or for the rest of one
    kWorking,  // its answer is being made
    kSending,  // its answer is being sent
  };

  // One open connection; stays where it is until Remove().
  struct Connection {
    int descriptor = -1;
    std::string network;                 // its client's address, or /64
    std::optional<SteadyTime> deadline;  // none: it has been cut off, or somebody else has one
    SteadyTime accepted;
    SteadyTime changed;  // when it came into its state
    State state = State::kWaiting;
    bool exempt = false;  // a token of its was right
    bool cut = false;
    std::uint64_t requests = 0;
    std::list<Connection>::iterator self{};

    void Enter(State now_in, SteadyTime now) {
      state = now_in;
      changed = now;
    }
  };

  explicit ConnectionTable(ConnectionLimits limits) : limits_(limits) {}

  // Whether there is a free place, or a connection that can give way to a newcomer.
  bool CanTakeMore() const;
  // Whether there is room for a connection from `address`, which may cut off another one.
  bool MakeRoom(const std::string& address);
  // Cuts off the connection that gives way first, if there is one.
  bool Evict();

  Connection* Add(int descriptor, const std::string& address, SteadyTime now, SteadyTime deadline);
  void Remove(Connection* connection);

  // Shuts down the sockets that are overdue; their owner then sees them close.
  void CutOverdue(SteadyTime now);

  // Until the next deadline, at least 0; nothing while there is none.
  std::optional<std::chrono::milliseconds> UntilNext(SteadyTime now) const;

  // From any thread.
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
