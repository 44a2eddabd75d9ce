// Start offsets: where in a partition's log reading begins, and what that leaves unread.
//
// Pure functions: the log's bounds and the wish go in, a decision comes out.
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
  std::int64_t lost = 0;  // how many of them retention took although somebody wanted them
  bool resumed = false;   // the stream goes on from a commit
  std::string remark;     // for the log; empty when nothing is out of the ordinary
};

// `wanted` is the committed offset (StartCommitted), the offset at that time (StartTimestamp;
// absent: no such record yet) or the explicit one; unused by the others.
//  - committed: within bounds, go on without a gap. Below: start at low, the range is lost. Above:
//  the
//    topic was recreated or truncated; start at low, so that nothing that exists is skipped.
//  - explicit: below, start at low; above, start at the end.
// Where nothing is wanted, committed and explicit start at low, timestamp at the end.
StartDecision DecideStart(const StartPolicy& policy, std::optional<std::int64_t> wanted,
                          LogBounds bounds);

// Of a partition that was made anew, as `found` tells: it is read from its beginning, with a gap.
StartDecision DecideRenewal(std::string_view found, LogBounds bounds);

// The same for a partition that is being read and whose `position` the broker no longer accepts.
// Above the end, where the newest record is the one that was read, it goes on at the end: what
// followed were no records, or there is none to know the partition by. Below the first retained
// offset it goes on `headroom` records after that: see NextHeadroom().
StartDecision DecideContinuation(std::int64_t position, LogBounds bounds,
                                 std::int64_t headroom = 0);

// A log may lose its oldest records faster than we can ask for them: who always goes on at the
// first retained one then never reads any. So whoever is overtaken again before the first record
// came leaves a headroom, of what was `lost` since at first, then twice as much as the last time.
std::int64_t NextHeadroom(std::int64_t headroom, std::int64_t lost);

}  // namespace sash
