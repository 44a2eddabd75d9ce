#include "tests/daemon/config/random_config.h"

#include <chrono>
#include <cstdlib>
#include <string>

namespace sash {

Config RandomConfig::Make() {
  Config config;
  const bool replay = random_.Coin();
  if (replay) {
    config.source.connector = ReplaySpec{{"in/" + random_.Text()},
                                         random_.Pick(ReplayPace::kFull, ReplayPace::kEventTime),
                                         random_.Pick(SourceEnd::kExit, SourceEnd::kStay)};
    if (random_.Coin()) {
      std::get<ReplaySpec>(config.source.connector).paths.push_back("in/*" + random_.Text());
    }
  } else {
    config.source.connector = source_.Kafka();
  }
  source_.MakeFormat(config.source.format, replay);
  source_.MakeTime(config.source.time);
  config.source.time.check_ahead = !replay;
  config.source.dead_letters = {"dead/" + random_.Text() + "x", 4096 + random_.Number(1 << 30)};
  for (std::uint64_t i = 0; i < 1 + random_.Number(3); ++i) {
    config.windows.push_back(Window(config, i));
  }
  if (replay && random_.Number(3) == 0) source_.ReadSlicesInstead(config);
  for (std::uint64_t i = 0; i < random_.Number(3); ++i) {
    config.exports.push_back(sinks_.Export(config, i));
  }
  for (std::uint64_t i = 0; i < random_.Number(4); ++i) config.jobs.push_back(jobs_.Job(config, i));
  for (std::uint64_t i = 0; i < random_.Number(3); ++i) {
    config.sinks.push_back(sinks_.Sink(config, i));
  }
  config.http.enabled = random_.Coin();
  if (config.http.enabled) {
    config.http.host = random_.Coin() ? "::1" : "127.1.2.3";
    config.http.port = static_cast<std::uint16_t>(random_.Number(65536));
  }
  if (random_.Coin()) config.http.tls = TlsConfig{random_.Text() + "x", random_.Text() + "x"};
  if (random_.Coin()) {
    setenv("SASH_TEST_READ", "0123456789abcdef", 1);
    setenv("SASH_TEST_ADMIN", "fedcba9876543210", 1);
    // A token without a reference would be redacted.
    config.http.tokens = TokensConfig{{"0123456789abcdef", "${env:SASH_TEST_READ}"},
                                      {"fedcba9876543210", "${env:SASH_TEST_ADMIN}"}};
  }
  if (random_.Coin()) config.http.metrics_listen = ListenAddress{"0.0.0.0", 9641};
  config.http.connections_per_address = 1 + static_cast<std::uint32_t>(random_.Number(1000));
  config.log = {random_.Pick(LogFormat::kText, LogFormat::kJson),
                random_.Pick(LogLevel::kTrace, LogLevel::kInfo, LogLevel::kError),
                {.burst = 1 + static_cast<std::uint32_t>(random_.Number(1000)),
                 .every = std::chrono::milliseconds(1 + random_.Number(10000))}};
  config.memory.kind = random_.Pick(MemoryConfig::Kind::kAutomatic, MemoryConfig::Kind::kNone,
                                    MemoryConfig::Kind::kBytes);
  if (config.memory.kind == MemoryConfig::Kind::kBytes) {
    config.memory.limit_bytes = MemoryConfig::kLeastLimit + random_.Number(1 << 30);
  }
  config.recovery.kind =
      replay || random_.Coin() ? RecoveryConfig::Kind::kReplay : RecoveryConfig::Kind::kCheckpoint;
  if (random_.Coin()) config.memory.spill = "spill/" + random_.Text() + "x";
  config.recovery.path = "state/" + random_.Text() + "x";
  config.recovery.interval = random_.Time();
  config.recovery.rebuilds = random_.Coin();
  if (random_.Coin()) {
    config.source.dead_letters.kafka.emplace();
    sinks_.Destination(config, "letters", *config.source.dead_letters.kafka);
  }
  config.shutdown_deadline = random_.Time();
  config.runners = 1 + random_.Number(64);
  return config;
}

WindowSpec RandomConfig::Window(const Config& config, std::uint64_t index) {
  WindowSpec window;
  window.name = "w." + std::to_string(index);
  window.by =
      random_.Pick(WindowAxis::kEventTime, WindowAxis::kProcessingTime, WindowAxis::kEvents);
  window.slide = static_cast<std::int64_t>(kShortestSlide + random_.Number(1'000'000'000));
  if (random_.Coin()) {
    window.length = window.slide * static_cast<std::int64_t>(1 + random_.Number(1000));
  }
  // Half a slide: other offsets could cut the window into more slices than allowed.
  if (window.by != WindowAxis::kEvents && window.slide % 2 == 0 && random_.Coin()) {
    window.offset = window.slide / 2;
  }
  if (window.by != WindowAxis::kEvents && random_.Coin()) {
    window.where = random_.Coin() ? "$topic != \"a: b\"" : "$partition > 5 && true";
  }
  window.removals = config.source.format.tombstone == TombstonePolicy::kRemove ||
                    std::visit([](const auto& m) { return m.operation.has_value(); },
                               config.source.format.mapping);
  window.identity = random_.Pick(EdgeIdentity::kPair, EdgeIdentity::kPairAndType);
  window.implementation = random_.Pick(StoreKind::kMultiversioned, StoreKind::kRebuild);
  window.duplicates =
      random_.Pick(DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop, DuplicatesPolicy::kWeigh);
  window.empty_windows = random_.Pick(EmptyWindows::kOnce, EmptyWindows::kSkip);
  return window;
}

}  // namespace sash
