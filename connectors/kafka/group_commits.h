// GroupCommits: sends rewind points as commits of the group.
//
// Thread safety: Offer(), committed(), acknowledged() and counts() may be called from any thread;
// the others belong to one thread at a time.
//
// Invariants
//   (1) As in CommitLane, one point is in flight, the newest waiting point is next, and a point
//       that failed is sent again.
//   (2) Nothing is sent while no broker can be reached: librdkafka would keep the commit, and could
//       not be closed before it gives up. Nothing is sent either while this process is not a member
//       of the group that it claims. A commit whose member was replaced by a new one has failed.
//   (3) The log has one line when commits begin to fail, and one when they work again.
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

  // The member of the claim sends the commits. If `claim` is null, the consumer does. Both outlive
  // this object. To be called first; only Offer() may come before it.
  void Open(ConsumerHandle& consumer, GroupClaim* claim);
  // Takes the outcome of the point in flight, and sends the next one.
  void Serve(bool reachable);
  // Waits for the point in flight, then sends the newest waiting one and waits for its answer;
  // `patience` is for both.
  void SendLast(bool reachable, std::chrono::milliseconds patience);

 private:
  OffsetCommits& commits() { return claim_ ? claim_->commits() : consumer_->commits(); }
  // The member that sent the point in flight does not exist any more.
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
  std::string failure_;        // of the last outcome; empty after success
  bool said_left_out_ = false;
  std::atomic<std::uint64_t> succeeded_ = 0;
  std::atomic<std::uint64_t> failed_ = 0;
};

}  // namespace sash
