// WindowWait: why a window has no next result yet: a reason code, a sentence and numbers.
//
// It is computed from the engine's ProgressBoard and the states of the source and the jobs. These
// are not read at the same instant, so they may contradict each other for a moment.
//
// Thread safety: a value; the functions are pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/http/partition_wait.h"
#include "windows/base/clock.h"
#include "windows/ingest/source.h"
#include "windows/ingest/time_policy.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/slide/progress_board.h"
#include "windows/slide/window_spec.h"

namespace sash {

enum class WaitReason : std::uint8_t {
  kEndOfSource,      // a finite source has ended
  kJobQueue,         // the stream waits for a job
  kMemory,           // reading has stopped because memory is full
  kSource,           // the source, or the partition, cannot be read
  kNoPartition,      // the source has not assigned a partition yet
  kNoEvent,          // no event has come yet
  kRefused,          // incoming records are refused
  kLate,             // incoming events are late
  kAhead,            // waiting events are ahead of the clock
  kPaused,           // the partition is held back
  kUnread,           // records wait to be read
  kSilentPartition,  // one partition is silent, but not idle yet
  kDisorder,         // events out of order are waited for
  kEvents,           // newer events, or more events, are needed
  kAllIdle,          // all partitions are silent; the watermark does not move
  kClock,            // the window waits for the clock
  kSilence,          // the window is empty, and there is nothing to read
  kAdvancing,        // waits for nothing: the result is being made
};
std::string_view Name(WaitReason reason);  // "end_of_source"

struct WaitSurroundings {
  const WindowSpec& window;
  const StreamStanding& stream;
  const TimePolicy& policy;
  const std::vector<TopicPartition>& pairs;  // by index
  const SourceStatus& source;
  bool intake_held = false;  // StreamProgress
  const std::vector<JobStatus>& jobs;
};

struct WindowWait {
  WaitReason reason = WaitReason::kAdvancing;
  std::string summary;
  WindowStanding window;
  std::optional<EventTime> needed;  // time of the event that each partition needs
  std::optional<Duration> missing;  // of event or processing time
  std::optional<std::uint64_t> missing_events;
  std::vector<PartitionWait> partitions;  // GatherPartitions()
};

WindowWait ExplainWait(const WaitSurroundings& around);

}  // namespace sash
