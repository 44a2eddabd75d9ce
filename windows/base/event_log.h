// EventLog: the interface through which a folder's code logs, independent of how the process logs.
//
// Each folder declares its kinds of events in its log_events.h; deploy/log_events.md explains them
// to operators.
//
// Thread safety: Log() may be called from any thread, callbacks of libraries included; it must not
// block on the network.
//
// Invariants
//   (1) The id of a kind never changes, nor does its severity: users search for ids and have alerts
//       on them.
//   (2) Lines of one kind may be suppressed and reported as a count, unless the kind is kAlways.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <variant>

namespace sash {

enum class LogSeverity : std::uint8_t { kDebug, kInfo, kWarning, kError };

enum class LogPace : std::uint8_t {
  kLimited,
  // For events that must not be missed: a start, an end, the outcome of a user's request. The code
  // that logs them limits their number.
  kAlways,
};

struct LogEvent {
  std::string_view id;  // lower case, dotted: part, thing, what happened to it
  LogSeverity severity = LogSeverity::kInfo;
  LogPace pace = LogPace::kLimited;

  bool operator==(const LogEvent&) const = default;
};

// A value that the message also contains, for programs. The caller owns it; it is valid during the
// call.
struct LogField {
  LogField(std::string_view of, std::string_view text) : name(of), value(text) {}
  LogField(std::string_view of, double number) : name(of), value(number) {}
  LogField(std::string_view of, std::signed_integral auto number)
      : name(of), value(std::int64_t{number}) {}
  LogField(std::string_view of, std::unsigned_integral auto number)
      : name(of), value(std::uint64_t{number}) {}

  std::string_view name;  // not time, level, event or message
  std::variant<std::string_view, std::int64_t, std::uint64_t, double> value;
};

struct LogLine {
  LogEvent event;
  std::string_view message;
  std::span<const LogField> fields{};
};

class EventLog {
 public:
  virtual ~EventLog() = default;

  void Log(const LogEvent& event, std::string_view message,
           std::initializer_list<LogField> fields = {}) {
    Write({event, message, {fields.begin(), fields.size()}});
  }

  virtual void Write(const LogLine& line) = 0;
};

}  // namespace sash
