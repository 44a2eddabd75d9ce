// ConnectionDeadlines: until when each connection may go on as it is.
//
// An idle timeout alone does not stop a client that sends one byte a second; a deadline does.
//
// Thread safety: belongs to the server's thread.
#pragma once

#include <chrono>
#include <list>
#include <optional>

#include "windows/base/clock.h"

namespace sash {

class ConnectionDeadlines {
 public:
  // One open connection; stays where it is until Remove().
  struct Connection {
    int descriptor = -1;
    std::optional<SteadyTime> deadline;  // none: it has been cut off
    std::list<Connection>::iterator self;
  };

  Connection* Add(int descriptor, SteadyTime deadline);
  void Remove(Connection* connection);

  // Shuts down the sockets that are overdue; their owner then sees them close.
  void CutOverdue(SteadyTime now);

  // Until the next deadline, at least 0; nothing while there is none.
  std::optional<std::chrono::milliseconds> UntilNext(SteadyTime now) const;

 private:
  std::list<Connection> connections_;
};

}  // namespace sash
