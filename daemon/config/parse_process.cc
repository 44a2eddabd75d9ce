#include <fmt/format.h>

#include "daemon/config/address_text.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

bool IsOff(std::string_view text) { return text == "off" || text == "false"; }

Result<HttpConfig> ParseListen(std::string_view text) {
  HttpConfig config;
  if (IsOff(text)) {
    config.enabled = false;
    return config;
  }
  Result<HostPort> address = ParseHostPort(text, 0);
  if (!address) return Wrong(address.error().message + ", such as 127.0.0.1:9640, or off");
  if (!IsLoopback(address.value().host)) {
    return Wrong(
        fmt::format("`{}` can be reached from other machines, and this release has neither "
                    "TLS nor tokens; give a loopback address, such as 127.0.0.1:{}",
                    text, address.value().port));
  }
  config.host = address.value().host;
  config.port = address.value().port;
  return config;
}

Result<MemoryConfig> ParseLimit(std::string_view text) {
  if (text == "auto") return MemoryConfig{};
  if (text == "none") return MemoryConfig{.kind = MemoryConfig::Kind::kNone};
  const Result<std::uint64_t> size = ParseSize(text);
  if (!size) return Wrong(size.error().message + ", or auto or none");
  if (size.value() < MemoryConfig::kLeastLimit) {
    return Wrong(fmt::format("`{}` is too small; give at least {}", text,
                             FormatSize(MemoryConfig::kLeastLimit)));
  }
  return MemoryConfig{.kind = MemoryConfig::Kind::kBytes, .limit_bytes = size.value()};
}

}  // namespace

HttpConfig ReadHttp(const Section& root) {
  HttpConfig config;
  if (!root.Has("http")) return config;
  const Place place = root.At("http");
  if (place.node->kind == YamlNode::Kind::kScalar && IsOff(place.node->text)) {
    config.enabled = false;
    return config;
  }
  const Section http = root.Child("http", "http");
  http.Read("listen", config, "host:port, such as 127.0.0.1:9640, or off", ParseListen);
  return config;
}

LogConfig ReadLog(const Section& root) {
  LogConfig config;
  if (!root.Has("log")) return config;
  const Section log = root.Child("log", "log");
  log.Choose("format", config.format, {{"text", LogFormat::kText}, {"json", LogFormat::kJson}});
  log.Choose("level", config.level,
             {{"trace", LogLevel::kTrace},
              {"debug", LogLevel::kDebug},
              {"info", LogLevel::kInfo},
              {"warn", LogLevel::kWarn},
              {"error", LogLevel::kError}});
  return config;
}

MemoryConfig ReadMemory(const Section& root) {
  MemoryConfig config;
  if (!root.Has("memory")) return config;
  const Section memory = root.Child("memory", "memory");
  memory.Read("limit", config, "a size such as 8GiB, auto or none", ParseLimit);
  return config;
}

RecoveryConfig ReadRecovery(const Section& root, bool is_replay) {
  RecoveryConfig config;
  root.Choose("recovery", config.kind,
              {{"replay", RecoveryConfig::Kind::kReplay},
               {"checkpoint", RecoveryConfig::Kind::kCheckpoint}});
  if (config.kind == RecoveryConfig::Kind::kCheckpoint && is_replay) {
    root.Fail("recovery",
              "a replay begins at its beginning; only source.kafka goes on from a "
              "checkpoint");
  }
  if (root.Has("state")) {
    const Section state = root.Child("state", "state");
    state.Read("path", config.path, "the path of a folder", ParseFilePath);
    state.Read("interval", config.interval);
  }
  return config;
}

}  // namespace sash
