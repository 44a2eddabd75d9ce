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
#include <vector>

#include "daemon/http/partition_wait.h"
#include "daemon/http/wait_reason.h"
#include "windows/base/clock.h"
#include "windows/ingest/source.h"
#include "windows/ingest/time_policy.h"
#include "windows/jobs/job_scheduler.h"
#include "windows/slide/progress_board.h"
#include "windows/slide/window_spec.h"

namespace sash {

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
