#include "daemon/http/wait_phrases.h"

#include <fmt/format.h>

#include <algorithm>

#include "connectors/sinks/time_text.h"
#include "daemon/http/axis_text.h"

namespace sash {

std::string Counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

Duration TimeUntil(EventTime from, EventTime to) {
  if (to <= from) return Duration(0);
  const auto distance = static_cast<std::uint64_t>(to.time_since_epoch().count()) -
                        static_cast<std::uint64_t>(from.time_since_epoch().count());
  return Duration(static_cast<Duration::rep>(
      std::min(distance, static_cast<std::uint64_t>(Duration::max().count()))));
}

std::string NewestPhrase(const PartitionWait& partition) {
  if (!partition.standing.newest) return {};
  return fmt::format(", its newest event is of {}", TimeText(*partition.standing.newest));
}

std::string LatePhrase(const PartitionWait& partition) {
  const std::uint64_t late = partition.standing.late;
  return fmt::format("the newest {} of {} came after {} had closed{}",
                     late == 1 ? "event" : Counted(late, "event"), partition.name(),
                     late == 1 ? "its slice" : "their slices", NewestPhrase(partition));
}

std::string RefusedPhrase(const PartitionWait& partition) {
  const std::uint64_t refused = partition.standing.refused;
  return fmt::format("the newest {} of {} {} refused; the dead letters say why{}",
                     refused == 1 ? "record" : Counted(refused, "record"), partition.name(),
                     refused == 1 ? "was" : "were", NewestPhrase(partition));
}

std::string SilentPhrase(const PartitionWait& partition, Duration idle_after) {
  const std::string what =
      partition.standing.newest
          ? fmt::format("{} is silent{}", partition.name(), NewestPhrase(partition))
          : fmt::format("{} has never had an event", partition.name());
  const std::string until =
      partition.standing.caught_up
          ? fmt::format("it counts as idle in {}",
                        AboutText(std::max(Duration(0), idle_after - partition.standing.silent)))
          : std::string("it counts as idle once it is read to its end");
  return fmt::format("{}; {} (idle_after: {})", what, until, AboutText(idle_after));
}

std::string AheadPhrase(const PartitionWait& partition, const TimePolicy& policy, EventTime now) {
  const std::string limit = AboutText(policy.ahead_limit);
  const std::string held = Counted(partition.held_ahead, "event");
  const char* const wait = partition.held_ahead == 1 ? "waits" : "wait";
  if (!policy.check_ahead || !partition.ahead_time) {
    return fmt::format(
        "{} of {} {}, because the first is later than the events before it by more "
        "than ahead_limit ({}); the next records decide",
        held, partition.name(), wait, limit);
  }
  return fmt::format(
      "{} of {} {}, because the first is of {}, {} ahead of this machine's clock "
      "(ahead_limit: {}); is the clock behind? Reading continues when the clock is right, or when "
      "other records show that it is",
      held, partition.name(), wait, TimeText(*partition.ahead_time),
      AboutText(TimeUntil(now, *partition.ahead_time)), limit);
}

}  // namespace sash
