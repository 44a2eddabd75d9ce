#include "connectors/kafka/group_commits.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/rewind_metadata.h"

namespace sash {
namespace {

// The longest wait for an outcome at once, so that callbacks are served in between.
constexpr std::chrono::milliseconds kOutcomePatience{20};

Error NotSent(std::string_view why) {
  return {ErrorCode::kUnavailable, fmt::format("commit: {}", why)};
}

}  // namespace

void GroupCommits::Open(ConsumerHandle& consumer, GroupClaim* claim) {
  consumer_ = &consumer;
  claim_ = claim;
}

void GroupCommits::Serve(bool reachable) {
  if (lane_.in_flight()) {
    if (IsOrphaned()) {
      Finish(NotSent("the group's member was given up before the answer came"));
    } else if (const auto outcome = commits().TakeOutcome(std::chrono::milliseconds(0))) {
      Finish(*outcome);
    }
  }
  if (!reachable || !IsMember()) return;
  if (const auto point = lane_.Take(clock_.Steady())) Send(*point);
}

void GroupCommits::SendLast(bool reachable, std::chrono::milliseconds patience) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  AwaitOutcome(deadline);
  if (const auto point = lane_.TakeLast()) {
    if (!reachable) return Finish(NotSent("no broker can be reached"));
    if (!IsMember()) return Finish(NotSent("this process is not a member of the group"));
    Send(*point);
    AwaitOutcome(deadline);
  }
  if (lane_.in_flight()) {
    Finish(NotSent(fmt::format("no answer within {} s", patience.count() / 1000)));
  }
}

void GroupCommits::AwaitOutcome(SteadyTime deadline) {
  while (lane_.in_flight() && !IsOrphaned()) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    if (const auto outcome = commits().TakeOutcome(std::min(left, kOutcomePatience))) {
      Finish(*outcome);
    }
    consumer_->ServeCallbacks();
  }
}

void GroupCommits::Send(const RewindPoint& point) {
  std::vector<PartitionOffset> positions;
  positions.reserve(point.positions.size());
  std::size_t left_out = 0;
  RewindMetadata metadata = ToMetadata(point);
  if (claim_ != nullptr) metadata.by = claim_->name();
  for (const RewindPosition& position : point.positions) {
    // An offset in a topic that was deleted means nothing in the topic that replaced it.
    if (!partitions_.IsNewest(position.partition)) continue;
    metadata.newest_before = position.newest_before;
    metadata.last = position.anchor;
    positions.push_back({partitions_.At(position.partition), position.offset,
                         FormatRewindMetadata(metadata, &left_out)});
  }
  if (left_out > 0 && !std::exchange(said_left_out_, true)) {
    log_.Log(
        kafka_events::kCommitShortened,
        fmt::format("kafka: the names of {} windows do not fit into the commit's metadata; their "
                    "newest windows are published again after a restart",
                    left_out));
  }
  if (positions.empty()) return lane_.Finished(true, clock_.Steady());
  if (claim_ != nullptr) sent_by_ = claim_->member();
  if (const Status sent = commits().Send(positions); !sent) Finish(sent);
}

void GroupCommits::Finish(const Status& outcome) {
  lane_.Finished(outcome.ok(), clock_.Steady());
  ++(outcome.ok() ? succeeded_ : failed_);
  const std::string failure = outcome.ok() ? "" : outcome.error().message;
  if (failure == std::exchange(failure_, failure)) return;
  if (outcome.ok()) {
    log_.Log(kafka_events::kCommitResumed, "kafka: committing again");
  } else {
    log_.Log(kafka_events::kCommitFailed, fmt::format("kafka: {}", failure));
  }
}

}  // namespace sash
