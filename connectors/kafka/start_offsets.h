// Start offsets: where in a partition's log reading begins, and which records that leaves unread.
//
// Pure functions: they take the log's bounds and the wanted offset, and return a decision.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "connectors/kafka/kafka_spec.h"

namespace sash {

// The first retained offset and the one after the last.
struct LogBounds {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

struct StartDecision {
  std::int64_t offset = 0;
  bool gap = false;       // records before `offset` were never read
  std::int64_t lost = 0;  // the number of them that were wanted and that retention has removed
  bool resumed = false;   // the stream continues from a commit
  std::string remark;     // for the log; empty in the normal case
};

// `wanted` is the committed offset (StartCommitted), the offset at that time (StartTimestamp;
// absent: no such record yet) or the explicit one; unused by the others.
//  - committed: within the bounds, continue without a gap. Below: start at low, the range is lost.
//    Above: the topic was recreated or truncated; start at low, so that no existing record is
//    skipped.
//  - explicit: below, start at low; above, start at the end.
// Without a wanted offset, committed and explicit start at low, timestamp at the end.
StartDecision DecideStart(const StartPolicy& policy, std::optional<std::int64_t> wanted,
                          LogBounds bounds);

// For a partition of a topic that was created again (`found` is the evidence): it is read from its
// beginning, with a gap.
StartDecision DecideRenewal(std::string_view found, LogBounds bounds);

// For a partition that is being read and whose `position` the broker no longer accepts. Above the
// end, it continues at the end, with a gap: either the newest record is known to be the one that
// was read last, so no record followed it, or there is no record by which to recognise the
// partition. Below the first retained offset, it continues `headroom` records after that offset
// (NextHeadroom()), and the range up to there is lost.
StartDecision DecideContinuation(std::int64_t position, LogBounds bounds,
                                 std::int64_t headroom = 0);

// Retention may remove records faster than we can ask for them. A reader that always continues at
// the first retained record would then never read any. So a reader that retention passes again
// before a record came skips some records: twice the last headroom, but at least the number that
// was `lost` since.
std::int64_t NextHeadroom(std::int64_t headroom, std::int64_t lost);

}  // namespace sash
