// Phrases about a partition, for the sentence that says why a window waits (window_wait.h).
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "daemon/http/partition_wait.h"
#include "windows/base/clock.h"
#include "windows/ingest/time_policy.h"

namespace sash {

// "1 event", "2 events".
std::string Counted(std::uint64_t count, std::string_view what);

// Clamped to the range from 0 to the greatest Duration.
Duration TimeUntil(EventTime from, EventTime to);

// ", its newest event is of ..."; empty if it had none.
std::string NewestPhrase(const PartitionWait& partition);

// Its newest events were late, or its newest records were refused.
std::string LatePhrase(const PartitionWait& partition);
std::string RefusedPhrase(const PartitionWait& partition);

// It is silent, and becomes idle after `idle_after`.
std::string SilentPhrase(const PartitionWait& partition, Duration idle_after);

// Some of its events wait, because the first one is too far ahead. `now`: of the wall clock.
std::string AheadPhrase(const PartitionWait& partition, const TimePolicy& policy, EventTime now);

}  // namespace sash
