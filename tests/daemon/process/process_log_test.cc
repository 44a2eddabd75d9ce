#include "daemon/process_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

// What an operator may be told, and what only looks like it.
const std::vector<std::string> kMessages = {"plain",
                                            "\"quoted\" and \\",
                                            "two\nlines\r\n",
                                            "tab\t, bell\a, zero" + std::string(1, '\0'),
                                            "caf\u00e9 \u20ac \U0001f600",
                                            "broken \xff\xc3 UTF-8",
                                            "{} %v %n",
                                            ""};

// What the log writes to standard error.
std::vector<std::string> Lines(const LogConfig& config, LogSeverity severity,
                               const std::vector<std::string>& messages) {
  ::testing::internal::CaptureStderr();
  {
    ProcessLog log(config);
    for (const std::string& message : messages) log.Log(severity, message);
  }
  std::istringstream written(::testing::internal::GetCapturedStderr());
  std::vector<std::string> lines;
  for (std::string line; std::getline(written, line);) lines.push_back(line);
  return lines;
}

TEST(ProcessLogTest, JsonLinesParseWhateverTheMessage) {
  const auto lines = Lines({.format = LogFormat::kJson}, LogSeverity::kWarning, kMessages);
  ASSERT_EQ(lines.size(), kMessages.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const nlohmann::json line = nlohmann::json::parse(lines[i]);
    EXPECT_EQ(line.size(), 3u);
    EXPECT_EQ(line.at("level"), "warning");
    EXPECT_THAT(line.at("time").get<std::string>(), MatchesRegex("....-..-..T..:..:..[.]...Z"));
    const std::string message = line.at("message");
    if (kMessages[i].find("UTF-8") == std::string::npos) {
      EXPECT_EQ(message, kMessages[i]);
    }
  }
}

TEST(ProcessLogTest, AMessageIsOneLineOfTextWhateverItHolds) {
  const auto lines = Lines({.format = LogFormat::kText}, LogSeverity::kError, kMessages);
  ASSERT_EQ(lines.size(), kMessages.size());
  for (const std::string& line : lines) {
    EXPECT_THAT(line.substr(0, 33), MatchesRegex("....-..-..T..:..:..[.]...Z error   "));
    for (const char c : line) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << line;
  }
  EXPECT_EQ(lines[1].substr(33), R"("quoted" and \\)");
  EXPECT_EQ(lines[2].substr(33), R"(two\nlines\x0d\n)");
  EXPECT_EQ(lines[6].substr(33), "{} %v %n");
}

TEST(ProcessLogTest, SaysNothingBelowItsLevel) {
  const LogConfig config{.format = LogFormat::kText, .level = LogLevel::kWarn};
  EXPECT_TRUE(Lines(config, LogSeverity::kInfo, {"heard by nobody"}).empty());
  EXPECT_THAT(Lines(config, LogSeverity::kWarning, {"heard"}),
              ElementsAre(::testing::EndsWith("warning heard")));
}

}  // namespace
}  // namespace sash
