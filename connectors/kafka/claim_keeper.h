// ClaimKeeper: keeps the claim of the group (GroupClaim) for the reader, reports its state, and
// knows which claims have committed for the group.
//
// Thread safety: belongs to the reader's thread; any thread may call is_lost().
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/group_claim.h"
#include "connectors/kafka/kafka_spec.h"
#include "connectors/kafka/ready_state.h"
#include "connectors/kafka/source_board.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"

namespace sash {

class ClaimKeeper {
 public:
  // Everything passed by reference outlives the keeper. An error means a wrong option.
  static Result<std::unique_ptr<ClaimKeeper>> Open(const KafkaSpec& spec, ConsumerHandle& consumer,
                                                   SourceBoard& board, ReadyState& ready,
                                                   EventLog& log, const Clock& clock);
  ClaimKeeper(const ClaimKeeper&) = delete;
  ClaimKeeper& operator=(const ClaimKeeper&) = delete;

  // Ok when no other process reads for the group. An error without a message is not reported.
  Status Claim();
  // Whether it waits for another process, or for the brokers to let it join.
  bool IsClaiming() const;
  // To be called again and again while the claim is held. False when another instance has taken the
  // group: nothing may be read or committed any more, and the board has the failure.
  bool Keep();
  // As GroupClaim::Cover().
  void Cover(std::vector<std::string> topics) { claim_->Cover(std::move(topics)); }
  // As GroupMember::Leave().
  bool Leave(std::chrono::milliseconds timeout) { return claim_->Leave(timeout); }

  // Whether the brokers have given the group's member up.
  bool is_lost() const;
  GroupClaim& claim() { return *claim_; }

 private:
  ClaimKeeper(const KafkaSpec& spec, ConsumerHandle& consumer, SourceBoard& board,
              ReadyState& ready, EventLog& log, const Clock& clock)
      : spec_(spec), consumer_(consumer), board_(board), ready_(ready), log_(log), clock_(clock) {}

  void FailTaken(const ClaimStanding& standing);
  std::string GroupName() const;
  Result<std::set<std::string>> Committers();
  Result<bool> Untouched();  // after GroupClaim::Use()

  const KafkaSpec& spec_;
  ConsumerHandle& consumer_;
  SourceBoard& board_;
  ReadyState& ready_;
  EventLog& log_;
  const Clock& clock_;
  std::unique_ptr<GroupClaim> claim_;
  std::optional<std::set<std::string>> committers_;  // those before this claim was used, and itself
  bool stood_by_ = false;                            // it stood by, and has read nothing since
};

}  // namespace sash
