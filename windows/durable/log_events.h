// The log events of windows/durable.
#pragma once

#include "windows/base/event_log.h"

namespace sash::durable_events {

inline constexpr LogEvent kCheckpointFailed{"checkpoint.failed", LogSeverity::kError};
inline constexpr LogEvent kCheckpointResumed{"checkpoint.resumed", LogSeverity::kInfo};
inline constexpr LogEvent kRoundsAgain{"recovery.rounds_again", LogSeverity::kInfo,
                                       LogPace::kAlways};
inline constexpr LogEvent kRecordsDiffer{"recovery.records_differ", LogSeverity::kWarning,
                                         LogPace::kAlways};

}  // namespace sash::durable_events
