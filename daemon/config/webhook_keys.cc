// sinks[].webhook
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "connectors/codec/quoted_text.h"
#include "daemon/config/destination_form.h"
#include "daemon/config/headers_form.h"
#include "daemon/config/normal_path.h"
#include "daemon/config/pem_rows.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/sink_rows.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

using HookSecret = WebhookSinkSpec::Secret;

constexpr std::string_view kHookNeed = "the address of the receiver, such as https://host/path";
constexpr std::string_view kSecretNeed = "a secret, as ${file:PATH} or ${env:NAME}";

Result<std::string> ParseHookUrl(std::string_view text) {
  const std::size_t scheme = text.starts_with("http://") ? 7 : text.starts_with("https://") ? 8 : 0;
  if (scheme == 0 || scheme == text.size() || text[scheme] == '/' || text[scheme] == ':') {
    return Wrong(fmt::format("must begin with http:// or https:// and a host; give {}", kHookNeed));
  }
  const bool plain = std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
  if (!plain || text.find_first_of("#\\\"") != std::string_view::npos) {
    return Wrong("has characters that an address without a fragment has not");
  }
  if (text.substr(0, text.find('/', scheme)).find('@') != std::string_view::npos) {
    return Wrong("must not hold a user or a password; give them in `headers`");
  }
  return std::string(text);
}

Result<std::string> ParseHookSecret(std::string_view text) {
  if (text.empty()) return Wrong(fmt::format("is empty; give {}", kSecretNeed));
  if (text == kRedacted) {
    return Wrong(fmt::format("was redacted when this was printed; give {}", kSecretNeed));
  }
  return std::string(text);
}

bool IsLoopback(std::string_view url) {
  std::string_view host = url.substr(std::string_view("http://").size());
  host = host.substr(0, host.find_first_of("/?"));
  if (host.starts_with("[::1]")) return true;
  host = host.substr(0, host.find(':'));
  const bool numeric =
      host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host == "localhost" || numeric;
}

// Prints the reference of a secret; one that is written as plain text is not shown.
struct HookSecretForm {
  std::vector<Shape> Shapes() const { return {kAnyText}; }
  void Read(const Section& hook, const KeySpec& key, HookSecret& secret) const {
    if (hook.Read(key.name, secret.text, kSecretNeed, ParseHookSecret)) {
      secret.reference = hook.At(key.name).node->written;
    }
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const HookSecret& secret) const {
    if (secret.text.empty()) return;
    out.Line(depth, key.name,
             secret.reference.empty() ? Quote(kRedacted) : Quoted(secret.reference));
  }
};

// Checks keys that depend on each other. Called when all others are read.
void CheckHook(const Section& hook, const WebhookSinkSpec& spec) {
  if (spec.format == WebhookSinkSpec::Format::kAlertmanager &&
      spec.content != SinkContent::kAlerts) {
    hook.Fail("format", "is alertmanager, which takes alerts alone; add `content: alerts`");
  }
  if (spec.format == WebhookSinkSpec::Format::kCsv && spec.content != SinkContent::kRows) {
    hook.Fail("format", "is csv, which is for rows alone; add `content: rows`");
  }
  if (spec.format == WebhookSinkSpec::Format::kCloudEvents && spec.content == SinkContent::kRows) {
    hook.Fail("format",
              "is cloudevents, whose events have one JSON value; rows are JSON Lines or CSV: give "
              "json or csv");
  }
  const bool plain = spec.url.starts_with("http://");
  if (plain && !(spec.ca.empty() && spec.certificate.empty())) {
    hook.Fail("url", "is http://, but `ca` and `certificate` need https://");
  }
  const bool has_secret =
      !spec.secret.text.empty() || std::ranges::any_of(spec.headers, [](const auto& header) {
        return !header.second.reference.empty() || MayHoldSecret(header.first);
      });
  if (plain && has_secret && !IsLoopback(spec.url)) {
    hook.Fail("url",
              "is http://, so others on the way can read the results and secret headers; give "
              "https://, or leave out `secret` and the secret headers");
  }
}

void ReadHookOutbox(const Section& hook, WebhookSinkSpec& spec, SinkContext& context) {
  spec.outbox.path = "outbox-" + spec.name;
  const bool given = hook.Has("outbox");
  if (given) {
    const Section outbox = hook.Child("outbox", "sinks[].webhook.outbox");
    ReadRows(outbox, WebhookOutboxRows(), spec.outbox);
  }
  const auto [use, fresh] = context.uses.emplace(NormalPath(spec.outbox.path), hook.path());
  if (!fresh) {
    hook.Fail("outbox", fmt::format("its path would be `{}`, which is used by {} already; give "
                                    "another",
                                    spec.outbox.path, use->second));
  }
  CheckHook(hook, spec);
}

}  // namespace

const KeyRows<OutboxSpec>& WebhookOutboxRows() {
  using Key = KeyRow<OutboxSpec>;
  static const KeyRows<OutboxSpec> rows = {
      Key("path", &OutboxSpec::path, TextForm{kFolder, "the path of a folder", ParseFilePath},
          "The folder; nothing else in the configuration may use it.")
          .Default("outbox-<name>"),
      Key("limit", &OutboxSpec::limit_bytes, ByteSize{1 << 20},
          "How much may wait. At the limit, results are dropped, and no offsets are committed any "
          "more."),
  };
  return rows;
}

const KeyRows<WebhookSinkSpec, SinkContext>& WebhookSinkRows() {
  using Key = KeyRow<WebhookSinkSpec, SinkContext>;
  using Spec = WebhookSinkSpec;
  static const KeyRows<Spec, SinkContext> rows = {
      Key("name", &Spec::name, TextForm{kName, "a name that is unique in this list", ParseName},
          "Names the sink in alerts[].to, in the log, in metrics and in the source of CloudEvents; "
          "unique among sinks.",
          kRequired)
          .ReadBy([](const Section& hook, Spec& spec, SinkContext& context) {
            ReadSinkName(hook, context.names, spec.name);
          }),
      Key("url", &Spec::url,
          TextForm{{R"(^https?://[^\s/:#\\"][^\s#\\"]*$)", kNothing, kHookNeed},
                   kHookNeed,
                   ParseHookUrl},
          "The address of the receiver. http:// with `secret` or with secret headers is only "
          "possible to this host (localhost, 127.0.0.1, [::1]).",
          kRequired)
          .Range("http://... or https://..."),
      Key("format", &Spec::format,
          OneOf<Spec::Format>{{"json", Spec::Format::kJson},
                              {"csv", Spec::Format::kCsv},
                              {"cloudevents", Spec::Format::kCloudEvents},
                              {"alertmanager", Spec::Format::kAlertmanager}},
          "json: the result as in the file sink, or its rows as JSON Lines. csv: its rows, with a "
          "header row; only with `content: rows`. cloudevents: an event of CloudEvents 1.0 "
          "(structured mode), whose data is the result. alertmanager: an alert as Prometheus' "
          "Alertmanager takes it at /api/v2/alerts; only with `content: alerts`."),
      JobNamesRow<Spec>(),
      VerticesRow<Spec>(),
      PartialRow<Spec>(),
      ContentRow<Spec>(),
      Key("secret", &Spec::secret, HookSecretForm{},
          "Signs each request: the header Sash-Signature is t=SECONDS,v1=HEX, where HEX is the "
          "HMAC-SHA256 of SECONDS, a point and the body. Give it as ${file:PATH} or ${env:NAME}.")
          .Default("none")
          .Range("any text"),
      Key("headers", &Spec::headers, HeadersForm{},
          "Headers that are added to each request. Give secret values as ${file:PATH} or "
          "${env:NAME}."),
      CaRow<Spec, SinkContext>(),
      CertificateRow<Spec, SinkContext>(
          "A PEM file: the certificate that sashd shows to the receiver (mTLS)."),
      PrivateKeyRow<Spec, SinkContext>(),
      Key("connect_timeout", &Spec::connect_timeout, TimeSpan{.zero = false},
          "How long one attempt waits for a connection."),
      Key("timeout", &Spec::timeout, TimeSpan{.zero = false},
          "How long one attempt may take in all. Then the result is sent again."),
      Key("longest_pause", &Spec::longest_pause, TimeSpan{.zero = false},
          "Pauses between attempts are random, up to a limit that doubles from 500ms to this. A "
          "receiver may ask for a longer pause with Retry-After, up to 5m."),
      Key("outbox", &Spec::outbox,
          Nested<OutboxSpec>{"sinks[].webhook.outbox", WebhookOutboxRows()},
          "A folder in which results wait until the receiver has them, even after a restart.")
          .ReadBy(ReadHookOutbox),
  };
  return rows;
}

}  // namespace sash
