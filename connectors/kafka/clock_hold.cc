#include "connectors/kafka/clock_hold.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {
namespace {

constexpr std::chrono::minutes kLiveFor{1};
constexpr const char* kAhead = "ahead";

}  // namespace

ClockHold::ClockHold(ReadPartitions& partitions, ReadRound& round, KafkaCounters& counters,
                     ReadyState& ready, EventLog& log, const TimePolicy& policy, KeyKind keys,
                     bool has_span)
    : partitions_(partitions),
      round_(round),
      counters_(counters),
      ready_(ready),
      log_(log),
      ahead_limit_(policy.ahead_limit),
      live_for_(std::min<Duration>(policy.ahead_limit, kLiveFor)),
      is_on_(policy.check_ahead && !has_span),
      gate_(policy, keys) {}

void ClockHold::Serve(bool memory_is_short) {
  if (!is_on_) return;
  for (const ReadPartition& partition : partitions_) {
    gate_.Know(partition.index, {.live = partition.IsLive(round_.steady()),
                                 .at_end = partition.IsAtEnd(),
                                 .awaited_until = partition.awaited_until});
  }
  gate_.Begin(round_.now(), round_.steady(), memory_is_short);
  const std::uint64_t before = gate_.dropped();
  gate_.Pass(round_.batches(), round_.any_ahead());
  if (const std::uint64_t lost = gate_.dropped() - before; lost > 0) {
    counters_.lost_records += lost;
    log_.Log(kafka_events::kPartitionGap,
             fmt::format("kafka: {} records that waited for the clock are lost: their topic was "
                         "deleted, so they cannot be read again",
                         lost),
             {{"lost", lost}});
  }
  Report();
}

// Only after AheadGate::kPatience: a single wrong event is usually found within that time.
void ClockHold::Report() {
  std::uint64_t events = 0;
  std::string names;
  EventTime farthest = EventTime::min();
  for (const ReadPartition& partition : partitions_) {
    const std::optional<AheadGate::Head> head = gate_.HeadOf(partition.index);
    if (!head || round_.steady() - head->since < AheadGate::kPatience) continue;
    events += head->events;
    farthest = std::max(farthest, head->time);
    names += (names.empty() ? "" : ", ") + NameOf(partition.pair);
  }
  if (events == 0) {
    return ready_.Clear(kAhead, kafka_events::kAheadReleased,
                        "kafka: no record waits for the clock any more");
  }
  using std::chrono::floor;
  using std::chrono::seconds;
  const auto now = floor<seconds>(round_.now());
  const auto ahead_by = floor<seconds>(farthest) - now;
  ready_.Set(
      kAhead, kafka_events::kAheadHeld, "ahead",
      fmt::format("kafka: {} records wait, none is refused: in {} the next event is {} s ahead "
                  "of this machine's clock, which shows {:%FT%TZ} (source.time.ahead_limit: "
                  "{:g} s); is the clock behind? Reading goes on by itself when it is right",
                  events, names, ahead_by.count(), now,
                  std::chrono::duration<double>(ahead_limit_).count()),
      {{"records", events}, {"seconds", ahead_by.count()}});
}

}  // namespace sash
