// GroupClaim: that this process alone reads its topics for its group. A second one stands by until
// the first is gone.
//
// Who holds the claim is the group's member with an instance id that is made of the topics. Before
// it joins, a process looks who is in the group: whoever is there for one of its topics goes first,
// but for what is known to be dead (HostPresence). Two that join at once take each other's place,
// and one is left: the brokers refuse the heartbeats and the commits of the other.
//
// Thread safety: belongs to one thread; name() may be read by any.
//
// Invariants
//   (1) Only one process at a time can commit: a commit carries the membership, and is refused when
//       somebody else has it, or had it since.
//   (2) What was held, and was taken by another, is never held again: kTaken is for good. Who has
//       it is asked of the brokers, whatever they refuse: behind a bad network they may refuse this
//       process for the sake of a request of its own whose answer was lost. Only another process
//       that is in the group, or has committed, has taken it.
//   (3) A membership that the brokers gave up and that was joined again counts only when
//       `untouched` says that nobody has committed meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "connectors/kafka/group_member.h"
#include "connectors/kafka/host_presence.h"
#include "connectors/kafka/kafka_spec.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

struct ClaimStanding {
  enum class Kind : std::uint8_t {
    kUnknown,     // the brokers have not said who is in the group; `text` is why
    kStandingBy,  // somebody else holds it; `rival` is who
    kJoining,
    kHeld,
    kLost,   // was held; the brokers have given it up, and it is joined again
    kTaken,  // was held, and is somebody else's
  };
  Kind kind = Kind::kUnknown;
  std::string rival{};
  std::string text{};
};

class GroupClaim {
 public:
  static constexpr std::chrono::milliseconds kBetweenLooks{1000};
  // After as long without becoming a member it begins anew, then after twice as long, and so on.
  // librdkafka waits for minutes for the answer to a request to join that was lost.
  static constexpr std::chrono::seconds kJoin{20};
  static constexpr std::chrono::seconds kLongestJoin{300};

  // Whether no other than this claim's owner (name()) has committed for the group. An error is a
  // reason to ask again.
  using Untouched = std::function<Result<bool>()>;

  static Result<std::unique_ptr<GroupClaim>> Open(const KafkaSpec& spec, Untouched untouched);

  // Goes on claiming, and says where that stands. Waits for a broker's answer only while it stands
  // by or looks for others.
  const ClaimStanding& Serve(SteadyTime now);
  const ClaimStanding& standing() const { return standing_; }
  bool is_held() const { return standing_.kind == ClaimStanding::Kind::kHeld; }

  // Of this claim, unlike all others: for the metadata of commits.
  const std::string& name() const { return name_; }

  // Those of the member that it is now; what another one had in flight before has no outcome.
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
  void Settle(SteadyTime now);
  void Say(ClaimStanding::Kind kind, std::string text = {}, std::string rival = {});

  const KafkaSpec spec_;
  const Untouched untouched_;
  const std::string host_;    // the same in every process of this host
  const std::string client_;  // unlike that of any other process
  const std::string instance_;
  const std::string name_;
  std::optional<HostPresence> presence_;  // since the cluster is known
  bool unanswered_ = false;               // brokers were asked for it and said nothing
  std::unique_ptr<GroupMember> member_;
  std::uint64_t member_number_ = 0;
  std::optional<SteadyTime> out_since_;  // joined, and not in
  std::chrono::seconds patience_ = kJoin;
  ClaimStanding standing_;
  SteadyTime looked_at_{};
  bool looked_ = false;
  bool joined_ = false;
  bool has_held_ = false;
  bool in_doubt_ = false;   // (3)
  bool is_unseen_ = false;  // the brokers have no answer to who is there: nobody can claim anything
};

}  // namespace sash
