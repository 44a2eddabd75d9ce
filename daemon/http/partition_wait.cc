#include "daemon/http/partition_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

namespace sash {
namespace {

PartitionWait Describe(const TopicPartition& pair, const PartitionStanding& standing,
                       const TimePolicy& policy, std::optional<EventTime> needed) {
  PartitionWait wait{.pair = pair, .standing = standing, .passed = {}, .lag = {}, .ahead_time = {}};
  if (standing.newest) wait.passed = *standing.newest - policy.disorder;
  wait.holds =
      needed && standing.assigned && !standing.idle && (!wait.passed || *wait.passed < *needed);
  return wait;
}

bool ComesBefore(const PartitionWait& a, const PartitionWait& b) {
  if (a.holds != b.holds) return a.holds;
  // An empty `passed` sorts before every time.
  if (a.holds && a.passed != b.passed) return a.passed < b.passed;
  return a.pair < b.pair;
}

}  // namespace

std::string PartitionWait::name() const { return fmt::format("{}/{}", pair.topic, pair.partition); }

std::string_view PartitionWait::state() const {
  if (!standing.assigned) return "not_assigned";
  if (!readable) return "unreadable";
  if (held_ahead > 0) return "ahead";
  if (paused) return "paused";
  if (standing.idle) return "idle";
  return standing.newest ? "active" : "no_event";
}

std::vector<PartitionWait> GatherPartitions(const std::vector<PartitionStanding>& standings,
                                            const std::vector<TopicPartition>& pairs,
                                            const SourceStatus& source, const TimePolicy& policy,
                                            std::optional<EventTime> needed) {
  std::map<TopicPartition, const PartitionStatus*> known;
  for (const PartitionStatus& partition : source.partitions) {
    known[{partition.topic, partition.partition}] = &partition;
  }
  std::vector<PartitionWait> waits;
  std::map<std::pair<std::string_view, std::int32_t>, std::uint32_t> lives;
  for (const TopicPartition& pair : pairs) {
    std::uint32_t& newest = lives[{pair.topic, pair.partition}];
    newest = std::max(newest, pair.life);
  }
  for (std::size_t i = 0; i < standings.size() && i < pairs.size(); ++i) {
    // Nothing is awaited from an earlier life of a partition.
    if (pairs[i].life < lives[{pairs[i].topic, pairs[i].partition}]) continue;
    PartitionWait& wait = waits.emplace_back(Describe(pairs[i], standings[i], policy, needed));
    wait.pair.life = 0;
    const auto found = known.find(wait.pair);
    if (found == known.end()) continue;
    const PartitionStatus& status = *found->second;
    if (status.end) wait.lag = *status.end - status.position;
    wait.held_ahead = status.held_ahead;
    wait.ahead_time = status.ahead_time;
    wait.paused = status.paused;
    wait.readable = status.readable;
  }
  std::ranges::sort(waits, ComesBefore);
  return waits;
}

}  // namespace sash
