// source.format.registry
#include <fmt/format.h>

#include <algorithm>

#include "connectors/codec/quoted_text.h"
#include "daemon/config/mapping_keys.h"
#include "daemon/config/pem_rows.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/secret_reference.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

constexpr std::string_view kUrlNeed = "the address of the registry, such as http://127.0.0.1:8081";

Result<std::string> ParseRegistryUrl(std::string_view text) {
  const std::size_t scheme = text.starts_with("http://") ? 7 : text.starts_with("https://") ? 8 : 0;
  if (scheme == 0 || scheme == text.size()) {
    return Wrong(fmt::format("must begin with http:// or https://; give {}", kUrlNeed));
  }
  const bool plain = std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
  if (!plain || text.find_first_of("?#\\\"") != std::string_view::npos) {
    return Wrong("has characters that an address without query and fragment has not");
  }
  if (text.find('@') != std::string_view::npos) {
    return Wrong("must not hold a user or a password; give them as `user` and `password`");
  }
  text = text.substr(0, text.find_last_not_of('/') + 1);
  return std::string(text);
}

Result<std::string> ParsePassword(std::string_view text) {
  if (text.empty()) return Wrong("is empty; give it as ${file:PATH} or ${env:NAME}");
  if (text != kRedacted) return std::string(text);
  return Wrong("was redacted when this was printed; give ${file:PATH} or ${env:NAME}");
}

// Prints the reference of a password; one that is written as plain text is not shown.
struct PasswordForm {
  std::vector<Shape> Shapes() const { return {kAnyText}; }
  void Read(const Section& registry, const KeySpec& key, RegistrySpec::Secret& password) const {
    if (registry.Read(key.name, password.text, "a password, as ${file:PATH}", ParsePassword)) {
      password.reference = registry.At(key.name).node->written;
    }
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const RegistrySpec::Secret& password) const {
    if (password.text.empty()) return;
    out.Line(depth, key.name,
             password.reference.empty() ? Quote(kRedacted) : Quoted(password.reference));
  }
};

}  // namespace

const KeyRows<RegistrySpec>& RegistryRows() {
  using Key = KeyRow<RegistrySpec>;
  static const KeyRows<RegistrySpec> rows = {
      Key("url", &RegistrySpec::url,
          TextForm{{R"(^https?://[^\s?#@\\"]+$)", kNothing, kUrlNeed}, kUrlNeed, ParseRegistryUrl},
          "The address of the registry.", kRequired)
          .Range("http://... or https://..."),
      Key("user", &RegistrySpec::user, TextForm{kAnyText, "a user", ParseNonEmpty},
          "For basic authentication.")
          .Default("none")
          .Range("any text"),
      Key("password", &RegistrySpec::password, PasswordForm{},
          "The password of the user, as ${file:PATH} or ${env:NAME}.")
          .Default("none")
          .Range("any text"),
      CaRow<RegistrySpec>(),
      CertificateRow<RegistrySpec>(
          "A PEM file: the certificate that sashd shows to the registry (mTLS)."),
      PrivateKeyRow<RegistrySpec>(),
  };
  return rows;
}

SectionSpec RegistrySection() { return SectionFrom("source.format.registry", RegistryRows()); }

}  // namespace sash
