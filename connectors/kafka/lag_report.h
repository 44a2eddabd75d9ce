// LagReport: how much of the stream is still to be read, for the metrics and for Kafka's own tools.
//
// A thread of its own asks the brokers for the end of every partition, whether the reader reads, is
// held back or waits for the engine. It also commits what has been read to a second group,
// NAME.read: the group's own commits are rewind points, which stay behind as long as windows hold
// records, so that the lag that Kafka's tools show of it never ends.
//
// Thread safety: CorrectEnds() may be called from any thread; the rest belongs to the source's
// owner.
//
// Invariants
//   (1) Nothing waits for it, and nothing that goes wrong here makes the source unready: that the
//       group cannot be written is one log line, and that it can be again is one.
//   (2) It writes only where nobody else has: a group that holds commits without kMark is left
//       alone.
//   (3) Where reading goes on is never taken from commits with kMark, in whatever group they are.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/kafka_spec.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/mutex.h"
#include "windows/ingest/source.h"

namespace sash {

class LagReport {
 public:
  static constexpr std::chrono::seconds kBetweenQuestions{1};
  static constexpr std::chrono::seconds kBetweenCommits{
      5};  // as consumers that commit by themselves
  // The metadata of each commit.
  static constexpr std::string_view kMark = "read position of Sash, for information only";

  struct Reading {
    std::vector<PartitionOffset> positions;  // the next offset of each partition; empty: none yet
    bool may_commit = false;                 // it reads for the group, and brokers can be reached
  };

  static std::string GroupOf(const KafkaSpec& spec) { return spec.group + ".read"; }

  // `reading` is asked in the thread of the report. Both outlive it.
  LagReport(const KafkaSpec& spec, std::function<Reading()> reading, EventLog& log);
  ~LagReport();  // Finish()
  LagReport(const LagReport&) = delete;
  LagReport& operator=(const LagReport&) = delete;

  Status Start();
  // The reader has ended. Commits what it has read last, closes, and returns at once; the
  // destructor waits until that has happened, for a few seconds at most.
  void Finish() { thread_.request_stop(); }

  // The ends as the brokers said them last.
  void CorrectEnds(std::vector<PartitionStatus>& partitions) const;

 private:
  void Run(const std::stop_token& stop);
  Status OpenAs(const std::string& group);
  void ServeCallbacks();
  void AskForEnds(const std::vector<PartitionOffset>& positions);
  void AskOneByOne(const std::vector<TopicPartition>& pairs);
  void Note(std::span<const PartitionOffset> ends);
  bool IsDue(const Reading& reading, SteadyTime now) const;
  void Commit(const std::vector<PartitionOffset>& positions, std::chrono::milliseconds patience);
  Status TryCommit(const std::vector<PartitionOffset>& positions,
                   std::chrono::milliseconds patience);
  void NoteFailure(const std::string& why);
  std::optional<Status> AwaitOutcome(std::chrono::milliseconds patience);

  KafkaSpec spec_;  // of the consumer: its group is one of the two
  const std::string group_;
  const std::string read_group_;
  const std::function<Reading()> reading_;
  EventLog& log_;
  std::unique_ptr<ConsumerHandle> consumer_;

  // Of the thread.
  std::size_t asked_ = 0;  // the partition that was asked for last, alone
  std::map<TopicPartition, std::int64_t> committed_;
  SteadyTime committed_at_{};
  SteadyTime not_before_{};
  std::chrono::seconds pause_ = kBetweenCommits;  // after the next failure
  std::string client_error_;                      // the newest that librdkafka told
  bool in_flight_ = false;                        // the outcome of a commit has not come in time
  int failures_ = 0;                              // in a row
  bool said_ = false;                             // that it fails
  bool foreign_ = false;                          // (2)

  mutable Mutex mutex_;
  std::map<TopicPartition, std::int64_t> ends_ SASH_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace sash
