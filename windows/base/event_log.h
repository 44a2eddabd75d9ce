// EventLog: where a room says what happened to it, without knowing how the process logs.
//
// Thread safety: Log() may be called from any thread, callbacks of libraries included; it must not
// block on the network.
#pragma once

#include <cstdint>
#include <string_view>

namespace sash {

enum class LogSeverity : std::uint8_t { kDebug, kInfo, kWarning, kError };

class EventLog {
 public:
  virtual ~EventLog() = default;
  virtual void Log(LogSeverity severity, std::string_view message) = 0;
};

}  // namespace sash
