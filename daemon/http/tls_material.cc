#include "daemon/http/tls_material.h"

#include <fmt/format.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "daemon/http/certificate.h"
#include "daemon/http/pem_text.h"
#include "windows/base/result.h"

namespace sash {
namespace {

constexpr const char* kCertificate = "http.tls.certificate";
constexpr const char* kKey = "http.tls.key";

using KeyId = std::string;  // bytes

std::string Quoted(const std::string& path) { return fmt::format("`{}`", path); }

gnutls_datum_t DatumOf(const std::string& pem) {
  // The library has no const type for its input.
  auto* const bytes = reinterpret_cast<unsigned char*>(const_cast<char*>(pem.data()));
  return {bytes, static_cast<unsigned>(pem.size())};
}

// The id of the first certificate's public key; an error if there is none.
Result<KeyId> KeyIdOfCertificate(const std::string& pem, const std::string& path) {
  const Result<std::vector<Certificate>> certificates = ReadCertificates(pem, Quoted(path));
  if (!certificates) return certificates.error();
  const KeyId& id = certificates.value().front().key_id;
  if (!id.empty()) return id;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("`{}` has an unknown kind of public key", path)};
}

Result<KeyId> KeyIdOfKey(const std::string& pem, const std::string& path) {
  gnutls_x509_privkey_t key = nullptr;
  if (gnutls_x509_privkey_init(&key) != 0) {
    return Error{ErrorCode::kUnavailable, fmt::format("`{}`: out of memory", path)};
  }
  const gnutls_datum_t datum = DatumOf(pem);
  std::array<unsigned char, 64> id{};
  std::size_t size = id.size();
  int code = gnutls_x509_privkey_import2(key, &datum, GNUTLS_X509_FMT_PEM, nullptr, 0);
  if (code == 0) {
    code = gnutls_x509_privkey_get_key_id(key, GNUTLS_KEYID_USE_SHA256, id.data(), &size);
  }
  gnutls_x509_privkey_deinit(key);
  if (code == 0) return KeyId(reinterpret_cast<const char*>(id.data()), size);
  return Error{
      ErrorCode::kInvalidArgument,
      code == GNUTLS_E_DECRYPTION_FAILED
          ? fmt::format("`{}` holds a key that is encrypted; give one without a password", path)
          : fmt::format("`{}` holds no PEM private key: {}", path, gnutls_strerror(code))};
}

// Reads `path` into `pem` and returns the id of its key. On an error, adds a trouble and returns
// nothing.
template <typename Identify>
std::optional<KeyId> ReadMaterial(const char* key, const std::string& path, Identify identify,
                                  std::string& pem, std::vector<TlsTrouble>& troubles) {
  Result<std::string> text = ReadPemFile(path);
  if (text) {
    pem = std::move(text).value();
    const Result<KeyId> id = identify(pem, path);
    if (id) return id.value();
    troubles.push_back({key, id.error().message});
  } else {
    troubles.push_back({key, text.error().message});
  }
  return std::nullopt;
}

}  // namespace

ReadTls ReadTlsMaterial(const std::string& certificate_path, const std::string& key_path) {
  ReadTls read;
  const auto of_certificate = ReadMaterial(kCertificate, certificate_path, KeyIdOfCertificate,
                                           read.material.certificate, read.troubles);
  const auto of_key = ReadMaterial(kKey, key_path, KeyIdOfKey, read.material.key, read.troubles);
  if (of_certificate && of_key && *of_certificate != *of_key) {
    read.troubles.push_back({kKey, fmt::format("`{}` is not the key of the certificate in `{}`",
                                               key_path, certificate_path)});
  }
  return read;
}

}  // namespace sash
