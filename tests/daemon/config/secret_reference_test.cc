#include "daemon/config/secret_reference.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SecretReferenceTest : public ::testing::Test {
 protected:
  SecretReferenceTest() { setenv("SASH_TEST_SECRET", "hunter2", 1); }
  ~SecretReferenceTest() override { unsetenv("SASH_TEST_SECRET"); }
};

TEST_F(SecretReferenceTest, ResolvesVariablesAndFilesInsideText) {
  const std::string path = ::testing::TempDir() + "sash_secret_" + std::to_string(getpid());
  std::ofstream(path) << "from file\n";
  const auto resolved =
      ResolveReferences("a ${env:SASH_TEST_SECRET} b ${file:" + path + "} $c ${d}");
  std::filesystem::remove(path);
  ASSERT_TRUE(resolved.ok());
  EXPECT_EQ(resolved.value().text, "a hunter2 b from file $c ${d}");
  EXPECT_TRUE(resolved.value().has_references);
}

TEST_F(SecretReferenceTest, EscapedTextStaysAsItIs) {
  for (const char* text : {"${env:X}", "$${env:X}", "$$${file:/x}", "$", "$$", "${", "a$${x}"}) {
    const auto resolved = ResolveReferences(EscapeReferences(text));
    ASSERT_TRUE(resolved.ok()) << text;
    EXPECT_EQ(resolved.value().text, text);
    EXPECT_FALSE(resolved.value().has_references);
  }
}

TEST_F(SecretReferenceTest, WhatCannotBeResolvedIsOneErrorAtItsKey) {
  for (const char* text :
       {"${env:SASH_TEST_UNSET}", "${file:/nowhere}", "${file:/}", "${env:}", "${env:X"}) {
    const ParsedConfig parsed =
        ParseConfig(Replaced(kGood, "\"127.0.0.1:9640\"", '"' + std::string(text) + '"'), "c.yaml");
    ASSERT_EQ(parsed.errors.size(), 1u) << text << "\n" << AllErrors(parsed);
    EXPECT_EQ(parsed.errors[0].key, "http.listen");
  }
}

TEST_F(SecretReferenceTest, MessagesDoNotShowTheValue) {
  const ParsedConfig parsed =
      ParseConfig(Replaced(kGood, "5m", "${env:SASH_TEST_SECRET}"), "c.yaml");
  ASSERT_EQ(parsed.errors.size(), 1u);
  EXPECT_THAT(parsed.errors[0].message, HasSubstr("${env:SASH_TEST_SECRET}"));
  EXPECT_THAT(parsed.errors[0].message, Not(HasSubstr("hunter2")));
}

TEST_F(SecretReferenceTest, ReferencesAreResolvedForKafkaAndPrintedAsWritten) {
  const Config config = ParseGood(
      Replaced(kGood, "start: committed",
               "options: {sasl.password: \"${env:SASH_TEST_SECRET}\", debug: \"a\\\"b\"}"));
  EXPECT_EQ(std::get<KafkaSpec>(config.source.connector).options.at("sasl.password"), "hunter2");
  const std::string printed = PrintConfig(config);
  EXPECT_THAT(printed, Not(HasSubstr("hunter2")));
  EXPECT_TRUE(Same(ParseGood(printed), config)) << printed;
}

TEST_F(SecretReferenceTest, SecretsThatStandInTheFileAreRedacted) {
  for (const char* option :
       {"sasl.password", "ssl.key.password", "ssl.key.pem", "ssl.certificate.pem",
        "sasl.oauthbearer.client.secret", "sasl.oauthbearer.config", "ssl.keystore.password",
        "sasl.jaas.config"}) {
    const std::string printed = PrintConfig(ParseGood(
        Replaced(kGood, "start: committed", "options: {" + std::string(option) + ": hunter2}")));
    EXPECT_THAT(printed, Not(HasSubstr("hunter2"))) << option;
    EXPECT_THAT(printed, HasSubstr("\"<redacted>\"")) << option;
  }
  EXPECT_FALSE(IsSecretOption("sasl.username"));
  EXPECT_FALSE(IsSecretOption("sasl.oauthbearer.token.endpoint.url"));
  EXPECT_FALSE(IsSecretOption("ssl.ca.location"));
}

}  // namespace
}  // namespace sash
