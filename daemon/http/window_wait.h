// WindowWait: why a window has no next result yet, in a word, in a sentence, and in figures.
//
// It is worked out of what the engine has put on its ProgressBoard and of what the source and the
// jobs say of themselves. These are not of one instant, so for a moment they may contradict each
// other.
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
  kEndOfSource,      // a finite source has said everything
  kJobQueue,         // the stream waits for a job
  kMemory,           // nothing is read since memory is full
  kSource,           // the source, or the partition, cannot be read
  kNoPartition,      // the source has assigned none yet
  kNoEvent,          // none has come
  kRefused,          // what comes is refused
  kLate,             // what comes is late
  kAhead,            // events wait that are ahead of the clock
  kPaused,           // the partition is held back
  kUnread,           // records wait to be read
  kSilentPartition,  // one partition is silent, and not idle yet
  kDisorder,         // events out of order are waited for
  kEvents,           // newer, or more, events are needed
  kAllIdle,          // all partitions are silent, and the watermark holds
  kClock,            // the clock decides when
  kSilence,          // the window is empty, and nothing is on its way
  kAdvancing,        // nothing: it is being made
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
  std::optional<EventTime> needed;  // the event that each partition needs
  std::optional<Duration> missing;  // of event or processing time
  std::optional<std::uint64_t> missing_events;
  std::vector<PartitionWait> partitions;  // GatherPartitions()
};

WindowWait ExplainWait(const WaitSurroundings& around);

}  // namespace sash
