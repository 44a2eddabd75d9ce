// RoundReplay: repeats rounds of an engine exactly. It holds the records that a source reads again
// until it has all records of a round.
//
// Thread safety: belongs to the engine thread.
//
// Invariants
//   (1) A round is handed out whole, with the same records in the same order, and with its moment;
//       rounds are handed out in their order.
//   (2) A record that is read again is handed out once: by Next(), or at the end by TakeRest(),
//       which keeps the order in each partition.
//   (3) If the records are not the same as before (some are gone, other records are refused, or a
//       record gives another number of events), no further round is handed out, and done() is
//       true.
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
  // The number of records wanted ahead of the rounds, each event counted as one; at least those of
  // one round.
  static constexpr std::uint64_t kRecordsAhead = 1 << 18;

  // `read`: the partitions that are read now. No other partition will have records.
  RoundReplay(std::deque<RoundOutline> rounds, KeyKind keys, std::vector<PartitionIndex> read,
              std::uint64_t records_ahead = kRecordsAhead)
      : rounds_(std::move(rounds)),
        keys_(keys),
        read_(std::move(read)),
        records_ahead_(records_ahead) {
    LookAhead();
  }

  // Holds the next batch from the source, without its StreamStart. As long as there are rounds,
  // they decide whether partitions are caught up, not this batch.
  void Hold(EventBatch batch);

  struct Round {
    Moment at;
    std::optional<EventBatch> batch;
  };
  // Empty while more must be read for the next round, and when done().
  std::optional<Round> Next();

  bool done() const { return rounds_.empty() || difference_; }
  std::uint64_t handed_out() const { return handed_out_; }
  // Why the remaining rounds cannot be repeated; empty if there is no difference.
  const std::optional<std::string>& difference() const { return difference_; }

  // By partition, the offset up to which the next rounds need records (ReadHorizon). It limits the
  // records that wait to about kRecordsAhead. Grows with Next().
  const std::vector<std::int64_t>& wanted() const { return wanted_; }
  // Whether wanted() has grown since the last call.
  bool TakeGrowth() { return std::exchange(has_grown_, false); }

  // When done(): the batches that were read, without the records that rounds had.
  std::vector<EventBatch> TakeRest();

 private:
  // An event or a refused record of a partition that no round has had yet. The events of one record
  // have the same offset and come together: a source puts them into one batch.
  struct Record {
    std::int64_t offset = 0;
    std::uint64_t batch = 0;  // its number; the first batch that was held has 0
    std::size_t event = 0;
    bool is_refused = false;
  };
  struct Partition {
    std::deque<Record> records;
    bool at_end = false;               // no more records can be read now
    std::optional<std::int64_t> had;   // the newest offset that a round had
    std::optional<Mark::Kind> stands;  // kCaughtUp or kBehind: the newest mark of released batches
  };

  void LookAhead();
  Partition& At(PartitionIndex partition);
  bool IsThere(const RoundOutline& round);
  bool Fits(const RoundOutline& round);
  bool FitsItem(const RoundOutline::Item& item, std::size_t begin);
  void Append(const RoundOutline::Item& item, const EventTime* times, EventBatch& batch);
  void ReleaseHeld();
  void KeepChanges(const EventBatch& gone);
  bool WasHad(PartitionIndex partition, std::int64_t offset) const;

  std::deque<RoundOutline> rounds_;
  const KeyKind keys_;
  const std::vector<PartitionIndex> read_;
  const std::uint64_t records_ahead_;
  std::size_t seen_ = 0;            // the first rounds of rounds_, which wanted_ includes
  std::uint64_t seen_records_ = 0;  // the records of these rounds
  std::vector<std::int64_t> wanted_;
  bool has_grown_ = true;
  std::deque<EventBatch> held_;
  std::uint64_t first_held_ = 0;  // the number of the batch held_.front()
  std::vector<Partition> partitions_;
  bool caught_up_ = false;  // of the newest released batch
  // Marks of released batches: partitions that joined or left, and gaps before records that no
  // round has had yet.
  std::vector<Mark> changes_;
  EventBatch known_;  // has only the newest anchors of all batches held so far
  std::uint64_t handed_out_ = 0;
  std::optional<std::string> difference_;
};

}  // namespace sash
