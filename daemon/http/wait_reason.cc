#include "daemon/http/wait_reason.h"

namespace sash {

std::string_view Name(WaitReason reason) {
  switch (reason) {
    case WaitReason::kEndOfSource:
      return "end_of_source";
    case WaitReason::kJobQueue:
      return "job_queue";
    case WaitReason::kMemory:
      return "memory";
    case WaitReason::kSource:
      return "source";
    case WaitReason::kNoPartition:
      return "no_partition";
    case WaitReason::kNoEvent:
      return "no_event";
    case WaitReason::kRefused:
      return "refused";
    case WaitReason::kLate:
      return "late";
    case WaitReason::kAhead:
      return "ahead";
    case WaitReason::kPaused:
      return "paused";
    case WaitReason::kUnread:
      return "unread";
    case WaitReason::kSilentPartition:
      return "silent_partition";
    case WaitReason::kDisorder:
      return "disorder";
    case WaitReason::kEvents:
      return "events";
    case WaitReason::kAllIdle:
      return "all_idle";
    case WaitReason::kClock:
      return "clock";
    case WaitReason::kSilence:
      return "silence";
    case WaitReason::kAdvancing:
      break;
  }
  return "advancing";
}

}  // namespace sash
