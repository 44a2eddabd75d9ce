// Certificate probe: whether the configured certificates are valid today, and for how long.
//
// Thread safety: belongs to one thread; it reads files.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/http/certificate.h"
#include "daemon/probe/finding.h"

namespace sash {

// An own certificate comes with its chain, and needs every certificate of it. In a bundle of
// authorities one valid certificate may be enough, so an expired one is a warning unless all have
// expired.
enum class CertificateUse : std::uint8_t { kOwn, kAuthorities };

// Fewer days than this are a warning.
inline constexpr std::chrono::days kCertificateNotice{30};

void JudgeCertificates(const std::string& where, CertificateUse use,
                       const std::vector<Certificate>& terms, EventTime now, Findings& findings);

// Probes the certificates in librdkafka's options (ssl.ca.location etc.); `where`: the key of the
// options.
void ProbeKafkaCertificates(const std::string& where,
                            const std::map<std::string, std::string>& options, EventTime now,
                            Findings& findings);

void ProbeServerCertificate(const TlsConfig& tls, EventTime now, Findings& findings);

}  // namespace sash
