// Small configurations and helpers for the tests of daemon/config.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "daemon/config/parse_config.h"

namespace sash {

// A valid configuration. Tests break one place of it at a time and rely on its line numbers.
inline constexpr std::string_view kGood = R"(source:
  kafka:
    topics: [a, b]
    start: committed
  format:
    json: {source: /s, target: /t, time: /ts}
    keys: string
  time: {from: field}
  dead_letters: {limit: 1MiB}
windows:
  - name: w
    length: 5m
    slide: 10s
jobs:
  - name: j
    kernel: bfs
    window: w
    parameters: {roots: [x]}
sinks:
  - file: {path: out.jsonl, jobs: [j]}
http: {listen: "127.0.0.1:9640"}
)";

inline std::string Replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string changed(text);
  const std::size_t at = changed.find(from);
  EXPECT_NE(at, std::string::npos) << "no `" << from << "` in:\n" << text;
  if (at != std::string::npos) changed.replace(at, from.size(), to);
  return changed;
}

inline std::string AllErrors(const ParsedConfig& parsed) {
  std::string text;
  for (const ConfigError& error : parsed.errors) text += error.ToString() + "\n";
  return text;
}

// Calls ParseConfig() and appends its input and errors to the file $SASH_VERDICTS, one JSON object
// per line: schema_test.py validates the same texts with the JSON Schema.
inline ParsedConfig Parsed(std::string_view yaml, const std::string& file) {
  ParsedConfig parsed = ParseConfig(yaml, file);
  if (const char* verdicts = std::getenv("SASH_VERDICTS")) {
    nlohmann::json verdict = {{"yaml", yaml}, {"errors", nlohmann::json::array()}};
    for (const ConfigError& error : parsed.errors) {
      verdict["errors"].push_back(error.key + ": " + error.message);
    }
    std::ofstream(verdicts, std::ios::app) << verdict << "\n";
  }
  return parsed;
}

inline Config ParseGood(std::string_view yaml) {
  ParsedConfig parsed = Parsed(yaml, "test.yaml");
  EXPECT_TRUE(parsed.errors.empty()) << AllErrors(parsed) << yaml;
  return std::move(parsed.config);
}

inline std::string ReadText(const std::string& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace sash
