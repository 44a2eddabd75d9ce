// LagReport: how many records are still to be read, for the metrics and for Kafka's own tools.
//
// Its own thread asks the brokers for the end of every partition, whether the reader reads, is held
// back or waits for the engine. It also commits the read positions to a second group, NAME.read.
// The commits of the group itself are rewind points: they stay behind as long as windows hold
// records, so Kafka's tools always show a lag for that group.
//
// Thread safety: CorrectEnds() may be called from any thread; the rest belongs to the source's
// owner.
//
// Invariants
//   (1) Nothing waits for it, and no failure here makes the source unready. The log has one line
//       when the group cannot be written, and one when it can be written again.
//   (2) It never overwrites commits of another program: a group with commits without kMark is not
//       changed.
//   (3) Reading never starts at commits with kMark, in whatever group they are.
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
      5};  // as Kafka's consumers with automatic commits
  // The metadata of each commit.
  static constexpr std::string_view kMark = "read position of Sash, for information only";

  struct Reading {
    std::vector<PartitionOffset> positions;  // the next offset of each partition; empty: none yet
    bool may_commit = false;                 // reads for the group, and brokers can be reached
  };

  static std::string GroupOf(const KafkaSpec& spec) { return spec.group + ".read"; }

  // `reading` is called in the thread of the report. `log`, and what `reading` uses, outlive this
  // object.
  LagReport(const KafkaSpec& spec, std::function<Reading()> reading, EventLog& log);
  ~LagReport();  // Finish()
  LagReport(const LagReport&) = delete;
  LagReport& operator=(const LagReport&) = delete;

  Status Start();
  // The reader has ended. Returns at once; the thread then commits the last positions and closes
  // its consumer. The destructor waits for that, for a few seconds at most.
  void Finish() { thread_.request_stop(); }

  // Replaces ends by the brokers' newest answers.
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

  // Used by the thread only.
  std::size_t asked_ = 0;  // the partition that AskOneByOne() asked for last
  std::map<TopicPartition, std::int64_t> committed_;
  SteadyTime committed_at_{};
  SteadyTime not_before_{};
  std::chrono::seconds pause_ = kBetweenCommits;  // after the next failure
  std::string client_error_;                      // the newest error from librdkafka
  bool in_flight_ = false;                        // the outcome of a commit has not come in time
  int failures_ = 0;                              // in a row
  bool said_ = false;                             // the failure has been logged
  bool foreign_ = false;                          // (2)

  mutable Mutex mutex_;
  std::map<TopicPartition, std::int64_t> ends_ SASH_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace sash
