#include "daemon/process_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

constexpr LogEvent kInfo{"test.info", LogSeverity::kInfo};
constexpr LogEvent kWarning{"test.warning", LogSeverity::kWarning};
constexpr LogEvent kError{"test.error", LogSeverity::kError};

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
std::vector<std::string> Lines(const LogConfig& config, const LogEvent& event,
                               const std::vector<std::string>& messages) {
  ::testing::internal::CaptureStderr();
  {
    ProcessLog log(config);
    for (const std::string& message : messages) log.Log(event, message);
  }
  std::istringstream written(::testing::internal::GetCapturedStderr());
  std::vector<std::string> lines;
  for (std::string line; std::getline(written, line);) lines.push_back(line);
  return lines;
}

TEST(ProcessLogTest, JsonLinesParseWhateverTheMessage) {
  const auto lines = Lines({.format = LogFormat::kJson}, kWarning, kMessages);
  ASSERT_EQ(lines.size(), kMessages.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const nlohmann::json line = nlohmann::json::parse(lines[i]);
    EXPECT_EQ(line.size(), 4u);
    EXPECT_EQ(line.at("event"), "test.warning");
    EXPECT_EQ(line.at("level"), "warning");
    EXPECT_THAT(line.at("time").get<std::string>(), MatchesRegex("....-..-..T..:..:..[.]...Z"));
    const std::string message = line.at("message");
    if (kMessages[i].find("UTF-8") == std::string::npos) {
      EXPECT_EQ(message, kMessages[i]);
    }
  }
}

TEST(ProcessLogTest, FieldsAreMembersOfAJsonLine) {
  ::testing::internal::CaptureStderr();
  ProcessLog({.format = LogFormat::kJson})
      .Log(kInfo, "m",
           {{"topic", "a \"b\""}, {"partition", std::int32_t{-1}}, {"lost", 7u}, {"share", 0.5}});
  nlohmann::json line = nlohmann::json::parse(::testing::internal::GetCapturedStderr());
  line.erase("time");
  EXPECT_EQ(line, nlohmann::json::parse(R"({"level": "info", "event": "test.info", "message": "m",
      "topic": "a \"b\"", "partition": -1, "lost": 7, "share": 0.5})"));
}

TEST(ProcessLogTest, AMessageIsOneLineOfTextWhateverItHolds) {
  const auto lines = Lines({.format = LogFormat::kText}, kError, kMessages);
  ASSERT_EQ(lines.size(), kMessages.size());
  for (const std::string& line : lines) {
    EXPECT_THAT(line.substr(0, 33), MatchesRegex("....-..-..T..:..:..[.]...Z error   "));
    EXPECT_EQ(line.substr(33, 12), "test.error  ");
    for (const char c : line) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << line;
  }
  EXPECT_EQ(lines[1].substr(45), R"("quoted" and \\)");
  EXPECT_EQ(lines[2].substr(45), R"(two\nlines\x0d\n)");
  EXPECT_EQ(lines[6].substr(45), "{} %v %n");
}

TEST(ProcessLogTest, SaysNothingBelowItsLevel) {
  const LogConfig config{.format = LogFormat::kText, .level = LogLevel::kWarn};
  EXPECT_TRUE(Lines(config, kInfo, {"heard by nobody"}).empty());
  EXPECT_THAT(Lines(config, kWarning, {"heard"}),
              ElementsAre(::testing::EndsWith("warning test.warning  heard")));
}

}  // namespace
}  // namespace sash
