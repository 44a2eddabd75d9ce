// A configuration for forecasts that needs no file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "daemon/config/config.h"

namespace sash::testing {

inline constexpr std::int64_t kSecond = 1'000'000'000;  // of a window's length, on the axis of time

inline WindowSpec ForecastWindowSpec(const std::string& name, std::optional<std::int64_t> length,
                                     std::int64_t slide) {
  WindowSpec window;
  window.name = name;
  window.length = length;
  window.slide = slide;
  window.removals = false;
  return window;
}

inline JobSpec ShapeOf(const std::string& window, std::uint32_t every = 1) {
  JobSpec job;
  job.name = "shape-" + window;
  job.window = window;
  job.parameters = ShapeParameters{};
  job.every = every;
  return job;
}

inline Config LiveConfig() {
  Config config;
  KafkaSpec kafka;
  kafka.brokers = "k:1";
  kafka.topics = {"t"};
  config.source.connector = kafka;
  config.source.format.mapping =
      JsonMapping{.source = "/a", .target = "/b", .weight = {}, .time = "/t", .operation = {}};
  config.source.time.disorder = std::chrono::seconds(2);
  return config;
}

}  // namespace sash::testing
