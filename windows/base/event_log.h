// EventLog: where a room says what happened to it, without knowing how the process logs.
//
// Each room declares the kinds of events that it tells of in its log_events.h;
// deploy/log_events.md tells operators what each means.
//
// Thread safety: Log() may be called from any thread, callbacks of libraries included; it must not
// block on the network.
//
// Invariants
//   (1) The id of a kind never changes, nor does its severity: searches and alerts of users name
//       it.
//   (2) Many lines of one kind may be held back and told as a number, unless it is kAlways.
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
  // Of what nobody may miss: a start, an end, what a person asked for. What tells it bounds it.
  kAlways,
};

struct LogEvent {
  std::string_view id;  // lower case, dotted: part, thing, what became of it
  LogSeverity severity = LogSeverity::kInfo;
  LogPace pace = LogPace::kLimited;

  bool operator==(const LogEvent&) const = default;
};

// What the message holds too, for programs. Belongs to the caller, for the length of the call.
struct LogField {
  LogField(std::string_view of, std::string_view text) : name(of), value(text) {}
  LogField(std::string_view of, double number) : name(of), value(number) {}
  LogField(std::string_view of, std::signed_integral auto number)
      : name(of), value(std::int64_t{number}) {}
  LogField(std::string_view of, std::unsigned_integral auto number)
      : name(of), value(std::uint64_t{number}) {}

  std::string_view name;  // none of time, level, event, message
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
