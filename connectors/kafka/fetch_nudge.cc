#include "connectors/kafka/fetch_nudge.h"

#include <cstdint>
#include <optional>

namespace sash {
namespace {

constexpr std::chrono::milliseconds kBetweenNudges{20};

}  // namespace

void FetchNudge::Serve() {
  const auto now = std::chrono::steady_clock::now();
  if (now - asked_at_ < kBetweenNudges) return;
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    const std::size_t place = (asked_ + 1 + i) % partitions_.size();
    const ReadPartition& partition = partitions_[place];
    if (!MayHaveStopped(partition)) continue;
    asked_at_ = now;
    asked_ = place;
    // When brokers do not answer, the thread must not spend most of its time waiting for them.
    if (!assignment_.AskForBounds(partition)) asked_at_ += 2 * Assignment::kQuestionTimeout;
    return;
  }
}

bool FetchNudge::MayHaveStopped(const ReadPartition& partition) const {
  if (partition.paused || !partition.reach.reachable || partition.repair.reposition ||
      partition.identity.doubtful) {
    return false;
  }
  // Before the first record the fetcher is still starting, and a question would delay it.
  if (!partition.repair.delivers) return false;
  const std::optional<std::int64_t> end = consumer_.KnownEnd(partition.pair);
  return end && *end > partition.position;
}

}  // namespace sash
