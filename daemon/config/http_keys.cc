#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "connectors/codec/quoted_text.h"
#include "daemon/config/address_text.h"
#include "daemon/config/key_row.h"
#include "daemon/config/pem_rows.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

constexpr std::string_view kListenRange = "a host and a port from 0 to 65535, or off";

bool IsOff(std::string_view text) { return text == "off" || text == "false"; }

// None: off.
Result<std::optional<ListenAddress>> ParseListen(std::string_view text) {
  if (IsOff(text)) return std::optional<ListenAddress>();
  Result<HostPort> address = ParseListenAddress(text);
  if (!address) return Wrong(address.error().message + ", such as 127.0.0.1:9640, or off");
  return std::optional(ListenAddress{address.value().host, address.value().port});
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

const KeyRows<TlsConfig>& TlsRows() {
  using Key = KeyRow<TlsConfig>;
  const TextForm path{kAnyText, "the path of a PEM file", ParsePemPath};
  static const KeyRows<TlsConfig> rows = {
      Key("certificate", &TlsConfig::certificate, path,
          "A PEM file: the certificate, then the intermediate certificates.", kRequired)
          .Range("any path"),
      Key("key", &TlsConfig::key, path, "A PEM file: the private key, without a password.",
          kRequired)
          .Range("any path"),
  };
  return rows;
}

// Prints the reference of a token; a token written as plain text is not shown.
struct TokenForm {
  std::vector<Shape> Shapes() const {
    return {Text{R"(^[!-~]{16,256}$)", kNothing, "16 to 256 visible ASCII characters"}};
  }
  void Read(const Section& tokens, const KeySpec& key, TokenConfig& token) const {
    if (tokens.Require(key.name, token.text, "a token, as ${file:PATH}", ParseToken)) {
      token.reference = tokens.At(key.name).node->written;
    }
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const TokenConfig& token) const {
    out.Line(depth, key.name, token.reference.empty() ? Quote(kRedacted) : Quoted(token.reference));
  }
  bool Same(const TokenConfig& a, const TokenConfig& b) const {
    return a.text == b.text && a.reference == b.reference;
  }
};

const KeyRows<TokensConfig>& TokensRows() {
  using Key = KeyRow<TokensConfig>;
  static const KeyRows<TokensConfig> rows = {
      Key("read", &TokensConfig::read, TokenForm{}, "For requests that change nothing.", kRequired),
      Key("admin", &TokensConfig::admin, TokenForm{},
          "For all requests. It may not be the token for reading.", kRequired),
  };
  return rows;
}

void ReadTokens(const Section& tokens, TokensConfig& config) {
  ReadRows(tokens, TokensRows(), config);
  if (!config.read.text.empty() && config.read.text == config.admin.text) {
    tokens.Fail("admin", "is the token for reading; give another one");
  }
}

// An address and a port, or off.
struct ListenForm {
  std::string_view like;

  std::vector<Shape> Shapes() const {
    return {Text{ListenPattern(), kNothing, like}, Words{{"off", "false"}}};
  }
  bool Read(const Section& http, const KeySpec& key, std::optional<ListenAddress>& address) const {
    return http.Read(key.name, address, fmt::format("{}, or off", like), ParseListen);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::optional<ListenAddress>& address) const {
    out.Line(depth, key.name,
             address ? Quote(FormatHostPort(address->host, address->port)) : "off");
  }
  bool Same(const std::optional<ListenAddress>& a, const std::optional<ListenAddress>& b) const {
    return a.has_value() == b.has_value() && (!a || (a->host == b->host && a->port == b->port));
  }
};

// Refuses to listen on other than loopback addresses without TLS and tokens.
void CheckExposure(const Section& http, const HttpConfig& config) {
  if (!config.enabled || IsLoopback(config.host)) return;
  std::string lacking;
  if (!http.Has("tls")) lacking = "http.tls";
  if (!http.Has("tokens")) lacking += std::string(lacking.empty() ? "" : " and ") + "http.tokens";
  if (lacking.empty()) return;
  http.Fail(
      "listen",
      fmt::format(
          "`{}` can be reached from other machines; give {}, or a loopback "
          "address, such as 127.0.0.1:{} (http.metrics_listen serves only metrics and health)",
          FormatHostPort(config.host, config.port), lacking, config.port));
}

void CheckMetricsAddress(const Section& http, const HttpConfig& config) {
  if (!config.enabled || !config.metrics_listen) return;
  const HostPort metrics{config.metrics_listen->host, config.metrics_listen->port};
  if (!Collide({config.host, config.port}, metrics)) return;
  http.Fail("metrics_listen", fmt::format("{} is taken by http.listen ({}); give another port",
                                          FormatHostPort(metrics.host, metrics.port),
                                          FormatHostPort(config.host, config.port)));
}

struct HttpContext {
  bool listens = false;  // `listen` is present and valid
};

std::optional<ListenAddress> Listening(const HttpConfig& config) {
  if (!config.enabled) return std::nullopt;
  return ListenAddress{config.host, config.port};
}

KeyRow<HttpConfig, HttpContext> ListenRow() {
  const ListenForm form{"host:port, such as 127.0.0.1:9640"};
  const KeySpec key{
      "listen",
      form.Shapes(),
      "`off` disables the API. With port 0 the system chooses a free port, which the log names. "
      "Addresses that other machines can reach (0.0.0.0, ::) need `tls` and `tokens`.",
      kOptional,
      Change::kRestart,
      "",
      kListenRange};
  return {key,
          [form, key](const Section& http, HttpConfig& config, HttpContext& context) {
            std::optional<ListenAddress> listen = Listening(config);
            context.listens = form.Read(http, key, listen);
            config.enabled = listen.has_value();
            if (listen) config.host = listen->host;
            if (listen) config.port = listen->port;
          },
          [form, key](YamlPrinter& out, int depth, const HttpConfig& config) {
            form.Print(out, depth, key, Listening(config));
          },
          [form](const HttpConfig& a, const HttpConfig& b) {
            return form.Same(Listening(a), Listening(b));
          }};
}

const KeyRows<HttpConfig, HttpContext>& HttpRows() {
  using Key = KeyRow<HttpConfig, HttpContext>;
  static const KeyRows<HttpConfig, HttpContext> rows = {
      ListenRow(),
      Key("tls", &HttpConfig::tls, Nested<TlsConfig>{"http.tls", TlsRows()},
          "Encrypts the API (https, TLS 1.2 and 1.3). Without this section, nothing is encrypted. "
          "--check also reads both files and checks that certificate and key belong together."),
      Key("tokens", &HttpConfig::tokens, Nested<TokensConfig>{"http.tokens", TokensRows()},
          "Each request must contain a token, as `Authorization: Bearer <token>` or as a password. "
          "Without this section, everybody who can reach the address may do everything. Give "
          "${file:PATH} or ${env:NAME}.")
          .ReadBy([](const Section& http, HttpConfig& config, HttpContext& /*context*/) {
            if (!http.Has("tokens")) return;
            ReadTokens(http.Child("tokens", "http.tokens"), config.tokens.emplace());
          }),
      Key("metrics_listen", &HttpConfig::metrics_listen,
          ListenForm{"host:port, such as 0.0.0.0:9641"},
          "Another address that serves only /metrics, /healthz and /readyz, without tokens.")
          .Range(kListenRange),
      Key("connections_per_address", &HttpConfig::connections_per_address,
          WholeNumber{1, 1'000'000},
          "How many connections without a valid token one address (for IPv6 its /64) may have "
          "open. If it opens one more, the connection that has waited longest for a request is "
          "closed. The API and metrics_listen are counted separately. Of their 256 and 64 "
          "connections, a quarter is always reserved for clients with tokens."),
  };
  return rows;
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
  HttpContext context;
  ReadRows(http, HttpRows(), config, context);
  if (context.listens) CheckExposure(http, config);
  CheckMetricsAddress(http, config);
  return config;
}

void PrintHttp(YamlPrinter& out, int depth, const HttpConfig& config) {
  PrintRows(out, depth, HttpRows(), config);
}

bool SameHttp(const HttpConfig& a, const HttpConfig& b) { return SameRows(HttpRows(), a, b); }

std::vector<SectionSpec> HttpSections() {
  return {SectionFrom("http", HttpRows()), SectionFrom("http.tls", TlsRows()),
          SectionFrom("http.tokens", TokensRows())};
}

}  // namespace sash
