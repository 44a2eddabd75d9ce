// StreamReader: reads the assigned partitions into EventBatches, and keeps them going.
//
// It decides the order in which things happen; its parts do them:
//
//   ReadRound, ReadPartitions     the state that all parts share
//   Assignment                    where partitions are read, and which are paused
//   RecordDecoding                from records to events
//   UnreadableBatches             batches of records that cannot be read
//   IdentityDoubts, IdentityJudge topics that are deleted and created again
//   TopicChanges                  topics and partitions that are added or removed
//   BrokerReach                   brokers that cannot be reached
//   PlaceRepair, FetchNudge       partitions that do not deliver
//   ClockHold, IntakeHold         events and partitions that have to wait
//   SchemaHold                    records whose schema is not known yet
//
// Thread safety: belongs to the consumer thread.
//
// Invariants
//   (1) Every record from a partition's start position on is applied at most once and in order of
//       offsets: records below the position are ignored, whatever librdkafka delivers again. This
//       holds within a life of the partition (IdentityJudge).
//   (2) Records that are skipped because their batch cannot be read are a gap.
//   (3) With a span: a partition is finished, and not read any more, when it has passed the span's
//       end (newest event time minus disorder: every later event would be late) or the end that it
//       had at the start. It is not caught up before, and caught up for ever afterwards. Events
//       before the span are left out, except late ones: they count in the span's windows.
//   (4) The stream is not caught up while an event waits for the clock.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "connectors/kafka/assignment.h"
#include "connectors/kafka/broker_reach.h"
#include "connectors/kafka/clock_hold.h"
#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/decode_team.h"
#include "connectors/kafka/fetch_nudge.h"
#include "connectors/kafka/identity_doubts.h"
#include "connectors/kafka/identity_judge.h"
#include "connectors/kafka/intake_hold.h"
#include "connectors/kafka/kafka_counters.h"
#include "connectors/kafka/place_repair.h"
#include "connectors/kafka/read_partitions.h"
#include "connectors/kafka/read_round.h"
#include "connectors/kafka/ready_state.h"
#include "connectors/kafka/record_decoding.h"
#include "connectors/kafka/schema_hold.h"
#include "connectors/kafka/stream_opening.h"
#include "connectors/kafka/topic_changes.h"
#include "connectors/kafka/unreadable_batches.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/ingest/event_batch.h"
#include "windows/ingest/source.h"
#include "windows/ingest/time_policy.h"

namespace sash {

class StreamReader {
 public:
  StreamReader(ConsumerHandle& consumer, PartitionTable& table, DecodeTeam& team, ReadyState& ready,
               EventLog& log, const Clock& clock, const StreamProgress& progress,
               const TimePolicy& policy, KeyKind keys, const KafkaSpec& spec,
               SchemaHold schema_hold);

  // As ReadRound::JudgeBy(); the decoders of the team fit these filters.
  void JudgeBy(const FilterSetPtr& filters, bool say) { round_.JudgeBy(filters, say); }

  // Assigns the partitions. The first batch then begins with the StreamStart and the gap marks.
  Status Begin(const OpenedStream& stream);

  // Reads until the round is full, a poll comes back empty, or 20 ms have passed.
  void Collect();

  // Everything except reading: callbacks, broker states, pauses, repositioning, watchdog.
  void Upkeep();

  // To be called at least every 100 ms while the reader does nothing else: after a longer
  // standstill it assumes that it may have missed a change of the topics.
  void StayAwake() { doubts_.Look(); }

  // Whether partitions have joined or left since the last call; true at first.
  bool TakeChange() { return changes_.TakeChange(); }
  std::vector<std::string> Topics() const;  // of the partitions

  // What was read, in its order: at least one batch, which may be empty.
  std::span<EventBatch> batches() { return round_.batches(); }
  EventBatch& last_batch() { return round_.last(); }
  // The caller has taken the batches: the next round fills them again.
  void StartOver() { round_.StartOver(); }

  // Whether all partitions of a span are finished.
  bool Finished() const { return assignment_.Finished(); }
  std::uint64_t left_out_of_span() const { return assignment_.left_out_of_span(); }  // events

  void FillStatus(SourceStatus& status, KafkaCounters& counters);

 private:
  bool MayReadWhileHeld();
  void Handle(const Polled& polled);
  void HandleRecord(const KafkaRecord& record, ReadPartition& partition);
  void HandleEnd(std::int64_t offset, ReadPartition& partition);
  void HandleError(const Polled& polled, ReadPartition* partition);
  void NoteActivity();
  void AskBrokers();
  void MarkCaughtUp();
  void FillPartition(PartitionStatus& status, ReadPartition& partition, bool look_up_end) const;

  ConsumerHandle& consumer_;
  ReadyState& ready_;
  const Clock& clock_;
  KafkaCounters counters_;
  ReadRound round_;
  ReadPartitions partitions_;
  IdentityDoubts doubts_;
  Assignment assignment_;
  UnreadableBatches unreadable_;
  RecordDecoding decoding_;
  IdentityJudge judge_;
  TopicChanges changes_;
  BrokerReach reach_;
  PlaceRepair repair_;
  FetchNudge nudge_;
  ClockHold clock_hold_;
  IntakeHold intake_hold_;
  SchemaHold schema_hold_;
  std::chrono::steady_clock::time_point asked_at_{};  // when AskBrokers() was called last
  std::uint64_t rounds_ = 0;
};

}  // namespace sash
