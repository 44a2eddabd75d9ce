// Replaying: a ReplaySource with everything it needs, and the outputs that its tests check.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/replay/replay_source.h"
#include "tests/support/scratch_folder.h"
#include "windows/base/mutex.h"

namespace sash {

class SteppedClock final : public Clock {
 public:
  EventTime Now() const override { return EventTime(std::chrono::hours(1)); }
  SteadyTime Steady() const override { return SteadyTime(Duration(steady_.load())); }
  void Advance(Duration by) { steady_ += by.count(); }

 private:
  std::atomic<Duration::rep> steady_ = 0;
};

struct KeptRefusal {
  std::int64_t offset = 0;
  RefusalReason reason = RefusalReason::kInvalidSyntax;
  std::string detail;
  std::string payload;
};

class KeepingSink final : public RefusalSink {
 public:
  void Refuse(const RefusedRecord& record) override {
    EXPECT_EQ(record.topic, "replay");
    EXPECT_EQ(record.partition, 0);
    EXPECT_EQ(record.stage, "decode");
    EXPECT_EQ(record.timestamp, EventTime(std::chrono::hours(1)));
    const MutexLock lock(mutex_);
    kept_.push_back({record.offset, record.reason, std::string(record.detail),
                     std::string(record.payload.value())});
  }
  std::vector<KeptRefusal> kept() const {
    const MutexLock lock(mutex_);
    return kept_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<KeptRefusal> kept_ SASH_GUARDED_BY(mutex_);
};

// The content of the batches from the queue, in order.
struct Arrived {
  std::vector<std::string> edges;  // "offset:source>target"
  std::vector<std::int64_t> refused_offsets;
  std::vector<std::int64_t> ahead;  // offsets of events marked as too far ahead
  std::vector<EventTime> times;
  std::size_t batches = 0;
  std::size_t starts = 0;
  bool ended = false;
};

inline FormatSpec NamedCsv() {
  FormatSpec format;
  format.mapping =
      CsvMapping{.source = "from", .target = "to", .weight = {}, .time = "ts", .operation = {}};
  return format;
}

inline FormatSpec JsonLines() {
  FormatSpec format;
  format.mapping =
      JsonMapping{.source = "/from", .target = "/to", .weight = {}, .time = "/ts", .operation = {}};
  return format;
}

class Replaying : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string File(const std::string& name, std::string_view bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }
  std::string Pipe(const std::string& name) const {
    EXPECT_EQ(mkfifo(Path(name).c_str(), 0600), 0);
    return Path(name);
  }

  ReplaySource& Make(const std::string& path, FormatSpec format,
                     ReplayPace pace = ReplayPace::kFull,
                     std::chrono::milliseconds header_patience = std::chrono::seconds(5)) {
    return Make(ReplaySpec{.paths = {path}, .pace = pace}, std::move(format), header_patience);
  }
  ReplaySource& Make(ReplaySpec spec, FormatSpec format,
                     std::chrono::milliseconds header_patience = std::chrono::seconds(5)) {
    source_ = std::make_unique<ReplaySource>(std::move(spec), std::move(format), partitions_,
                                             queue_, refusals_, clock_, progress_, header_patience);
    return *source_;
  }
  // The error of Start(), or nothing.
  std::string ErrorOf(const std::string& path, FormatSpec format) {
    const Status started = Make(path, std::move(format)).Start();
    if (started.ok()) return "";
    EXPECT_EQ(started.error().code, ErrorCode::kInvalidArgument);
    return started.error().message;
  }
  void Start(const std::string& path, FormatSpec format, ReplayPace pace = ReplayPace::kFull) {
    const Status started = Make(path, std::move(format), pace).Start();
    ASSERT_TRUE(started.ok()) << started.error().message;
  }

  void Start(ReplaySpec spec, FormatSpec format) {
    const Status started = Make(std::move(spec), std::move(format)).Start();
    ASSERT_TRUE(started.ok()) << started.error().message;
  }

  // Takes batches until enough() is true; false after a minute.
  template <typename Enough>
  bool PopUntil(const Enough& enough) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!enough()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      if (const auto batch = queue_.Pop(std::chrono::milliseconds(100))) Take(*batch);
    }
    return true;
  }
  bool PopToTheEnd() {
    return PopUntil([&] { return arrived_.ended; });
  }

  void Take(const EventBatch& batch) {
    EXPECT_FALSE(arrived_.ended);
    EXPECT_FALSE(batch.empty());
    if (batch.start) {
      EXPECT_EQ(arrived_.batches, 0u);
      EXPECT_EQ(batch.start->partitions,
                std::vector<PartitionIndex>{partitions_.Index("replay", 0)});
      ++arrived_.starts;
    }
    for (const EdgeEvent& event : batch.events()) {
      arrived_.edges.push_back(std::to_string(event.offset) + ":" +
                               std::string(batch.Text(event.source.text())) + ">" +
                               std::string(batch.Text(event.target.text())));
      arrived_.times.push_back(event.time);
      if (event.ahead) arrived_.ahead.push_back(event.offset);
    }
    for (const Mark& mark : batch.marks()) {
      EXPECT_EQ(mark.kind, Mark::Kind::kRefused);
      arrived_.refused_offsets.push_back(mark.offset);
    }
    ++arrived_.batches;
    arrived_.ended = batch.end_of_source;
  }

  const testing::ScratchFolder own_;
  const std::filesystem::path folder_ = own_.path();
  PartitionTable partitions_;
  BatchQueue queue_{64 << 20};
  KeepingSink refusals_;
  SteppedClock clock_;
  StreamProgress progress_;
  Arrived arrived_;
  std::unique_ptr<ReplaySource> source_;
};

}  // namespace sash
