#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "daemon/config/address_text.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/sections.h"

namespace sash {
namespace {

bool IsOff(std::string_view text) { return text == "off" || text == "false"; }

// None: off.
Result<std::optional<ListenAddress>> ParseListen(std::string_view text) {
  if (IsOff(text)) return std::optional<ListenAddress>();
  Result<HostPort> address = ParseListenAddress(text);
  if (!address) return Wrong(address.error().message + ", such as 127.0.0.1:9640, or off");
  return std::optional(ListenAddress{address.value().host, address.value().port});
}

Result<std::string> ParsePath(std::string_view text) {
  if (text.empty()) return Wrong("is empty; give the path of a PEM file");
  return std::string(text);
}

Result<std::string> ParseToken(std::string_view text) {
  constexpr std::size_t kLeast = 16;
  constexpr std::size_t kMost = 256;
  if (text == kRedacted) {
    return Wrong("was redacted when this was printed; give ${file:PATH} or ${env:NAME}");
  }
  const bool visible = std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
  if (text.size() < kLeast || text.size() > kMost || !visible) {
    return Wrong(
        fmt::format("must have {} to {} visible ASCII characters without spaces; make one "
                    "with `openssl rand -hex 32` and give ${{file:PATH}}",
                    kLeast, kMost));
  }
  return std::string(text);
}

TlsConfig ReadTls(const Section& tls) {
  TlsConfig config;
  tls.Require("certificate", config.certificate, "the path of a PEM file", ParsePath);
  tls.Require("key", config.key, "the path of a PEM file", ParsePath);
  return config;
}

bool ReadToken(const Section& tokens, std::string_view key, TokenConfig& token) {
  if (!tokens.Require(key, token.text, "a token, as ${file:PATH}", ParseToken)) return false;
  token.reference = tokens.At(key).node->written;
  return true;
}

TokensConfig ReadTokens(const Section& tokens) {
  TokensConfig config;
  const bool read = ReadToken(tokens, "read", config.read);
  const bool admin = ReadToken(tokens, "admin", config.admin);
  if (read && admin && config.read.text == config.admin.text) {
    tokens.Fail("admin", "is the token for reading; give another one");
  }
  return config;
}

// Nobody listens to others without being protected from them.
void CheckExposure(const Section& http, const HttpConfig& config) {
  if (!config.enabled || IsLoopback(config.host)) return;
  std::string lacking;
  if (!http.Has("tls")) lacking = "http.tls";
  if (!http.Has("tokens")) lacking += std::string(lacking.empty() ? "" : " and ") + "http.tokens";
  if (lacking.empty()) return;
  http.Fail("listen", fmt::format("`{}` can be reached from other machines; give {}, or a loopback "
                                  "address, such as 127.0.0.1:{} (metrics and health alone go by "
                                  "http.metrics_listen)",
                                  FormatHostPort(config.host, config.port), lacking, config.port));
}

void CheckMetricsAddress(const Section& http, const HttpConfig& config) {
  if (!config.enabled || !config.metrics_listen) return;
  const HostPort metrics{config.metrics_listen->host, config.metrics_listen->port};
  if (!Collide({config.host, config.port}, metrics)) return;
  http.Fail("metrics_listen",
            fmt::format("{} is taken by http.listen ({}); give another port",
                        FormatHostPort(metrics.host, metrics.port),
                        FormatHostPort(config.host, config.port)));
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
  std::optional<ListenAddress> listen = ListenAddress{config.host, config.port};
  const bool listens =
      http.Read("listen", listen, "host:port, such as 127.0.0.1:9640, or off", ParseListen);
  config.enabled = listen.has_value();
  if (listen) config.host = listen->host;
  if (listen) config.port = listen->port;
  if (http.Has("tls")) config.tls = ReadTls(http.Child("tls", "http.tls"));
  if (http.Has("tokens")) config.tokens = ReadTokens(http.Child("tokens", "http.tokens"));
  http.Read("metrics_listen", config.metrics_listen, "host:port, such as 0.0.0.0:9641, or off",
            ParseListen);
  http.Read("connections_per_address", config.connections_per_address);
  if (listens) CheckExposure(http, config);
  CheckMetricsAddress(http, config);
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
  if (log.Has("rate_limit")) {
    const Section rate = log.Child("rate_limit", "log.rate_limit");
    rate.Read("burst", config.rate_limit.burst);
    rate.Read("every", config.rate_limit.every);
  }
  return config;
}

MemoryConfig ReadMemory(const Section& root) {
  MemoryConfig config;
  if (!root.Has("memory")) return config;
  const Section memory = root.Child("memory", "memory");
  memory.Read("limit", config, "a size such as 8GiB, auto or none", ParseLimit);
  memory.Read("spill", config.spill, "the path of a folder", ParseFilePath);
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
    config.is_placed = true;
    state.Read("path", config.path, "the path of a folder", ParseFilePath);
    state.Read("interval", config.interval);
    state.Choose("mapping_changed", config.rebuilds, {{"refuse", false}, {"rebuild", true}});
  }
  return config;
}

}  // namespace sash
