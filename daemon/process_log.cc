#include "daemon/process_log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstddef>
#include <limits>
#include <string>

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

}  // namespace

ProcessLog::ProcessLog(const LogConfig& config)
    : json_(config.format == LogFormat::kJson),
      logger_(std::make_unique<spdlog::logger>("sashd",
                                               std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
  logger_->set_level(LevelOf(config.level));
  logger_->flush_on(spdlog::level::trace);
  logger_->set_pattern(json_ ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","message":%v})"
                             : "%Y-%m-%dT%H:%M:%S.%eZ %-7l %v",
                       spdlog::pattern_time_type::utc);
}

ProcessLog::~ProcessLog() = default;

void ProcessLog::SetLevel(LogLevel level) { logger_->set_level(LevelOf(level)); }

void ProcessLog::Log(LogSeverity severity, std::string_view message) {
  if (!json_) {
    // Names of files and words of libraries may hold anything: one event stays one line.
    logger_->log(LevelOf(severity), TerminalText(message, std::numeric_limits<std::size_t>::max()));
    return;
  }
  logger_->log(LevelOf(severity), JsonText().Text(message).text());
}

}  // namespace sash
