// RoundReplay: rounds of an engine, done again as they were: it holds what a source reads again
// until everything is there that a round began with.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) A round is handed out whole, with the records that it had, in their order, at its moment;
//       the rounds in their order.
//   (2) What is read again is handed out once: by Next(), or in the end by TakeRest(), where each
//       partition keeps its order.
//   (3) When the records are not those of then (some are gone, or others are refused) no further
//       round is handed out, and nobody waits for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "windows/ingest/event_batch.h"
#include "windows/slide/round_outline.h"

namespace sash {

class RoundReplay {
 public:
  // So many records ahead of the rounds are wanted, and those of one round at least.
  static constexpr std::uint64_t kRecordsAhead = 1 << 18;

  // `read`: the partitions that are read now. No other will say anything.
  RoundReplay(std::deque<RoundOutline> rounds, KeyKind keys, std::vector<PartitionIndex> read,
              std::uint64_t records_ahead = kRecordsAhead)
      : rounds_(std::move(rounds)),
        keys_(keys),
        read_(std::move(read)),
        records_ahead_(records_ahead) {
    LookAhead();
  }

  // What the source read next; without its StreamStart. Whether partitions are caught up the rounds
  // tell, not this one, until they are over.
  void Hold(EventBatch batch);

  struct Round {
    Moment at;
    std::optional<EventBatch> batch;
  };
  // Nothing while more has to be read for it, or when done().
  std::optional<Round> Next();

  bool done() const { return rounds_.empty() || difference_; }
  std::uint64_t handed_out() const { return handed_out_; }
  // Why the rounds that are left cannot be done again.
  const std::optional<std::string>& difference() const { return difference_; }

  // By partition, the offset up to which the next rounds need it (ReadHorizon): of the records that
  // wait for others there are then no more than about kRecordsAhead. Grows with Next().
  const std::vector<std::int64_t>& wanted() const { return wanted_; }
  // Whether it has grown since this was asked.
  bool TakeGrowth() { return std::exchange(has_grown_, false); }

  // When done(): what no round had, as it was read.
  std::vector<EventBatch> TakeRest();

 private:
  // A record of a partition that no round has had yet.
  struct Record {
    std::int64_t offset = 0;
    std::uint64_t batch = 0;  // counted from the first that was held
    std::size_t event = 0;
    bool is_refused = false;
  };
  struct Partition {
    std::deque<Record> records;
    bool at_end = false;               // nothing more is to be had of it now
    std::optional<std::int64_t> had;   // the newest offset that a round had
    std::optional<Mark::Kind> stands;  // kCaughtUp or kBehind, as the batches that are gone told
  };

  void LookAhead();
  Partition& At(PartitionIndex partition);
  bool IsThere(const RoundOutline& round);
  bool Fits(const RoundOutline& round);
  bool FitsItem(const RoundOutline::Item& item, std::size_t begin);
  void Append(const RoundOutline::Item& item, const EventTime* times, EventBatch& batch);
  void LetGo();
  void KeepChanges(const EventBatch& gone);
  bool WasHad(PartitionIndex partition, std::int64_t offset) const;

  std::deque<RoundOutline> rounds_;
  const KeyKind keys_;
  const std::vector<PartitionIndex> read_;
  const std::uint64_t records_ahead_;
  std::size_t seen_ = 0;            // rounds, of rounds_, that wanted_ is of
  std::uint64_t seen_records_ = 0;  // that these have
  std::vector<std::int64_t> wanted_;
  bool has_grown_ = true;
  std::deque<EventBatch> held_;
  std::uint64_t first_held_ = 0;  // its number
  std::vector<Partition> partitions_;
  bool caught_up_ = false;  // as the newest batch told that is gone
  // Who joined and left, and gaps before records that are still to come, as batches told that are
  // gone.
  std::vector<Mark> changes_;
  EventBatch known_;  // nothing but the newest anchors of what was held
  std::uint64_t handed_out_ = 0;
  std::optional<std::string> difference_;
};

}  // namespace sash
