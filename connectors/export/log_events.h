// Log events of exports.
#pragma once

#include "windows/base/event_log.h"

namespace sash::export_events {

inline constexpr LogEvent kAtLimit{"export.at_limit", LogSeverity::kWarning};
inline constexpr LogEvent kFailed{"export.failed", LogSeverity::kError};
inline constexpr LogEvent kResumed{"export.resumed", LogSeverity::kInfo};
inline constexpr LogEvent kSlicesKnown{"export.slices_known", LogSeverity::kInfo};
inline constexpr LogEvent kSliceBehind{"export.slice_behind", LogSeverity::kWarning};
inline constexpr LogEvent kShardFailed{"export.shard_failed", LogSeverity::kError};
inline constexpr LogEvent kShardResumed{"export.shard_resumed", LogSeverity::kInfo};
inline constexpr LogEvent kShardsUnequal{"export.shards_unequal", LogSeverity::kWarning};
inline constexpr LogEvent kRemovedEarly{"export.removed_early", LogSeverity::kWarning};
inline constexpr LogEvent kNotRemoved{"export.not_removed", LogSeverity::kWarning};

}  // namespace sash::export_events
