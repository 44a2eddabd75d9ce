#include "daemon/http/certificate.h"

#include <fmt/format.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <ctime>

#include "daemon/http/pem_text.h"

namespace sash {
namespace {

// gnutls replaces times that time_t cannot hold by the last one; the range of EventTime is smaller.
EventTime TimeOf(std::time_t seconds) {
  constexpr std::time_t kLast = 9'000'000'000;  // the year 2255
  return EventTime(std::chrono::seconds(seconds < 0 || seconds > kLast ? kLast : seconds));
}

std::string SubjectOf(gnutls_x509_crt_t certificate) {
  gnutls_datum_t text{};
  if (gnutls_x509_crt_get_dn3(certificate, &text, 0) != 0) return "(without a name)";
  std::string subject(reinterpret_cast<const char*>(text.data), text.size);
  gnutls_free(text.data);
  return subject.empty() ? "(without a name)" : subject;
}

std::string KeyIdOf(gnutls_x509_crt_t certificate) {
  std::array<unsigned char, 64> id{};
  std::size_t size = id.size();
  if (gnutls_x509_crt_get_key_id(certificate, GNUTLS_KEYID_USE_SHA256, id.data(), &size) != 0) {
    return "";
  }
  return {reinterpret_cast<const char*>(id.data()), size};
}

}  // namespace

Result<std::vector<Certificate>> ReadCertificates(std::string_view pem, std::string_view name) {
  // The library has no const type for its input.
  const gnutls_datum_t datum{reinterpret_cast<unsigned char*>(const_cast<char*>(pem.data())),
                             static_cast<unsigned>(pem.size())};
  gnutls_x509_crt_t* certificates = nullptr;
  unsigned count = 0;
  const int code =
      gnutls_x509_crt_list_import2(&certificates, &count, &datum, GNUTLS_X509_FMT_PEM, 0);
  if (code < 0) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} holds no PEM certificate: {}", name, gnutls_strerror(code))};
  }
  std::vector<Certificate> terms;
  for (unsigned i = 0; i < count; ++i) {
    terms.push_back({.subject = SubjectOf(certificates[i]),
                     .begin = TimeOf(gnutls_x509_crt_get_activation_time(certificates[i])),
                     .end = TimeOf(gnutls_x509_crt_get_expiration_time(certificates[i])),
                     .key_id = KeyIdOf(certificates[i])});
    gnutls_x509_crt_deinit(certificates[i]);
  }
  gnutls_free(certificates);
  return terms;
}

Result<std::vector<Certificate>> ReadCertificateFile(const std::string& path) {
  const Result<std::string> pem = ReadPemFile(path);
  if (!pem) return pem.error();
  return ReadCertificates(pem.value(), fmt::format("`{}`", path));
}

}  // namespace sash
