#include "daemon/probe/certificate_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

constexpr const char* kRenew = "have it renewed";

std::int64_t DaysBetween(EventTime from, EventTime to) {
  return std::chrono::floor<std::chrono::days>(to - from).count();
}

Finding Judge(const std::string& where, const Certificate& term, EventTime now) {
  const std::string day = DayText(term.end);
  if (now < term.begin) {
    return {Grade::kError, where,
            fmt::format("{} is not valid before {}", term.subject, DayText(term.begin)),
            "is the clock of this machine right?"};
  }
  if (now >= term.end) {
    return {Grade::kError, where,
            fmt::format("{} has expired on {}, {} days ago", term.subject, day,
                        DaysBetween(term.end, now)),
            kRenew};
  }
  const std::string what = fmt::format("{} is valid until {}, {} days more", term.subject, day,
                                       DaysBetween(now, term.end));
  if (term.end - now < kCertificateNotice) return {Grade::kWarning, where, what, kRenew};
  return {Grade::kOk, where, what, {}};
}

void JudgeAuthorities(const std::string& where, const std::vector<Certificate>& terms,
                      EventTime now, Findings& findings) {
  const auto usable = [&](const Certificate& term) { return term.begin <= now && now < term.end; };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(terms, usable));
  if (count == 0) {
    findings.Fail(where, fmt::format("none of the {} certificates is valid today", terms.size()),
                  "get a new file from the authority's operator");
    return;
  }
  Certificate first{.subject = {}, .begin = {}, .end = EventTime::max(), .key_id = {}};
  for (const Certificate& term : terms) {
    if (usable(term) && term.end < first.end) first = term;
  }
  const std::string what =
      fmt::format("{} of {} certificates are valid today; the first to expire is {}, on {}", count,
                  terms.size(), first.subject, DayText(first.end));
  const bool soon = first.end - now < kCertificateNotice;
  if (count < terms.size() || soon) {
    findings.Warn(where, what, "is the brokers' certificate signed by a valid one?");
  } else {
    findings.Ok(where, what);
  }
}

struct CertificateOption {
  std::string_view name;
  CertificateUse use;
  bool is_path;
};
constexpr std::array<CertificateOption, 4> kOptions = {{
    {"ssl.ca.location", CertificateUse::kAuthorities, true},
    {"ssl.ca.pem", CertificateUse::kAuthorities, false},
    {"ssl.certificate.location", CertificateUse::kOwn, true},
    {"ssl.certificate.pem", CertificateUse::kOwn, false},
}};

void ProbeFile(const std::string& where, CertificateUse use, const std::string& path, EventTime now,
               Findings& findings) {
  const auto terms = ReadCertificateFile(path);
  if (!terms) {
    findings.Fail(where, terms.error().message, "name a PEM file that this user may read");
  } else {
    JudgeCertificates(where, use, terms.value(), now, findings);
  }
}

}  // namespace

void JudgeCertificates(const std::string& where, CertificateUse use,
                       const std::vector<Certificate>& terms, EventTime now, Findings& findings) {
  if (use == CertificateUse::kAuthorities && terms.size() > 1) {
    JudgeAuthorities(where, terms, now, findings);
    return;
  }
  for (const Certificate& term : terms) findings.Add(Judge(where, term, now));
}

void ProbeKafkaCertificates(const std::string& where,
                            const std::map<std::string, std::string>& options, EventTime now,
                            Findings& findings) {
  for (const CertificateOption& option : kOptions) {
    const auto set = options.find(std::string(option.name));
    if (set == options.end()) continue;
    const std::string key = fmt::format("{}.{}", where, option.name);
    const std::string& value = set->second;
    std::error_code unknown;
    if (!option.is_path) {
      const auto terms = ReadCertificates(value, "the value");
      if (terms) {
        JudgeCertificates(key, option.use, terms.value(), now, findings);
      } else {
        findings.Fail(key, terms.error().message, "give a certificate as PEM");
      }
    } else if (value == "probe" || std::filesystem::is_directory(value, unknown)) {
      findings.Ok(key, fmt::format("{}: a folder of authorities, which librdkafka reads; "
                                   "their validity is not checked",
                                   value));
    } else {
      ProbeFile(key, option.use, value, now, findings);
    }
  }
  if (options.contains("ssl.keystore.location")) {
    findings.Ok(where + ".ssl.keystore.location",
                "librdkafka can read it; the validity of its certificate is not checked");
  }
}

void ProbeServerCertificate(const TlsConfig& tls, EventTime now, Findings& findings) {
  ProbeFile("http.tls.certificate", CertificateUse::kOwn, tls.certificate, now, findings);
}

}  // namespace sash
