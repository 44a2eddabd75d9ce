#include "daemon/config/headers_form.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "connectors/codec/quoted_text.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool IsHeaderName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

// Headers that the sink or libcurl sets.
bool IsOwnHeader(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kOwn = {"content-type",
                                                           "content-length",
                                                           "idempotency-key",
                                                           "sash-signature",
                                                           "host",
                                                           "expect",
                                                           "connection",
                                                           "te",
                                                           "transfer-encoding"};
  return std::ranges::find(kOwn, LowerCase(name)) != kOwn.end();
}

}  // namespace

bool MayHoldSecret(std::string_view header) {
  static constexpr std::array<std::string_view, 6> kHints = {"auth",   "token",    "cookie",
                                                             "secret", "password", "key"};
  const std::string lower = LowerCase(header);
  return std::ranges::any_of(
      kHints, [&](std::string_view hint) { return lower.find(hint) != std::string::npos; });
}

void HeadersForm::Read(const Section& hook, const KeySpec& key, Headers& headers) const {
  if (!hook.Has(key.name)) return;
  for (const auto& [name, place] :
       EntriesAt(hook.At(key.name), "a mapping of HTTP headers", hook.errors())) {
    const YamlNode* const value = ScalarAt(place, "a value", hook.errors());
    if (value == nullptr) continue;
    const bool printable = std::ranges::all_of(
        value->text, [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); });
    if (!IsHeaderName(name)) {
      hook.errors().Add(place, "is not the name of a header; give letters, digits, - and _");
    } else if (IsOwnHeader(name)) {
      hook.errors().Add(place, "cannot be set here: the sink sets this header");
    } else if (value->text.find_first_not_of(" \t") == std::string::npos || !printable) {
      hook.errors().Add(place, "is empty, or has characters that a header cannot hold");
    } else if (value->text == kRedacted) {
      hook.errors().Add(place,
                        "was redacted when this was printed; give the value, or "
                        "${env:NAME} or ${file:PATH}");
    } else {
      headers[name] = {value->text, value->written};
    }
  }
}

void HeadersForm::Print(YamlPrinter& out, int depth, const KeySpec& key,
                        const Headers& headers) const {
  if (headers.empty()) return out.Line(depth, key.name, "{}");
  out.Line(depth, key.name);
  for (const auto& [name, value] : headers) {
    std::string shown = Quote(MayHoldSecret(name) ? kRedacted : std::string_view(value.text));
    if (!value.reference.empty()) shown = Quoted(value.reference);
    out.Line(depth + 1, Quoted(name), shown);
  }
}

}  // namespace sash
