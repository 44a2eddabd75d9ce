#include "connectors/kafka/identity_doubts.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "connectors/kafka/record_witness.h"

namespace sash {
namespace {

// The thread calls Look() every 20 ms or so, unless the process was stopped.
constexpr std::chrono::milliseconds kStandstill{300};
// The longest time that other partitions wait for a doubtful one.
constexpr std::chrono::milliseconds kMostWaiting{1000};
constexpr std::chrono::seconds kLongestDoubt{5};

}  // namespace

void IdentityDoubts::Reset() {
  breaks_ = consumer_.breaks();
  looked_at_ = {};
}

bool IdentityDoubts::Look(std::chrono::milliseconds busy) {
  timespec time{};
  // This clock takes a few nanoseconds to read, and has a resolution of a few milliseconds.
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  const auto now = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  const std::chrono::nanoseconds before = std::exchange(looked_at_, now);
  const bool stood_still = before.count() != 0 && now - before > kStandstill + busy;
  const std::uint64_t breaks = consumer_.breaks();
  if (std::exchange(breaks_, breaks) == breaks && !stood_still) return false;
  for (ReadPartition& partition : partitions_) Doubt(partition);
  return true;
}

void IdentityDoubts::Doubt(ReadPartition& partition) {
  ReadPartition::Identity& identity = partition.identity;
  if (has_span_ || partition.finished) return;
  if (identity.has_last) SumUp();
  if (!identity.anchor) return;
  const SteadyTime now = clock_.Steady();
  if (!std::exchange(identity.doubtful, true)) identity.doubted_at = now;
  // New doubts may come faster than the witness answers. After a while they no longer invalidate
  // its answer, so the doubt ends.
  if (now - identity.doubted_at < kLongestDoubt) identity.doubt = ++doubts_;
  partitions_.MarkBehind(partition);
}

void IdentityDoubts::SumUp() {
  bool any = false;
  for (ReadPartition& partition : partitions_) {
    if (!std::exchange(partition.identity.has_last, false)) continue;
    any = true;
    partition.identity.anchor = AnchorOf(partition.identity.last);
    round_.last().NoteAnchor(partition.index, *partition.identity.anchor);
  }
  if (any) consumer_.LetGoLast();
}

bool IdentityDoubts::HoldsReading() const {
  const SteadyTime now = clock_.Steady();
  return std::ranges::any_of(partitions_, [now](const ReadPartition& partition) {
    return partition.identity.doubtful && partition.reach.reachable &&
           now - partition.identity.doubted_at < kMostWaiting;
  });
}

}  // namespace sash
