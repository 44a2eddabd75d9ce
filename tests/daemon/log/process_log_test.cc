#include "daemon/log/process_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/manual_clock.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

constexpr LogEvent kInfo{"test.info", LogSeverity::kInfo};
constexpr LogEvent kWarning{"test.warning", LogSeverity::kWarning};
constexpr LogEvent kError{"test.error", LogSeverity::kError};

// Messages for an operator, some of them with misleading characters.
const std::vector<std::string> kMessages = {"plain",
                                            "\"quoted\" and \\",
                                            "two\nlines\r\n",
                                            "tab\t, bell\a, zero" + std::string(1, '\0'),
                                            "caf\u00e9 \u20ac \U0001f600",
                                            "broken \xff\xc3 UTF-8",
                                            "{} %v %n",
                                            ""};

std::vector<std::string> Split(const std::string& text) {
  std::istringstream written(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(written, line);) lines.push_back(line);
  return lines;
}

// The lines that the log writes to standard error.
std::vector<std::string> Lines(const LogConfig& config, const LogEvent& event,
                               const std::vector<std::string>& messages) {
  ::testing::internal::CaptureStderr();
  {
    const ManualClock clock;
    ProcessLog log(config, clock);
    for (const std::string& message : messages) log.Log(event, message);
  }
  return Split(::testing::internal::GetCapturedStderr());
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
  const ManualClock clock;
  ProcessLog({.format = LogFormat::kJson}, clock)
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

// The lines of the log for an event that comes five times at once, and again after ten seconds.
std::vector<std::string> RepeatedLines(LogFormat format) {
  ::testing::internal::CaptureStderr();
  {
    ManualClock clock;
    ProcessLog log({.format = format, .rate_limit = {.burst = 2, .every = std::chrono::seconds(9)}},
                   clock);
    for (int i = 1; i <= 5; ++i) log.Log(kWarning, "lost " + std::to_string(i));
    log.ReportHeld();
    clock.Advance(std::chrono::seconds(10));
    log.Log(kWarning, "lost 6");
    for (int i = 7; i <= 9; ++i) log.Log(kWarning, "lost " + std::to_string(i));
    clock.Advance(std::chrono::seconds(10));
    log.ReportHeld();
    log.Log(kWarning, "lost 10");
    clock.Advance(std::chrono::seconds(1));
  }
  return Split(::testing::internal::GetCapturedStderr());
}

TEST(ProcessLogTest, WhatRepeatsIsToldAsANumber) {
  const auto lines = RepeatedLines(LogFormat::kText);
  std::vector<std::string> told;
  for (const std::string& line : lines) told.push_back(line.substr(25));
  EXPECT_THAT(told,
              ElementsAre("warning test.warning  lost 1", "warning test.warning  lost 2",
                          "warning test.warning  lost 6 (and 3 like it in 10 s)",
                          "warning test.warning  3 more lines of this event in 10 s were held "
                          "back, the last of them 10 s ago: lost 9",
                          "warning test.warning  1 more line of this event in 1 s was held back, "
                          "1 s ago: lost 10"));
}

TEST(ProcessLogTest, AJsonLineHasTheNumberAsAMember) {
  const auto lines = RepeatedLines(LogFormat::kJson);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_FALSE(nlohmann::json::parse(lines[1]).contains("held_back"));
  const nlohmann::json passed = nlohmann::json::parse(lines[2]);
  EXPECT_EQ(passed.at("message"), "lost 6");
  EXPECT_EQ(passed.at("held_back"), 3);
  EXPECT_EQ(passed.at("held_back_seconds"), 10.0);
  const nlohmann::json told = nlohmann::json::parse(lines[3]);
  EXPECT_EQ(told.at("event"), "test.warning");
  EXPECT_EQ(told.at("held_back"), 3);
  EXPECT_EQ(nlohmann::json::parse(lines[4]).at("held_back"), 1);
}

TEST(ProcessLogTest, WhatIsBelowTheLevelIsNoLine) {
  const ManualClock clock;
  ProcessLog log({.level = LogLevel::kWarn}, clock);
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 100; ++i) log.Log(kInfo, "heard by nobody");
  EXPECT_TRUE(log.counts().empty());
  log.Follow({.level = LogLevel::kInfo, .rate_limit = {.burst = 50}});
  for (int i = 0; i < 100; ++i) log.Log(kInfo, "heard");
  EXPECT_EQ(Split(::testing::internal::GetCapturedStderr()).size(), 50u);
  ASSERT_EQ(log.counts().size(), 1u);
  EXPECT_EQ(log.counts()[0].event, "test.info");
  EXPECT_EQ(log.counts()[0].lines, 100u);
  EXPECT_EQ(log.counts()[0].held_back, 50u);
}

}  // namespace
}  // namespace sash
