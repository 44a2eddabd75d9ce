// Source: reads records from outside and fills the BatchQueue with edge events.
//
// Thread safety: Start() and Stop() belong to the thread that owns the source; one thread at a time
// calls Commit(), one calls PrepareFilters(); any thread may call status().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/filter_set.h"
#include "windows/ingest/read_horizon.h"
#include "windows/ingest/rewind_point.h"

namespace sash {

// Information for sources while they read: from the engine, so that they pause partitions that are
// ahead of others; and from the memory watch, so that they do not fill the memory.
struct StreamProgress {
  static constexpr std::int64_t kNoWatermark = INT64_MIN;
  std::atomic<std::int64_t> watermark = kNoWatermark;  // nanoseconds of event time
  std::atomic<std::uint64_t> open_events = 0;          // events in slices that have not closed
  std::atomic<bool> intake_held = false;               // memory is full: sources must not read
  std::atomic<std::int64_t> intake_pause = 0;          // milliseconds to wait after each batch
  ReadHorizon horizon{};                               // for rounds that are repeated

  // The watermark; nothing before the first event.
  std::optional<EventTime> Watermark() const {
    const std::int64_t nanoseconds = watermark;
    if (nanoseconds == kNoWatermark) return std::nullopt;
    return EventTime(Duration(nanoseconds));
  }
};

struct PartitionStatus {
  std::string topic;
  std::int32_t partition = 0;
  std::int64_t position = 0;        // the next offset to be read
  std::optional<std::int64_t> end;  // the partition's end, if known
  bool paused = false;
  bool readable = true;  // else SourceStatus::not_ready has the reason
  // Events that are held, because the first of them is ahead of the clock (or, in a replay, of the
  // events after it); and the time of the first.
  std::uint64_t held_ahead = 0;
  std::optional<EventTime> ahead_time{};

  // Records that are not read yet; nothing where the end is unknown.
  std::optional<std::int64_t> Lag() const {
    if (!end) return std::nullopt;
    return *end - position;
  }
};

// What became of the records of one of several mappings, since the connector's start.
struct MappingCount {
  std::string mapping;         // its name
  std::uint64_t accepted = 0;  // edges
  std::uint64_t filtered = 0;  // records that it left out
  std::uint64_t refused = 0;   // edges; 1 for a record of which it refused all
};

// Adds the counts of the same mappings; `sum` may be empty.
inline void AddCounts(const std::vector<MappingCount>& more, std::vector<MappingCount>& sum) {
  if (sum.empty()) {
    sum = more;
    return;
  }
  for (std::size_t i = 0; i < more.size() && i < sum.size(); ++i) {
    sum[i].accepted += more[i].accepted;
    sum[i].filtered += more[i].filtered;
    sum[i].refused += more[i].refused;
  }
}

struct SourceStatus {
  std::string kind;             // "kafka", "replay" or "export"
  std::string address;          // brokers or path
  std::string topic_pattern{};  // of the topics that are read; empty: they are named
  std::uint64_t records = 0;    // read, refused ones included
  std::uint64_t bytes = 0;
  std::uint64_t filtered = 0;            // of the records: those that the format left out
  std::uint64_t unmapped = 0;            // of the records: those of topics that no mapping takes
  std::vector<MappingCount> mappings{};  // empty: there is one mapping, without a name
  std::vector<PartitionStatus> partitions{};
  std::vector<std::string> not_ready{};  // the reasons why nothing can be read now; empty: it reads
  std::optional<std::string> failure{};  // why it has stopped for good before its end
  bool standing_by = false;  // another instance reads instead of this one; not_ready names it
  bool held = false;         // it has more to read, and waits because memory is full (intake_held)
  // Counts of incidents since the connector's start, by name (a metric label, so few and fixed):
  // "lost_records", "commit_failures", ...
  std::vector<std::pair<std::string_view, std::uint64_t>> incidents{};
};

class Source {
 public:
  virtual ~Source() = default;

  // Begins to fill the queue from its own thread. Returns only errors of configuration: the absence
  // of a broker or topic is a state (status().not_ready), not an error.
  virtual Status Start() = 0;

  // Returns after the source's thread has ended; nothing is pushed afterwards. Idempotent.
  virtual void Stop() = 0;

  // Commits `point`: everything before it has left the windows and reached the sinks. Does not
  // wait.
  virtual void Commit(const RewindPoint& point) = 0;

  // The positions of the newest point that is known to be committed; empty if there is none. Any
  // thread may call it.
  virtual std::vector<RewindPosition> committed() const { return {}; }

  // The newest point that is known to be committed. Any thread may call it.
  virtual std::optional<RewindPoint> acknowledged() const { return std::nullopt; }

  virtual SourceStatus status() const = 0;

  // Prepares to judge records by these filters of windows; the error says why it cannot. The
  // returned function is called once: it makes the source switch between two batches, soon. Of
  // several such functions, the newest wins. Batches say by which filters they were judged
  // (EventBatch::filters).
  using Switch = std::function<void()>;
  virtual Result<Switch> PrepareFilters(FilterSetPtr filters) = 0;
};

}  // namespace sash
