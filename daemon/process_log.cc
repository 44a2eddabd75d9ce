#include "daemon/process_log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstddef>
#include <cstdint>
#include <limits>
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

// Names of files and words of libraries may hold anything: one event stays one line.
std::string TextOf(const LogLine& line) {
  std::string text(line.event.id);
  text += "  ";
  return text += TerminalText(line.message, std::numeric_limits<std::size_t>::max());
}

struct ValueWriter {
  JsonText& json;
  void operator()(std::string_view text) const { json.Text(text); }
  void operator()(std::int64_t number) const { json.Integer(number); }
  void operator()(std::uint64_t number) const { json.Unsigned(number); }
  void operator()(double number) const { json.Number(number); }
};

// Without the braces, and without what spdlog knows.
std::string JsonMembers(const LogLine& line) {
  JsonText json;
  json.BeginObject().Key("event").Text(line.event.id).Key("message").Text(line.message);
  for (const LogField& field : line.fields) {
    json.Key(field.name);
    std::visit(ValueWriter{json}, field.value);
  }
  const std::string& whole = json.EndObject().text();
  return whole.substr(1, whole.size() - 2);
}

}  // namespace

ProcessLog::ProcessLog(const LogConfig& config)
    : json_(config.format == LogFormat::kJson),
      logger_(std::make_unique<spdlog::logger>("sashd",
                                               std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
  logger_->set_level(LevelOf(config.level));
  logger_->flush_on(spdlog::level::trace);
  logger_->set_pattern(json_ ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})"
                             : "%Y-%m-%dT%H:%M:%S.%eZ %-7l %v",
                       spdlog::pattern_time_type::utc);
}

ProcessLog::~ProcessLog() = default;

void ProcessLog::SetLevel(LogLevel level) { logger_->set_level(LevelOf(level)); }

void ProcessLog::Write(const LogLine& line) {
  const spdlog::level::level_enum level = LevelOf(line.event.severity);
  if (!logger_->should_log(level)) return;
  logger_->log(level, json_ ? JsonMembers(line) : TextOf(line));
}

}  // namespace sash
