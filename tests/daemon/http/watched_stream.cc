#include "tests/daemon/http/watched_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace sash {

WatchedStream::Options WatchedStream::Tumbling(std::uint32_t partitions,
                                               std::vector<JobSpec> jobs) {
  WindowSpec window;
  window.name = "w";
  window.length = 10'000'000'000;
  window.slide = 10'000'000'000;
  TimePolicy policy;
  policy.check_ahead = false;
  return {.windows = {std::move(window)},
          .policy = policy,
          .partitions = partitions,
          .jobs = std::move(jobs)};
}

WatchedStream::WatchedStream(Options options)
    : engine(std::move(options.windows), options.policy, options.partitions),
      history_(options.jobs),
      events_("e", [](const EventFeed::ResultPtr&, std::size_t) { return std::string("{}"); }),
      tap_(engine.keys.kind(), engine.clock),
      scheduler(std::move(options.jobs), engine.keys, engine.clock, history_, *this, false),
      routes_(Surroundings()) {
  engine.clock.SetNow(kStart);
  engine.on_advance = [this](AdvancePtr advance) { scheduler.Submit(std::move(advance)); };
  scheduler.Start();
}

WatchedStream::~WatchedStream() {
  HoldRuns(false);
  scheduler.Stop();
}

ApiSurroundings WatchedStream::Surroundings() {
  return {.engine = engine.engine(),
          .jobs = scheduler,
          .history = history_,
          .keys = engine.keys,
          .events = events_,
          .tap = tap_,
          .version = "1.2.3",
          .source = [this] { return source; },
          .not_ready = [this] { return not_ready; },
          .metrics = [] { return std::string(); },
          .result = [](const CompletedRun&, const Listing&) { return JsonPieces(); }};
}

void WatchedStream::Add(std::uint32_t partition, double seconds) {
  const EventTime time =
      kStart + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  engine.Append({.partition = partition,
                 .offset = offset_++,
                 .time = time.time_since_epoch().count(),
                 .source = 1,
                 .target = 2},
                batch_);
}

void WatchedStream::Refuse(std::uint32_t partition) {
  batch_.AddMark(Mark::Kind::kRefused, partition, offset_++);
}

void WatchedStream::CaughtUp(std::uint32_t partition) {
  batch_.AddMark(Mark::Kind::kCaughtUp, partition);
}

void WatchedStream::Process() {
  if (batch_.empty()) return engine.engine().Tick();
  engine.engine().Process(std::exchange(batch_, {}));
}

void WatchedStream::Pass(Duration time) {
  engine.clock.Advance(time);
  Process();
}

void WatchedStream::HoldRuns(bool held) {
  const MutexLock lock(mutex_);
  held_ = held;
  changed_.NotifyAll();
}

void WatchedStream::Deliver(const CompletedRun&) {
  const MutexLock lock(mutex_);
  while (held_) changed_.Wait(mutex_);
}

void ExpectReason(const nlohmann::ordered_json& why, const char* reason, const std::string& said) {
  EXPECT_EQ(why.at("reason"), reason) << why.dump(1);
  EXPECT_THAT(why.at("summary").get<std::string>(), ::testing::HasSubstr(said));
}

}  // namespace sash
