#include "daemon/http/wait_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/time_text.h"
#include "daemon/http/axis_text.h"
#include "daemon/http/wait_phrases.h"

namespace sash {
namespace {

// This number of consecutive late or refused records is not explained by ordinary disorder.
constexpr std::uint64_t kNoAccident = 10;

class CauseSearch {
 public:
  CauseSearch(const WaitSurroundings& around, const WindowWait& wait)
      : around_(around), wait_(wait) {}

  WaitCause Cause() const {
    if (around_.stream.ended) {
      return Because(WaitReason::kEndOfSource, "the source has ended");
    }
    for (const JobStatus& job : around_.jobs) {
      if (!job.holds) continue;
      return Because(WaitReason::kJobQueue,
                     fmt::format("the stream waits for job '{}', which has {} waiting", job.name,
                                 Counted(job.waiting, "advance")));
    }
    const bool waits_for_clock = by(WindowAxis::kProcessingTime) && wait_.window.next_end;
    if (around_.intake_held && !waits_for_clock) {
      return Because(WaitReason::kMemory, "reading has stopped, because memory is full");
    }
    if (waits_for_clock) return CauseByClock();
    if (std::ranges::none_of(wait_.partitions, IsAssigned)) return CauseWithoutPartitions();
    if (std::ranges::none_of(wait_.partitions, HasEvent)) return CauseWithoutEvents();
    if (!wait_.window.next_end) return CauseInSilence();
    return by(WindowAxis::kEvents) ? CauseByEvents() : CauseByEventTime();
  }

 private:
  static WaitCause Because(WaitReason reason, std::string clause) {
    return {reason, std::move(clause)};
  }

  bool by(WindowAxis axis) const { return wait_.window.by == axis; }
  Duration Disorder() const { return around_.policy.disorder; }

  static bool IsAssigned(const PartitionWait& partition) { return partition.standing.assigned; }
  static bool HasEvent(const PartitionWait& partition) {
    return partition.standing.newest.has_value();
  }
  static bool IsUnreadable(const PartitionWait& partition) { return !partition.readable; }

  WaitCause CauseByClock() const {
    if (*wait_.missing > Duration(0)) {
      return Because(WaitReason::kClock, fmt::format("that is in {}", AboutText(*wait_.missing)));
    }
    return Advancing();
  }

  static WaitCause Advancing() { return Because(WaitReason::kAdvancing, "it is being made now"); }

  // Quotes the source's reason that names the partition; otherwise its first reason.
  WaitCause Unreadable(const PartitionWait* partition = nullptr) const {
    const std::vector<std::string>& reasons = around_.source.not_ready;
    auto said = reasons.end();
    if (partition != nullptr) {
      said = std::ranges::find_if(reasons, [&](const std::string& reason) {
        return reason.find(partition->name()) != std::string::npos;
      });
    }
    if (said == reasons.end()) said = reasons.begin();
    return Because(
        WaitReason::kSource,
        fmt::format("{} cannot be read{}{}",
                    partition != nullptr ? partition->name() : "the source",
                    said == reasons.end() ? "" : ": ", said == reasons.end() ? "" : *said));
  }

  WaitCause CauseWithoutPartitions() const {
    if (!around_.source.not_ready.empty()) return Unreadable();
    return Because(WaitReason::kNoPartition, "the source has no partition assigned yet");
  }

  WaitCause CauseWithoutEvents() const {
    if (std::ranges::any_of(wait_.partitions, IsUnreadable)) return Unreadable();
    if (const PartitionWait* const ahead = FindAhead()) return Ahead(*ahead);
    const auto refused = std::ranges::max_element(
        wait_.partitions, {}, [](const PartitionWait& p) { return p.standing.refused; });
    if (refused->standing.refused > 0) return Refused(*refused);
    if (const std::int64_t lag = Lag(); lag > 0) return Unread("the source", lag);
    return Because(WaitReason::kNoEvent, "no event has come yet" + Filtered());
  }

  WaitCause CauseInSilence() const {
    if (std::ranges::any_of(wait_.partitions, IsUnreadable)) return Unreadable();
    if (const PartitionWait* const ahead = FindAhead()) return Ahead(*ahead);
    for (const PartitionWait& partition : wait_.partitions) {
      if (partition.standing.late >= kNoAccident) return Late(partition);
      if (partition.standing.refused >= kNoAccident) return Refused(partition);
    }
    if (const std::int64_t lag = Lag(); lag > 0) return Unread("the source", lag);
    return Because(
        WaitReason::kSilence,
        fmt::format("the window is empty, and it waits for an event {}"
                    "(empty_windows: {}){}",
                    around_.window.filter().empty() ? "" : "that passes its filter ",
                    around_.window.empty_windows == EmptyWindows::kOnce ? "once" : "skip",
                    Filtered()));
  }

  std::string Filtered() const {
    const SourceStatus& source = around_.source;
    std::string text;
    if (source.filtered > 0) {
      text = fmt::format("; {} left out {} of {}",
                         source.mappings.empty() ? "where and skip have" : "the mappings have",
                         source.filtered, Counted(source.records, "record"));
    }
    if (source.unmapped > 0) {
      text +=
          fmt::format("; no mapping takes the topics of {}", Counted(source.unmapped, "record"));
    }
    return text;
  }

  WaitCause CauseByEvents() const {
    if (*wait_.missing_events == 0) {
      return Because(WaitReason::kEvents,
                     "it is published when one more event comes, or when everything has been read");
    }
    if (std::ranges::all_of(wait_.partitions, IsUnreadable)) return Unreadable();
    if (const PartitionWait* const ahead = FindAhead()) return Ahead(*ahead);
    if (const std::int64_t lag = Lag(); lag > 0) return Unread("the source", lag);
    for (const PartitionWait& partition : wait_.partitions) {
      if (partition.standing.refused >= kNoAccident) return Refused(partition);
    }
    return Because(WaitReason::kEvents, "they have not come yet" + Filtered());
  }

  WaitCause CauseByEventTime() const {
    if (wait_.missing && *wait_.missing == Duration(0)) return Advancing();
    const PartitionWait& first = wait_.partitions.front();
    if (!first.holds) return CauseWhenAllAreIdle();
    if (!first.readable) return Unreadable(&first);
    if (first.held_ahead > 0) return Ahead(first);
    const std::uint64_t accident = first.standing.newest ? kNoAccident : 1;
    if (first.standing.late >= accident) return Late(first);
    if (first.standing.refused >= accident) return Refused(first);
    if (first.paused) {
      return Because(WaitReason::kPaused,
                     fmt::format("{} is paused, because it was ahead of others by more than "
                                 "max_drift ({})",
                                 first.name(), AboutText(around_.policy.max_drift)));
    }
    if (first.lag.value_or(0) > 0) return Unread(first.name(), *first.lag, NewestPhrase(first));
    if (!first.standing.newest || OthersHavePassed()) {
      return Because(WaitReason::kSilentPartition, SilentPhrase(first, around_.policy.idle_after));
    }
    if (*first.standing.newest >= *wait_.needed - Disorder()) {
      return Because(WaitReason::kDisorder,
                     fmt::format("{} has an event of {}, but it waits for out-of-order events, "
                                 "until an event of {} comes (disorder: {})",
                                 first.name(), TimeText(*first.standing.newest),
                                 TimeText(*wait_.needed), AboutText(Disorder())));
    }
    return Because(WaitReason::kEvents,
                   fmt::format("{} needs an event of {} or later (disorder: {}){}{}", first.name(),
                               TimeText(*wait_.needed), AboutText(Disorder()), NewestPhrase(first),
                               AlsoWaiting()));
  }

  WaitCause CauseWhenAllAreIdle() const {
    const auto active = [](const PartitionWait& p) {
      return p.standing.assigned && !p.standing.idle;
    };
    if (std::ranges::any_of(wait_.partitions, active)) return Advancing();
    if (around_.policy.on_silence == SilencePolicy::kClock) {
      const Duration left = TimeUntil(around_.stream.wall, *wait_.needed);
      return Because(WaitReason::kClock,
                     fmt::format("all partitions are silent, so the watermark follows the clock "
                                 "(on_silence: clock) and gets there in {}",
                                 AboutText(left)));
    }
    return Because(WaitReason::kAllIdle,
                   fmt::format("all partitions are silent, and the watermark does not move until "
                               "an event of {} or later comes (on_silence: hold)",
                               TimeText(*wait_.needed)));
  }

  // True if other partitions have passed: then only the silence of the first one holds the
  // watermark.
  bool OthersHavePassed() const {
    return wait_.partitions.front().standing.caught_up &&
           std::ranges::any_of(wait_.partitions, [](const PartitionWait& partition) {
             return partition.standing.assigned && !partition.standing.idle && !partition.holds;
           });
  }

  const PartitionWait* FindAhead() const {
    const auto found = std::ranges::find_if(
        wait_.partitions, [](const PartitionWait& partition) { return partition.held_ahead > 0; });
    return found == wait_.partitions.end() ? nullptr : &*found;
  }

  WaitCause Ahead(const PartitionWait& partition) const {
    return Because(WaitReason::kAhead, AheadPhrase(partition, around_.policy, around_.stream.wall));
  }

  static WaitCause Late(const PartitionWait& partition) {
    return Because(WaitReason::kLate, LatePhrase(partition));
  }

  static WaitCause Refused(const PartitionWait& partition) {
    return Because(WaitReason::kRefused, RefusedPhrase(partition));
  }

  static WaitCause Unread(std::string_view where, std::int64_t lag, std::string_view more = {}) {
    return Because(WaitReason::kUnread,
                   fmt::format("{} has {} still to be read{}", where,
                               Counted(static_cast<std::uint64_t>(lag), "record"), more));
  }

  std::int64_t Lag() const {
    return std::accumulate(
        wait_.partitions.begin(), wait_.partitions.end(), std::int64_t{0},
        [](std::int64_t sum, const PartitionWait& p) { return sum + p.lag.value_or(0); });
  }

  std::string AlsoWaiting() const {
    const auto others = std::ranges::count_if(wait_.partitions, &PartitionWait::holds) - 1;
    if (others == 0) return {};
    if (others == 1) return "; so does 1 other partition";
    return fmt::format("; so do {} other partitions", others);
  }

  const WaitSurroundings& around_;
  const WindowWait& wait_;
};

}  // namespace

WaitCause FindCause(const WaitSurroundings& around, const WindowWait& wait) {
  return CauseSearch(around, wait).Cause();
}

}  // namespace sash
