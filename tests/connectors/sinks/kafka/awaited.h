// Functions that wait, at most a minute, for work of brokers and of a sink's thread.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>

#include "tests/connectors/kafka/topic_contents.h"
#include "windows/base/result.h"

namespace sash::testing {

inline constexpr std::chrono::seconds kPatience{60};

inline bool Await(const std::function<bool()>& what) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!what()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

// For a KafkaSink or an OutboxTopic.
template <typename Outgoing>
void Drain(Outgoing& outgoing) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  const Status drained =
      outgoing.Drain([&] { return std::chrono::steady_clock::now() < deadline; }, false);
  EXPECT_TRUE(drained.ok()) << drained.error().message;
}

// The results in the topic "results": "job end", with the end in seconds.
inline std::multiset<std::string> ResultsHeld(const std::string& brokers) {
  std::multiset<std::string> held;
  for (const ReadMessage& message : TopicContents(brokers, "results")) {
    const auto key = nlohmann::json::parse(message.key);
    held.insert(key.at("job").get<std::string>() + " " +
                key.at("window_end").get<std::string>().substr(14, 5));
  }
  return held;
}

}  // namespace sash::testing
