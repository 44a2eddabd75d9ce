#include "connectors/kafka/group_claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "connectors/kafka/unique_digits.h"

namespace sash {
namespace {

using Kind = ClaimStanding::Kind;

constexpr std::chrono::milliseconds kClaimTimeout{1000};

// All processes with the same topics, or the same pattern, and the same shard have the same
// instance id. Kafka allows 249 letters, digits, dots, dashes and underscores.
constexpr std::string_view kInstancePrefix = "sash-";
constexpr std::string_view kShardMark = "-shard-";

std::string InstanceOf(const KafkaSpec& spec) {
  std::string topics;
  for (const std::string& topic : std::set(spec.topics.begin(), spec.topics.end())) {
    topics += topic + ' ';
  }
  if (!spec.topic_pattern.empty()) topics = "pattern " + spec.topic_pattern;
  std::string instance = std::string(kInstancePrefix) + Digest(topics);
  if (spec.shard) instance += std::string(kShardMark) + spec.shard->ToString();
  return instance;
}

// The part of an instance id that depends on the topics.
std::string_view TopicsPartOf(std::string_view instance) {
  return instance.substr(0, instance.find(kShardMark));
}

// The shard of the instance; nothing: it reads all partitions, or it is not of Sash.
std::optional<StreamShard> ShardIn(std::string_view instance) {
  const std::size_t mark = instance.find(kShardMark);
  if (!instance.starts_with(kInstancePrefix) || mark == std::string_view::npos) {
    return std::nullopt;
  }
  return StreamShard::Parse(instance.substr(mark + kShardMark.size()));
}

}  // namespace

GroupClaim::GroupClaim(const KafkaSpec& spec, Untouched untouched)
    : spec_(spec),
      choice_(spec),
      untouched_(std::move(untouched)),
      host_(HostName()),
      client_(fmt::format("{}-{}", host_, UniqueDigits())),
      instance_(InstanceOf(spec)),
      name_(UniqueDigits() + UniqueDigits()) {}

Result<std::unique_ptr<GroupClaim>> GroupClaim::Open(const KafkaSpec& spec, Untouched untouched) {
  std::unique_ptr<GroupClaim> claim(new GroupClaim(spec, std::move(untouched)));
  if (Status opened = claim->Reopen(); !opened) return std::move(opened).error();
  return claim;
}

Status GroupClaim::Reopen() {
  Result<std::unique_ptr<GroupMember>> member = GroupMember::Open(spec_, client_, instance_);
  if (!member) return std::move(member).error();
  member_ = std::move(member).value();
  if (!covered_.empty()) member_->SetTopics(covered_);
  ++member_number_;
  joined_ = false;
  return Ok{};
}

void GroupClaim::Cover(std::vector<std::string> topics) {
  if (spec_.topic_pattern.empty() || topics.empty() || topics == covered_) return;
  covered_ = std::move(topics);
  member_->SetTopics(covered_);
  if (!joined_) return;
  if (const Status joined = member_->Join(); !joined) Say(Kind::kJoining, joined.error().message);
}

const ClaimStanding& GroupClaim::Serve(SteadyTime now) {
  if (standing_.kind == Kind::kTaken || standing_.kind == Kind::kRefused || is_unseen_) {
    return standing_;
  }
  member_->Serve();
  if (member_->is_replaced()) {
    // Possible reasons: another process joined at the same time, but later; another process has
    // taken over; or an earlier request to join of this process. So it asks for the members again.
    BeginAgain(member_->trouble());
    if (member_->is_replaced()) return standing_;
  }
  if (member_->TakeLoss()) {
    joined_ = false;
    in_doubt_ = is_used_;
    Say(is_used_ ? Kind::kLost : Kind::kUnknown);
  }
  if (!joined_) LookForOthers(now);
  if (joined_) Settle(now);
  return standing_;
}

// Starts with a new member, which asks for the other members before it joins.
void GroupClaim::BeginAgain(std::string why) {
  if (const Status opened = Reopen(); !opened) {
    return Say(is_used_ ? Kind::kLost : Kind::kUnknown, opened.error().message);
  }
  in_doubt_ = is_used_;
  looked_ = false;
  out_since_.reset();
  if (is_used_) Say(Kind::kLost, std::move(why));
}

// Only while the brokers answer: otherwise a new member would not help.
bool GroupClaim::IsStuck(SteadyTime now) {
  if (!out_since_) out_since_ = now;
  if (now - *out_since_ < patience_ || now - looked_at_ < kBetweenLooks) return false;
  looked_at_ = now;
  return member_->Members(kClaimTimeout).ok();
}

void GroupClaim::LookForOthers(SteadyTime now) {
  if (looked_ && now - looked_at_ < kBetweenLooks) return;
  looked_at_ = now;
  looked_ = true;
  const Kind out_of_it = is_used_ ? Kind::kLost : Kind::kUnknown;
  // Before the question: if it is taken here, every member of this host in the answer is dead.
  const Result<HostPresence::Holder> presence = TakePresence();
  if (!presence) return Say(out_of_it, presence.error().message);
  const Result<std::vector<SeenMember>> members = member_->Members(kClaimTimeout);
  if (!members && members.error().code == ErrorCode::kNotFound) {
    is_unseen_ = true;
    return Say(Kind::kHeld);
  }
  if (!members) return Say(out_of_it, members.error().message);
  const auto otherwise = std::ranges::find_if(
      members.value(), [&](const SeenMember& member) { return IsSplitOtherwise(member); });
  if (otherwise != members.value().end()) {
    return Say(Kind::kRefused,
               fmt::format("this is shard {} (source.kafka.partitions), but {} at {} reads the "
                           "topics for the group as shard {}; give all shards the same `of`, or "
                           "stop the others and wait until they have left the group",
                           spec_.shard->ToString(), otherwise->client, otherwise->host,
                           ShardIn(otherwise->instance)->ToString()));
  }
  const auto rival = std::ranges::find_if(
      members.value(), [&](const SeenMember& member) { return IsRival(member, presence.value()); });
  if (rival != members.value().end()) {
    if (is_used_) return Say(Kind::kTaken, fmt::format("{} at {}", rival->client, rival->host));
    return Say(
        Kind::kStandingBy,
        fmt::format("{} at {} reads for the group, this one stands by", rival->client, rival->host),
        rival->client);
  }
  if (presence.value() == HostPresence::Holder::kAnother && !is_used_) {
    return Say(Kind::kStandingBy, "another process of this host goes first, this one stands by",
               host_);
  }
  if (const Status joined = member_->Join(); !joined) {
    return Say(out_of_it, joined.error().message);
  }
  joined_ = true;
  out_since_.reset();
}

Result<HostPresence::Holder> GroupClaim::TakePresence() {
  if (!presence_) {
    const Result<std::string> cluster = member_->Cluster(kClaimTimeout);
    // A broker that has just started may not know it yet; only a second failure is an error.
    if (!cluster && !std::exchange(unanswered_, true)) return Error{ErrorCode::kUnavailable, {}};
    if (!cluster) return cluster.error();
    presence_.emplace(fmt::format("{} {} {} {}", host_, cluster.value(), spec_.group, instance_));
  }
  return presence_->Take();
}

bool GroupClaim::IsRival(const SeenMember& member, HostPresence::Holder presence) const {
  if (member.instance == instance_) {
    if (member.client == client_) return false;
    const bool is_of_this_host = member.client.starts_with(host_ + '-');
    return !is_of_this_host || presence != HostPresence::Holder::kThis;
  }
  const std::optional<StreamShard> theirs = ShardIn(member.instance);
  if (theirs && spec_.shard && theirs->of == spec_.shard->of) return false;
  return SharesTopics(member);
}

// Whether it reads a topic of this process, as far as the brokers tell. They may have assigned no
// partition to a member of the same topics, if there are more members than partitions.
bool GroupClaim::SharesTopics(const SeenMember& member) const {
  if (TopicsPartOf(member.instance) == TopicsPartOf(instance_)) return true;
  return std::ranges::any_of(
      member.assigned, [this](const TopicPartition& pair) { return choice_.Takes(pair.topic); });
}

bool GroupClaim::IsSplitOtherwise(const SeenMember& member) const {
  const std::optional<StreamShard> theirs = ShardIn(member.instance);
  return theirs && spec_.shard && theirs->of != spec_.shard->of && SharesTopics(member);
}

void GroupClaim::Settle(SteadyTime now) {
  if (!member_->is_in()) {
    if (IsStuck(now)) {
      patience_ = std::min(2 * patience_, kLongestJoin);
      return BeginAgain("the answer to its request to join does not come");
    }
    if (in_doubt_) return Say(Kind::kLost, member_->trouble());
    // A member with other topics has joined or left, or this is the first time.
    return Say(Kind::kJoining, member_->trouble());
  }
  out_since_.reset();
  patience_ = kJoin;
  if (in_doubt_) {
    if (now - looked_at_ < kBetweenLooks) return;
    looked_at_ = now;
    const Result<bool> untouched = untouched_();
    if (!untouched) return Say(Kind::kLost, untouched.error().message);
    if (!untouched.value()) return Say(Kind::kTaken, "another one has committed meanwhile");
    in_doubt_ = false;
  }
  Say(Kind::kHeld);
}

void GroupClaim::Say(Kind kind, std::string text, std::string rival) {
  standing_ = {.kind = kind, .rival = std::move(rival), .text = std::move(text)};
}

}  // namespace sash
