// The keys of a client of HTTPS: the certificates that it trusts, and its own. For structs with
// members `ca`, `certificate` and `key`, paths of PEM files.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "daemon/config/key_row.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/text_shapes.h"

namespace sash {

inline Result<std::string> ParsePemPath(std::string_view text) {
  if (text.empty()) return Wrong("is empty; give the path of a PEM file");
  return std::string(text);
}

template <typename Spec, typename Context, typename Member>
KeyRow<Spec, Context> PemRow(std::string_view name, Member member, std::string_view about) {
  return KeyRow<Spec, Context>(name, member,
                               TextForm{kAnyText, "the path of a PEM file", ParsePemPath}, about)
      .Default("none")
      .Range("any path");
}

template <typename Spec, typename Context = NoContext>
KeyRow<Spec, Context> CaRow() {
  return PemRow<Spec, Context>("ca", &Spec::ca,
                               "A PEM file: the certificates that are trusted with https. Without "
                               "it, the certificates of the system are trusted.");
}

// `about`: the server to which the certificate is shown.
template <typename Spec, typename Context = NoContext>
KeyRow<Spec, Context> CertificateRow(std::string_view about) {
  return PemRow<Spec, Context>("certificate", &Spec::certificate, about);
}

template <typename Spec, typename Context = NoContext>
KeyRow<Spec, Context> PrivateKeyRow() {
  return PemRow<Spec, Context>(
      "key", &Spec::key, "A PEM file: the private key of the certificate, without a password.");
}

}  // namespace sash
