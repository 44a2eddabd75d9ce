#include "connectors/kafka/drift_control.h"

#include <algorithm>

namespace sash {
namespace {

std::optional<EventTime> Least(std::optional<EventTime> a, std::optional<EventTime> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

std::optional<EventTime> DriftControl::Slowest(std::span<const Partition> partitions) const {
  std::optional<EventTime> slowest;
  for (const Partition& partition : partitions) {
    if (partition.idle) continue;
    slowest = Least(slowest, partition.newest ? partition.newest : first_);
  }
  return slowest;
}

DriftControl::Verdict DriftControl::Decide(std::span<const Partition> partitions,
                                           std::uint64_t open_events) {
  if (!first_) {
    for (const Partition& partition : partitions) first_ = Least(first_, partition.newest);
  }
  over_credit_ = open_events > (over_credit_ ? credit_ / 4 * 3 : credit_);
  const Duration limit = over_credit_ ? max_drift_ / 8 : max_drift_;
  const std::optional<EventTime> slowest = Slowest(partitions);

  Verdict verdict;
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    const Partition& partition = partitions[i];
    // Unsigned, because the distance of two times may not fit a signed number.
    const auto is_ahead_by = [&](Duration drift) {
      return partition.newest && slowest && *partition.newest > *slowest &&
             static_cast<std::uint64_t>(partition.newest->time_since_epoch().count()) -
                     static_cast<std::uint64_t>(slowest->time_since_epoch().count()) >
                 static_cast<std::uint64_t>(drift.count());
    };
    const auto has_to_wait = [&](Duration drift) {
      return partition.early || (!partition.awaited && is_ahead_by(drift));
    };
    if (!partition.paused && !partition.caught_up && has_to_wait(limit)) {
      verdict.pause.push_back(i);
    } else if (partition.paused && !has_to_wait(limit / 2)) {
      verdict.resume.push_back(i);
    }
  }
  return verdict;
}

}  // namespace sash
