// Certificate probe: whether certificates that the configuration names can be shown today, and for
// how long.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/http/certificate.h"
#include "daemon/probe/finding.h"

namespace sash {

// An own certificate comes with those that vouch for it, and needs each of them. Of authorities
// (a bundle) one that is valid may be enough, so one that has expired is a warning unless all have.
enum class CertificateUse : std::uint8_t { kOwn, kAuthorities };

// Fewer days than this are a warning.
inline constexpr std::chrono::days kCertificateNotice{30};

void JudgeCertificates(const std::string& where, CertificateUse use,
                       const std::vector<Certificate>& terms, EventTime now, Findings& findings);

// Of the options of librdkafka (ssl.ca.location and the like); `where`: that of the options.
void ProbeKafkaCertificates(const std::string& where,
                            const std::map<std::string, std::string>& options, EventTime now,
                            Findings& findings);

void ProbeServerCertificate(const TlsConfig& tls, EventTime now, Findings& findings);

}  // namespace sash
