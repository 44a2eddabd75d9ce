// GroupCommits: rewind points as the group's commits.
//
// Thread safety: Offer(), committed() and counts() may be called from any thread; the others belong
// to one thread at a time.
//
// Invariants
//   (1) As CommitLane: one is in flight, the newest of those that wait comes next, and one that
//       failed is tried again.
//   (2) Nothing is sent while no broker can be reached: librdkafka would keep it, and could not be
//       closed before it gives up. Nor while this one is no member of the group that it claims.
//       What a member had in flight when it was given up for a new one has failed.
//   (3) That commits fail is one log line, and that they work again is one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "connectors/kafka/commit_lane.h"
#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/group_claim.h"
#include "windows/base/event_log.h"
#include "windows/ingest/partition_table.h"

namespace sash {

class GroupCommits {
 public:
  struct Counts {
    std::uint64_t succeeded = 0;
    std::uint64_t failed = 0;
  };

  GroupCommits(const PartitionTable& partitions, const Clock& clock, EventLog& log)
      : partitions_(partitions), clock_(clock), log_(log) {}

  void Offer(const RewindPoint& point) { lane_.Offer(point); }
  std::vector<RewindPosition> committed() const { return lane_.committed(); }
  std::optional<RewindPoint> acknowledged() const { return lane_.acknowledged(); }
  Counts counts() const { return {succeeded_, failed_}; }

  // Who sends them: the member of the group where there is a claim (may be null), else the
  // consumer. Both outlive the commits. Before anything else but Offer().
  void Open(ConsumerHandle& consumer, GroupClaim* claim);
  // Takes what has become of the one in flight, and sends the next one.
  void Serve(bool reachable);
  // First the one in flight, then the newest that waits; waits for the answers, `patience` in all.
  void SendLast(bool reachable, std::chrono::milliseconds patience);

 private:
  OffsetCommits& commits() { return claim_ ? claim_->commits() : consumer_->commits(); }
  // The member that sent the one in flight is no more.
  bool IsOrphaned() const { return claim_ != nullptr && claim_->member() != sent_by_; }
  bool IsMember() const { return claim_ == nullptr || claim_->is_held(); }
  void AwaitOutcome(SteadyTime deadline);
  void Send(const RewindPoint& point);
  void Finish(const Status& outcome);

  const PartitionTable& partitions_;
  const Clock& clock_;
  EventLog& log_;
  CommitLane lane_;
  ConsumerHandle* consumer_ = nullptr;
  GroupClaim* claim_ = nullptr;
  std::uint64_t sent_by_ = 0;  // GroupClaim::member() of the one in flight
  std::string failure_;        // the last outcome's; empty after success
  bool said_left_out_ = false;
  std::atomic<std::uint64_t> succeeded_ = 0;
  std::atomic<std::uint64_t> failed_ = 0;
};

}  // namespace sash
