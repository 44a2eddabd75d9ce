// StreamReader: reads the assigned partitions into EventBatches, and keeps them going.
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) Every record from a partition's start position on is applied at most once and in order of
//       offsets: what lies below the position is ignored, whatever librdkafka delivers again.
//   (2) Only partitions that we paused are resumed.
//   (3) A partition is caught up from its end until its next record, an error of its own, or the
//       loss of its broker; the batch holds a mark for each change that no record tells.
//   (4) While memory is full (StreamProgress::intake_held) every partition is paused, and none is
//       caught up: whether it has more is not known. But for those of which more is awaited: the
//       engine moves no window before it has that, so memory would stay full.
//   (5) Records that are passed over since their batch cannot be read are a gap.
//   (6) With a span: a partition is finished, and read no more, when it has passed the span's end
//       (newest event time less disorder: all that could come for it would be late) or the end that
//       it had at the start. Until then it is not caught up, from then on for ever. Events before
//       the span are left out, but for those that are late in it: they count in its windows.
//   (7) Events that are ahead of the clock wait in the AheadGate; a partition that is full there is
//       paused. With a span the clock does not matter: SpanIntake compares the events with each
//       other. While one is held, the stream is not caught up.
//   (8) Behind what may have been a break (BreakWatch) no record is applied before the witness has
//       said that the partition is the one that was read. One that is not begins a new life: it
//       gets a new index and is read from its beginning. (1) holds within a life.
//   (9) A partition that is added to a topic is found within 10 s, joins, and is read from its
//       beginning. While one cannot be read yet, each window may lack something: that is a gap. One
//       that a topic has no more (which was made anew with fewer) leaves.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/decode_team.h"
#include "connectors/kafka/drift_control.h"
#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/ready_state.h"
#include "connectors/kafka/record_witness.h"
#include "connectors/kafka/span_intake.h"
#include "connectors/kafka/stall_watchdog.h"
#include "connectors/kafka/stream_opening.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/ingest/ahead_gate.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/source.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class StreamReader {
 public:
  // Of a round, for each thread that decodes.
  static constexpr std::size_t kMaxBatchEvents = 4096;
  static constexpr std::size_t kMaxBatchBytes = 1 << 20;
  // The ReadyState subject that is set while no broker can be reached.
  static constexpr const char* kBrokers = "brokers";

  StreamReader(ConsumerHandle& consumer, PartitionTable& table, DecodeTeam& team, ReadyState& ready,
               EventLog& log, const Clock& clock, const StreamProgress& progress,
               const TimePolicy& policy, KeyKind keys, const KafkaSpec& spec);

  // Assigns the partitions. The first batch then opens with the StreamStart and the gap marks.
  Status Begin(const OpenedStream& stream);

  // Reads until the round is full, a poll comes back empty, or 20 ms have passed.
  void Collect();

  // Everything that is not reading: callbacks, broker states, holding back, repositioning,
  // watchdog.
  void Upkeep();

  // To be called at least every 100 ms while the reader is not: who was not running for longer may
  // have missed something.
  void StayAwake();

  // What was read, in its order: at least one batch, which may be empty.
  std::span<EventBatch> batches() { return {batches_.data(), filled_}; }
  EventBatch& last_batch() { return batches_[filled_ - 1]; }
  // They have been taken away: the next round fills them anew.
  void StartOver() { filled_ = 1; }

  // Of a span: whether all partitions are finished.
  bool Finished() const;
  std::uint64_t left_out_of_span() const;  // events

  void FillStatus(SourceStatus& status, KafkaCounters& counters);

 private:
  struct Partition {
    TopicPartition pair;
    PartitionIndex index = 0;
    std::int64_t position = 0;  // the next offset to apply
    std::int64_t position_last_round = 0;
    std::optional<std::int64_t> end;
    std::optional<EventTime> newest;  // of what is not too far ahead of the clock
    std::int64_t awaited_until = 0;   // ResumedPartition
    SteadyTime active_at;             // when its position last moved
    SteadyTime live_until;            // what is read until then was written a moment ago
    bool caught_up = false;
    bool begins = false;  // it joined, and is behind: caught up it is for the windows' sake
    bool paused = false;
    bool reachable = true;
    bool failed = false;                     // ReadyState holds a reason of its own
    bool check_end = false;                  // its broker is back: is there anything to read?
    bool reposition = false;                 // the broker does not accept its position
    std::optional<std::int64_t> unreadable;  // the first offset of a batch that cannot be read
    bool delivers = false;                   // a record has come since it was positioned
    bool overtaken = false;                  // retention passed it, and no record has come since
    bool finished = false;                   // (6); stays paused
    std::optional<std::int64_t> until;       // (6): the end that it had at the start
    std::unique_ptr<SpanIntake> span;        // (6); null without a span
    std::int64_t headroom = 0;               // NextHeadroom()
    int misses = 0;                          // statistics in a row that say it cannot be reached
    int absences = 0;  // looks in a row that have not found it, while it brought nothing
    std::optional<RecordAnchor> anchor;  // a record of this life, the newest that is summed up
    KafkaRecord last;                    // of this round, to become the anchor
    bool has_last = false;
    bool doubtful = false;    // (8)
    std::uint64_t doubt = 0;  // the number of the newest doubt
    SteadyTime doubted_at;    // the first one that is not resolved
    bool skipped = false;     // something came while it was doubtful, and was ignored
    SteadyTime paused_at;
  };

  // The engine waits for more of the partition: now, or after more of others.
  bool IsAwaited(const Partition& partition) const;
  bool IsEarly(const Partition& partition) const;

  bool HasRoom() const;
  bool DecodesTogether() const { return team_.threads() > 1 && !span_; }
  void DecodeWaiting();
  void Nudge();
  Partition* Find(std::string_view topic, std::int32_t partition);
  void Handle(const Polled& polled);
  void HandleRecord(const KafkaRecord& record, Partition& partition);
  void TakeRecord(const KafkaRecord& record, Partition& partition);
  void SeeTime(std::optional<EventTime> time, Partition& partition);
  void HandleEnd(std::int64_t offset, Partition& partition);
  bool IsAheadOfClock(EventTime time) const;
  static bool IsAtEnd(const Partition& partition) {
    return partition.caught_up && !partition.begins;
  }
  bool IsLive(const Partition& partition) const {
    return IsAtEnd(partition) || steady_ < partition.live_until;
  }
  void HoldAhead();
  void SayAhead();
  void Finish(Partition& partition);
  void HandleUnreadable(const Polled& polled, Partition& partition);
  void PassUnreadable(std::int64_t next, Partition& partition);
  void HandleError(const Polled& polled, Partition* partition);
  void Recovered(Partition& partition);
  void SumUp();
  // Whether there was one. `busy`: so long the thread may have waited since the last look.
  bool LookForBreaks(std::chrono::milliseconds busy = {});
  Result<LogBounds> AskForBounds(const Partition& partition);
  void DoubtAll();
  bool WaitsForWitness() const;
  void Doubt(Partition& partition);
  void ResolveDoubts(std::chrono::milliseconds patience);
  void AskWitness();
  void Judge(const Testimony& testimony, Partition& partition);
  bool Renew(Partition& partition, const std::string& found);
  void RereadSkipped();
  void MarkCaughtUp(Partition& partition);
  void MarkBehind(Partition& partition);

  void ReadInbox();
  void ReadStatistics(const std::string& statistics);
  void JoinAdded();
  void Join(const TopicPartition& pair, const LogBounds& bounds);
  void Leave(Partition& partition, std::int32_t left);
  bool LeaveGone(const std::map<std::string, std::int32_t>& counts);
  std::optional<EventTime> LeastNewest() const;
  void SayUnread(const std::vector<TopicPartition>& unread, const std::string& why);
  void LoseReach(Partition& partition);
  void SayReach();
  void CheckEnds();
  void RepositionLost();
  void Reposition(Partition& partition);
  void AssignAll();
  void HoldBack();
  void HoldAll();
  void LetGo();
  void SetPaused(const std::vector<std::size_t>& places, bool paused);
  void LookForStalls();
  void SayStalled(Partition& partition, std::int64_t end);

  static constexpr std::chrono::milliseconds kQuestionTimeout{500};

  ConsumerHandle& consumer_;
  PartitionTable& table_;
  DecodeTeam& team_;
  ReadyState& ready_;
  EventLog& log_;
  const Clock& clock_;
  const StreamProgress& progress_;
  const TimePolicy policy_;
  const KeyKind keys_;
  const std::optional<ReplaySpan> span_;
  const bool checks_ahead_;
  const Duration live_for_;  // after its end was seen
  const std::set<std::string> topics_;
  DriftControl drift_;
  AheadGate gate_;
  StallWatchdog watchdog_;
  RecordWitness witness_;
  std::chrono::nanoseconds looked_at_{};  // coarse; when the thread was last seen to run
  std::uint64_t breaks_ = 0;        // of the consumer, as far as partitions were doubted for them
  std::uint64_t doubts_ = 0;        // how often partitions were doubted
  std::uint64_t asked_doubts_ = 0;  // when the witness was asked
  SteadyTime asked_witness_{};

  EventTime now_{};                     // when the round began
  SteadyTime steady_{};                 // likewise
  bool any_ahead_ = false;              // of the events of the round, some are ahead of the clock
  std::vector<EventBatch> batches_{1};  // those after the first filled_ are spare
  std::size_t filled_ = 1;
  std::vector<Partition> partitions_;  // by topic, then partition
  std::string connection_text_;        // why the newest connection failed
  bool topic_refused_ = false;         // the brokers said so, of a topic
  std::size_t unread_ = 0;             // partitions that were added and cannot be read yet
  SteadyTime looked_for_added_{};
  SteadyTime asked_at_{};  // when the brokers were last asked for something
  std::chrono::steady_clock::time_point nudged_at_{};
  std::size_t nudged_ = 0;  // the partition that was asked for last
  bool consumer_failed_ = false;
  bool all_caught_up_ = false;  // as the engine knows it
  bool held_ = false;           // all are paused since memory is full
  std::uint64_t records_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t rounds_ = 0;
  KafkaCounters counters_;
};

}  // namespace sash
