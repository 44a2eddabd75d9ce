// Source: an outside world that fills the BatchQueue with edge events.
//
// Thread safety: Start(), Stop() belong to the thread that owns the source; Commit() is called by
// one thread at a time, status() by any.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/read_horizon.h"
#include "windows/ingest/rewind_point.h"

namespace sash {

// What sources are told while they read: by the engine, so that they can hold back partitions that
// run ahead, and by whoever watches over memory, so that they do not fill it.
struct StreamProgress {
  static constexpr std::int64_t kNoWatermark = INT64_MIN;
  std::atomic<std::int64_t> watermark = kNoWatermark;  // nanoseconds of event time
  std::atomic<std::uint64_t> open_events = 0;          // events in slices that have not closed
  std::atomic<bool> intake_held = false;               // memory is full: nothing more may be read
  std::atomic<std::int64_t> intake_pause = 0;          // milliseconds to wait after each batch
  ReadHorizon horizon{};                               // of rounds that are done again
};

struct PartitionStatus {
  std::string topic;
  std::int32_t partition = 0;
  std::int64_t position = 0;        // the next offset to be read
  std::optional<std::int64_t> end;  // the partition's end, if known; lag = end - position
  bool paused = false;
  bool readable = true;  // else SourceStatus::not_ready says why not
  // Events that wait to be decided on, since the first of them is ahead of the clock, or of what
  // comes after it in a replay; and the time of the first.
  std::uint64_t held_ahead = 0;
  std::optional<EventTime> ahead_time{};
};

struct SourceStatus {
  std::string kind;           // "kafka" or "replay"
  std::string address;        // brokers or path
  std::uint64_t records = 0;  // read, refused ones included
  std::uint64_t bytes = 0;
  std::vector<PartitionStatus> partitions{};
  std::vector<std::string> not_ready{};  // why nothing can be read now; empty when all is well
  std::optional<std::string> failure{};  // it has stopped for good before its end, and why
  bool standing_by = false;  // another instance reads instead of this one; not_ready says which
  bool held = false;         // it has more, and waits since memory is full (intake_held)
  // What happened to the connector, by a name of its own (a metric label, so few and fixed), since
  // its start: "lost_records", "commit_failures", ...
  std::vector<std::pair<std::string_view, std::uint64_t>> incidents{};
};

class Source {
 public:
  virtual ~Source() = default;

  // Begins to fill the queue from a thread of its own. An error here is one of configuration: the
  // absence of a broker or topic is a state (status().not_ready), not an error.
  virtual Status Start() = 0;

  // Returns when the source's thread has ended; nothing is pushed afterwards. Idempotent.
  virtual void Stop() = 0;

  // Everything before `point` has left the windows and reached the sinks. Does not wait.
  virtual void Commit(const RewindPoint& point) = 0;

  // Of the newest point that is known to have been committed; empty without one. Any thread may
  // ask.
  virtual std::vector<RewindPosition> committed() const { return {}; }

  // That point.
  virtual std::optional<RewindPoint> acknowledged() const { return std::nullopt; }

  virtual SourceStatus status() const = 0;
};

}  // namespace sash
