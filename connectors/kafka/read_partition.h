// ReadPartition: one partition that is being read, with everything the reader's classes know of it.
//
// It is a plain record. Each of its parts belongs to the classes that decide by it: `identity` to
// IdentityDoubts and IdentityJudge, `reach` to BrokerReach (`absences` to TopicChanges), `repair`
// to PlaceRepair (`unreadable` to UnreadableBatches). Other classes only note what has happened
// there: the last record, something that was skipped, a record that was delivered, an end or a
// place that must be looked at. It has more members than other classes: those that several parts
// use, such as the next offset.
//
// Thread safety: belongs to the consumer thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "connectors/kafka/record_intake.h"
#include "connectors/kafka/span_intake.h"
#include "windows/base/clock.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/record_anchor.h"

namespace sash {

struct ReadPartition {
  // How the partition is recognised, and whether it may be another one now.
  struct Identity {
    std::optional<RecordAnchor> anchor;  // of the newest record that SumUp() has seen
    KafkaRecord last;                    // of this round; becomes the anchor
    bool has_last = false;
    bool doubtful = false;    // no record is applied until the witness has answered
    std::uint64_t doubt = 0;  // the number of the newest doubt
    SteadyTime doubted_at;    // time of the first doubt that is not resolved
    bool skipped = false;     // something came while it was doubtful, and was ignored
  };
  // Whether its broker can be reached, and whether its topic still has it.
  struct Reach {
    bool reachable = true;
    int misses = 0;    // consecutive statistics in which its broker was not connected
    int absences = 0;  // consecutive looks that did not find it, while it delivered nothing
  };
  // Whether it delivers, and what has to be done so that it delivers again.
  struct Repair {
    bool delivers = false;                   // a record has come since it was positioned
    bool check_end = false;                  // its broker is back: is there anything to read?
    bool reposition = false;                 // the broker does not accept its position
    bool overtaken = false;                  // retention passed it, and no record has come since
    std::int64_t headroom = 0;               // NextHeadroom()
    std::optional<std::int64_t> unreadable;  // the first offset of a batch that cannot be read
  };

  TopicPartition pair;
  PartitionIndex index = 0;
  std::int64_t position = 0;  // the next offset to apply
  std::int64_t position_last_round = 0;
  std::optional<std::int64_t> end;
  std::optional<EventTime> newest;  // event time; events too far ahead of the clock do not count
  std::int64_t awaited_until = 0;   // ResumedPartition
  SteadyTime active_at;             // when its position last moved
  SteadyTime live_until;            // records read until then were written a moment ago
  bool caught_up = false;
  bool begins = false;  // it joined and has records to read; `caught_up` is set for the windows
  bool failed = false;  // ReadyState holds a reason of its own
  bool awaits_schema = false;  // nothing of it is taken, until a schema is known (SchemaHold)
  bool paused = false;
  SteadyTime paused_at;
  bool finished = false;              // with a span: it is read to its end, and stays paused
  std::optional<std::int64_t> until;  // with a span: the end that it had at the start
  std::unique_ptr<SpanIntake> span;   // null without a span
  Identity identity;
  Reach reach;
  Repair repair;

  // Everything that there is has been read.
  bool IsAtEnd() const { return caught_up && !begins; }
  bool IsLive(SteadyTime now) const { return IsAtEnd() || now < live_until; }
};

}  // namespace sash
