#include "connectors/kafka/claim_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "connectors/kafka/lag_report.h"
#include "connectors/kafka/log_events.h"
#include "connectors/kafka/rewind_metadata.h"
#include "connectors/kafka/topic_choice.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kClaimQuestion{2000};
constexpr const char* kClaim = "claim";

using ClaimKind = ClaimStanding::Kind;

}  // namespace

Result<std::unique_ptr<ClaimKeeper>> ClaimKeeper::Open(const KafkaSpec& spec,
                                                       ConsumerHandle& consumer, SourceBoard& board,
                                                       ReadyState& ready, EventLog& log,
                                                       const Clock& clock) {
  std::unique_ptr<ClaimKeeper> keeper(new ClaimKeeper(spec, consumer, board, ready, log, clock));
  Result<std::unique_ptr<GroupClaim>> claim =
      GroupClaim::Open(spec, [made = keeper.get()] { return made->Untouched(); });
  if (!claim) return std::move(claim).error();
  keeper->claim_ = std::move(claim).value();
  return keeper;
}

Status ClaimKeeper::Claim() {
  if (!IsClaiming() && !claim_->is_held()) {
    // Topics that do not exist cannot be claimed.
    const auto pairs = FindAllPartitions(consumer_, spec_);
    if (!pairs) return pairs.error();
    claim_->Cover(TopicsOf(pairs.value()));
  }
  const ClaimStanding standing = claim_->Serve(clock_.Steady());
  const bool stands_by = standing.kind == ClaimKind::kStandingBy;
  board_.SetStandingBy(stands_by);
  if (stands_by) stood_by_ = true;
  if (standing.kind == ClaimKind::kTaken) FailTaken(standing);
  if (standing.kind == ClaimKind::kRefused) {
    board_.Fail(Error{ErrorCode::kInvalidArgument, GroupName() + standing.text});
  }
  if (standing.kind != ClaimKind::kHeld) {
    std::string text = standing.text.empty() ? "" : GroupName() + standing.text;
    return Error{ErrorCode::kUnavailable, std::move(text)};
  }
  if (std::exchange(stood_by_, false)) {
    log_.Log(
        kafka_events::kStandbyEnded,
        fmt::format("kafka: {}no other process reads for it any more, this one does", GroupName()));
  }
  if (committers_) return Ok{};
  Result<std::set<std::string>> committers = Committers();
  if (!committers) return std::move(committers).error();
  committers_ = std::move(committers).value();
  committers_->insert(claim_->name());
  claim_->Use();
  return Ok{};
}

bool ClaimKeeper::IsClaiming() const {
  const ClaimKind kind = claim_->standing().kind;
  return kind == ClaimKind::kStandingBy || kind == ClaimKind::kJoining;
}

bool ClaimKeeper::Keep() {
  const ClaimStanding& standing = claim_->Serve(clock_.Steady());
  if (standing.kind == ClaimKind::kHeld) {
    ready_.Clear(kClaim, kafka_events::kClaimBack,
                 fmt::format("kafka: {}this process is its member again", GroupName()));
  } else if (standing.kind == ClaimKind::kLost) {
    if (!ready_.IsSet(kClaim)) board_.CountLostClaim();
    ready_.Set(kClaim, kafka_events::kClaimLost, "lost",
               fmt::format("kafka: {}the brokers have given this member up; commits wait until "
                           "it is a member again{}{}",
                           GroupName(), standing.text.empty() ? "" : ": ", standing.text));
  } else if (standing.kind == ClaimKind::kTaken) {
    FailTaken(standing);
    return false;
  }
  return true;  // in the other states a member with other topics has joined or left
}

bool ClaimKeeper::is_lost() const { return ready_.IsSet(kClaim); }

void ClaimKeeper::FailTaken(const ClaimStanding& standing) {
  board_.Fail(Error{ErrorCode::kUnavailable,
                    fmt::format("{}another instance has taken it over ({}); this one ends, and "
                                "stands by when it is started again",
                                GroupName(), standing.text)});
}

std::string ClaimKeeper::GroupName() const { return fmt::format("group {}: ", spec_.group); }

// The names of the claims that have committed for the partitions (RewindMetadata::by).
Result<std::set<std::string>> ClaimKeeper::Committers() {
  const auto pairs = FindPartitions(consumer_, spec_);
  if (!pairs) return pairs.error();
  if (pairs.value().empty()) return std::set<std::string>();
  const auto commits = consumer_.brokers().Committed(pairs.value(), kClaimQuestion);
  if (!commits) return commits.error();
  std::set<std::string> committers;
  for (const PartitionOffset& commit : commits.value()) {
    if (commit.metadata == LagReport::kMark) continue;
    const std::optional<RewindMetadata> metadata = ParseRewindMetadata(commit.metadata);
    committers.insert(metadata ? metadata->by : "");
  }
  return committers;
}

Result<bool> ClaimKeeper::Untouched() {
  Result<std::set<std::string>> committers = Committers();
  if (!committers) return std::move(committers).error();
  return std::ranges::includes(*committers_, committers.value());
}

}  // namespace sash
