#include "daemon/log/process_log.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/terminal_sink.h"

namespace sash {
namespace {

spdlog::level::level_enum LevelOf(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace:
      return spdlog::level::trace;
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

spdlog::level::level_enum LevelOf(LogSeverity severity) {
  switch (severity) {
    case LogSeverity::kDebug:
      return spdlog::level::debug;
    case LogSeverity::kInfo:
      return spdlog::level::info;
    case LogSeverity::kWarning:
      return spdlog::level::warn;
    case LogSeverity::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

// File names and messages of libraries may contain anything, but each event must stay one line.
std::string TextOf(const LogLine& line, const HeldLines& held) {
  const std::string message = TerminalText(line.message, std::numeric_limits<std::size_t>::max());
  if (held.lines == 0) return fmt::format("{}  {}", line.event.id, message);
  return fmt::format("{}  {} (and {} like it in {:.0f} s)", line.event.id, message, held.lines,
                     held.span.count());
}

struct ValueWriter {
  JsonText& json;
  void operator()(std::string_view text) const { json.Text(text); }
  void operator()(std::int64_t number) const { json.Integer(number); }
  void operator()(std::uint64_t number) const { json.Unsigned(number); }
  void operator()(double number) const { json.Number(number); }
};

// The members of a line as JSON, without the braces and the members that spdlog adds.
std::string JsonMembers(const LogLine& line, const HeldLines& held) {
  JsonText json;
  json.BeginObject().Key("event").Text(line.event.id).Key("message").Text(line.message);
  for (const LogField& field : line.fields) {
    json.Key(field.name);
    std::visit(ValueWriter{json}, field.value);
  }
  if (held.lines > 0) {
    json.Key("held_back").Unsigned(held.lines).Key("held_back_seconds").Number(held.span.count());
  }
  const std::string& whole = json.EndObject().text();
  return whole.substr(1, whole.size() - 2);
}

}  // namespace

ProcessLog::ProcessLog(const LogConfig& config, const Clock& clock)
    : json_(config.format == LogFormat::kJson),
      logger_(std::make_unique<spdlog::logger>("sashd",
                                               std::make_shared<spdlog::sinks::stderr_sink_mt>())),
      pacer_(config.rate_limit, clock) {
  logger_->set_level(LevelOf(config.level));
  logger_->flush_on(spdlog::level::trace);
  logger_->set_pattern(json_ ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})"
                             : "%Y-%m-%dT%H:%M:%S.%eZ %-7l %v",
                       spdlog::pattern_time_type::utc);
}

ProcessLog::~ProcessLog() { ReportAllHeld(); }

void ProcessLog::Follow(const LogConfig& config) {
  logger_->set_level(LevelOf(config.level));
  pacer_.SetRate(config.rate_limit);
}

void ProcessLog::Write(const LogLine& line) {
  if (!logger_->should_log(LevelOf(line.event.severity))) return;
  if (const std::optional<HeldLines> held = pacer_.Pass(line)) Put(line, *held);
}

void ProcessLog::WriteSummaries(const std::vector<LogPacer::Summary>& summaries) {
  for (const auto& [event, held, last] : summaries) {
    const bool one = held.lines == 1;
    const std::string message =
        fmt::format("{} more line{} of this event in {:.0f} s {} held back, {}{:.0f} s ago: {}",
                    held.lines, one ? "" : "s", held.span.count(), one ? "was" : "were",
                    one ? "" : "the last of them ", held.last_ago.count(), last);
    const LogField fields[] = {{"held_back", held.lines}, {"held_back_seconds", held.span.count()}};
    Put({event, message, fields}, {});
  }
}

void ProcessLog::Put(const LogLine& line, const HeldLines& held) {
  logger_->log(LevelOf(line.event.severity), json_ ? JsonMembers(line, held) : TextOf(line, held));
}

}  // namespace sash
