#include "daemon/probe/certificate_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/probe/found.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using std::chrono::days;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Valid in January of 2025, and from 2026 to the end of 2095.
constexpr const char* kExpired = R"(-----BEGIN CERTIFICATE-----
MIIBGzCBwgIBATAKBggqhkjOPQQDAjAaMRgwFgYDVQQDDA9leHBpcmVkLmV4YW1w
bGUwHhcNMjUwMTAxMDAwMDAwWhcNMjUwMjAxMDAwMDAwWjAaMRgwFgYDVQQDDA9l
eHBpcmVkLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ3QyBUfFX3
OXPzc47NzKbJC7s9MKPlQZmp46VBqUy/WNj3Y9LwbduyfcbykCio0snIhPjQ346l
D3ngCXcJcVYBMAoGCCqGSM49BAMCA0gAMEUCIQDNa+9zMsOOvp+bF7ILRERYb/vN
rIo1WmH0lRhz0xXPtgIgEQrv6n2y/aakJ5md1LHjygiwYz61dsZ71XcpldkLuvc=
-----END CERTIFICATE-----
)";
constexpr const char* kValid = R"(-----BEGIN CERTIFICATE-----
MIIBHTCBxAIBAjAKBggqhkjOPQQDAjAaMRgwFgYDVQQDDA9leHBpcmVkLmV4YW1w
bGUwIBcNMjYwMTAxMDAwMDAwWhgPMjA5NjAxMDEwMDAwMDBaMBoxGDAWBgNVBAMM
D2V4cGlyZWQuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDdDIFR8
Vfc5c/Nzjs3MpskLuz0wo+VBmanjpUGpTL9Y2Pdj0vBt27J9xvKQKKjSyciE+NDf
jqUPeeAJdwlxVgEwCgYIKoZIzj0EAwIDSAAwRQIhAOozUfXDP6SjL1+HL4nQ4ziA
ifbds9e0U+Nf7f0mjT3CAiAWo4zVrSQ3ixLtPVMuBmNr/8B9mlRAodDShw+hzap6
eg==
-----END CERTIFICATE-----
)";

constexpr EventTime At(int year, unsigned month, unsigned day) {
  return EventTime(std::chrono::sys_days(std::chrono::year(year) / static_cast<int>(month) /
                                         static_cast<int>(day)));
}

std::vector<std::string> Judged(CertificateUse use, const std::vector<Certificate>& terms,
                                EventTime now) {
  testing::Found found;
  JudgeCertificates("k", use, terms, now, found.findings);
  return found.lines;
}

Certificate Term(const std::string& subject, EventTime end) {
  return {.subject = subject, .begin = At(2020, 1, 1), .end = end, .key_id = {}};
}

TEST(CertificateProbeTest, ReadsNameAndTermOfEachCertificate) {
  const auto terms = ReadCertificates(std::string(kExpired) + kValid, "the file");
  ASSERT_TRUE(terms.ok()) << terms.error().message;
  ASSERT_EQ(terms.value().size(), 2U);
  EXPECT_EQ(terms.value()[0].subject, "CN=expired.example");
  EXPECT_EQ(terms.value()[0].begin, At(2025, 1, 1));
  EXPECT_EQ(terms.value()[0].end, At(2025, 2, 1));
  EXPECT_EQ(terms.value()[1].end, At(2096, 1, 1));
}

TEST(CertificateProbeTest, WhatIsNoCertificateIsSaidWithoutItsText) {
  const auto terms = ReadCertificates("a secret", "the value");
  ASSERT_FALSE(terms.ok());
  EXPECT_THAT(terms.error().message, StartsWith("the value holds no PEM certificate: "));
  EXPECT_EQ(terms.error().message.find("secret"), std::string::npos);
}

TEST(CertificateProbeTest, TheGradeFollowsTheDaysThatAreLeft) {
  const EventTime now = At(2026, 5, 1);
  const auto of = [&](EventTime end) {
    return Judged(CertificateUse::kOwn, {Term("CN=a", end)}, now)[0];
  };
  EXPECT_EQ(of(now + days(30)), "ok       k: CN=a is valid until 2026-05-31, 30 days more");
  EXPECT_EQ(of(now + days(30) - std::chrono::seconds(1)),
            "warning  k: CN=a is valid until 2026-05-30, 29 days more; have it renewed");
  EXPECT_EQ(of(now), "error    k: CN=a has expired on 2026-05-01, 0 days ago; have it renewed");
  EXPECT_EQ(of(now - days(9)),
            "error    k: CN=a has expired on 2026-04-22, 9 days ago; have it renewed");
  EXPECT_THAT(Judged(CertificateUse::kOwn, {Term("CN=a", now)}, At(2019, 1, 1))[0],
              StartsWith("error    k: CN=a is not valid before 2020-01-01"));
}

TEST(CertificateProbeTest, OfABundleOneIsEnoughAndOfAChainNoneMayHaveExpired) {
  const EventTime now = At(2026, 5, 1);
  const std::vector<Certificate> both = {Term("CN=old", now - days(1)),
                                         Term("CN=new", now + days(900))};
  EXPECT_THAT(Judged(CertificateUse::kAuthorities, both, now),
              ElementsAre(StartsWith("warning  k: 1 of 2 certificates are valid today; the first "
                                     "to expire is CN=new, on 2028-10-17")));
  EXPECT_THAT(Judged(CertificateUse::kAuthorities, both, now + days(901)),
              ElementsAre(StartsWith("error    k: none of the 2 certificates is valid today")));
  EXPECT_THAT(Judged(CertificateUse::kOwn, both, now),
              ElementsAre(StartsWith("error "), StartsWith("ok ")));
}

TEST(CertificateProbeTest, OptionsOfLibrdkafkaAreLookedAtWhereverTheCertificateStands) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("ca.pem"), kValid);
  testing::Found found;
  ProbeKafkaCertificates("o",
                         {{"ssl.ca.location", folder.File("ca.pem")},
                          {"ssl.certificate.pem", kExpired},
                          {"ssl.certificate.location", folder.File("none.pem")},
                          {"sasl.password", "x"}},
                         At(2026, 5, 1), found.findings);
  EXPECT_THAT(found.lines,
              ElementsAre(StartsWith("ok       o.ssl.ca.location: CN=expired.example is valid "),
                          HasSubstr("none.pem` cannot be read: No such file or directory"),
                          StartsWith("error    o.ssl.certificate.pem: CN=expired.example has "
                                     "expired on 2025-02-01")));
}

TEST(CertificateProbeTest, TheServersOwnIsLookedAt) {
  const testing::ScratchFolder folder;
  testing::Write(folder.File("c.pem"), kExpired);
  testing::Found found;
  ProbeServerCertificate({.certificate = folder.File("c.pem"), .key = ""}, At(2025, 1, 20),
                         found.findings);
  EXPECT_THAT(found.lines, ElementsAre("warning  http.tls.certificate: CN=expired.example is valid "
                                       "until 2025-02-01, 12 days more; have it renewed"));
}

}  // namespace
}  // namespace sash
