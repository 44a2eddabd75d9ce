// GroupClaim: ensures that only one process reads its topics for its group. A second process stands
// by until the first one is gone.
//
// The holder of the claim is the group's member whose instance id is derived from the topics, or
// from their pattern, and names the shard. With a pattern, the membership has the topics that match
// now. Different shards with the same number of shards do not exclude each other. Before a process
// joins, it asks which members the group has. A member that reads one of its topics goes first,
// unless it is known to be dead (HostPresence). If two processes join at once, they take each
// other's place and one remains: the brokers refuse the heartbeats and commits of the other one.
//
// It has more members than other classes: seven are what it was made with, and the others are how
// far joining has come.
//
// Thread safety: belongs to one thread; name() may be called from any thread.
//
// Invariants
//   (1) Only one process at a time can commit: a commit carries the membership, and is refused when
//       another process has the membership, or had it in the meantime.
//   (2) kTaken is final: a claim that another process has taken is never held again. After any
//       refusal the brokers are asked for the holder: behind a bad network they may refuse this
//       process because of its own earlier request whose answer was lost. The claim counts as taken
//       only if another process is in the group or has committed.
//   (3) When the brokers gave the membership up and the process has joined again, the claim is held
//       only if `untouched` says that no other process has committed in the meantime.
//   (4) Before Use(), nothing depends on the claim: when it is lost, the process stands by or joins
//       again, as one that has just started.
//   (5) A shard that finds another number of shards for its topics is refused for good: partitions
//       would be read twice, or not at all.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "connectors/kafka/group_member.h"
#include "connectors/kafka/host_presence.h"
#include "connectors/kafka/kafka_spec.h"
#include "connectors/kafka/topic_choice.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

struct ClaimStanding {
  enum class Kind : std::uint8_t {
    kUnknown,     // the members of the group are not known; `text` is the reason
    kStandingBy,  // `rival` holds it
    kJoining,
    kHeld,
    kLost,     // was in use; the brokers have given it up, and this process joins again
    kTaken,    // was in use; another process has it now
    kRefused,  // (5)
  };
  Kind kind = Kind::kUnknown;
  std::string rival{};
  std::string text{};
};

class GroupClaim {
 public:
  static constexpr std::chrono::milliseconds kBetweenLooks{1000};
  // If it has not become a member within this time, it starts again with a new member, then after
  // twice this time, and so on. (When the answer to its request to join is lost, librdkafka waits
  // for minutes.)
  static constexpr std::chrono::seconds kJoin{20};
  static constexpr std::chrono::seconds kLongestJoin{300};

  // Returns whether only this claim's owner (name()) has committed for the group. After an error it
  // is called again.
  using Untouched = std::function<Result<bool>()>;

  static Result<std::unique_ptr<GroupClaim>> Open(const KafkaSpec& spec, Untouched untouched);

  // Continues to claim, and returns the state. Waits for a broker's answer only while it stands by
  // or looks for other members.
  const ClaimStanding& Serve(SteadyTime now);
  const ClaimStanding& standing() const { return standing_; }
  bool is_held() const { return standing_.kind == ClaimStanding::Kind::kHeld; }
  // Called while it is held, before the owner reads or commits for the first time.
  void Use() { is_used_ = true; }

  // With a pattern: the topics that match now, so that other processes see them in the membership.
  // The group is joined again if they have changed; commits wait for this. An empty list changes
  // nothing.
  void Cover(std::vector<std::string> topics);

  // The unique name of this claim, for the metadata of commits.
  const std::string& name() const { return name_; }

  // The commits of the present member. Commits that an earlier member had in flight get no outcome.
  OffsetCommits& commits() { return member_->commits(); }
  std::uint64_t member() const { return member_number_; }

  // As GroupMember::Leave().
  bool Leave(std::chrono::milliseconds timeout) { return member_->Leave(timeout); }

 private:
  GroupClaim(const KafkaSpec& spec, Untouched untouched);
  Status Reopen();
  void BeginAgain(std::string why);
  bool IsStuck(SteadyTime now);
  void LookForOthers(SteadyTime now);
  Result<HostPresence::Holder> TakePresence();
  bool IsRival(const SeenMember& member, HostPresence::Holder presence) const;
  bool SharesTopics(const SeenMember& member) const;
  bool IsSplitOtherwise(const SeenMember& member) const;
  void Settle(SteadyTime now);
  void Say(ClaimStanding::Kind kind, std::string text = {}, std::string rival = {});

  const KafkaSpec spec_;
  const TopicChoice choice_;
  const Untouched untouched_;
  const std::string host_;    // the same in every process of this host
  const std::string client_;  // unique to this process
  const std::string instance_;
  const std::string name_;
  std::optional<HostPresence> presence_;  // since the cluster is known
  bool unanswered_ = false;               // the brokers did not answer the question for it
  std::vector<std::string> covered_;      // Cover()
  std::unique_ptr<GroupMember> member_;
  std::uint64_t member_number_ = 0;
  std::optional<SteadyTime> out_since_;  // has asked to join, and is not a member yet
  std::chrono::seconds patience_ = kJoin;
  ClaimStanding standing_;
  SteadyTime looked_at_{};
  bool looked_ = false;
  bool joined_ = false;
  bool is_used_ = false;    // (4)
  bool in_doubt_ = false;   // (3)
  bool is_unseen_ = false;  // the brokers cannot list members, so no process can have a claim
};

}  // namespace sash
