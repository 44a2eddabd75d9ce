// Whether a partition is still the one that was read: a topic may be deleted and made anew.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/stream_reader.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kBetweenTestimonies{500};
// The thread looks around every 20 ms or so; who was stopped does not.
constexpr std::chrono::milliseconds kStandstill{300};
// So long others wait with a partition that is doubted.
constexpr std::chrono::milliseconds kMostWaiting{1000};
constexpr std::chrono::seconds kLongestDoubt{5};

}  // namespace

// What is kept of the round's last records becomes what their partitions are known again by.
void StreamReader::SumUp() {
  bool any = false;
  for (Partition& partition : partitions_) {
    if (!std::exchange(partition.has_last, false)) continue;
    any = true;
    partition.anchor = AnchorOf(partition.last);
    last_batch().NoteAnchor(partition.index, *partition.anchor);
  }
  if (any) consumer_.LetGoLast();
}

// Behind the poll of what may have come after a break, and before it is used.
bool StreamReader::LookForBreaks(std::chrono::milliseconds busy) {
  timespec time{};
  // It takes a few nanoseconds, and is as many milliseconds coarse.
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  const auto now = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  const std::chrono::nanoseconds before = std::exchange(looked_at_, now);
  const bool stood_still = before.count() != 0 && now - before > kStandstill + busy;
  const std::uint64_t breaks = consumer_.breaks();
  if (std::exchange(breaks_, breaks) == breaks && !stood_still) return false;
  DoubtAll();
  return true;
}

Result<LogBounds> StreamReader::AskForBounds(const Partition& partition) {
  Result<LogBounds> bounds = consumer_.QueryBounds(partition.pair, kQuestionTimeout);
  LookForBreaks(kQuestionTimeout);
  return bounds;
}

void StreamReader::StayAwake() { LookForBreaks(); }

void StreamReader::DoubtAll() {
  for (Partition& partition : partitions_) Doubt(partition);
}

// One of which nothing was read has nothing that could be another's.
void StreamReader::Doubt(Partition& partition) {
  if (span_ || partition.finished) return;
  if (partition.has_last) SumUp();
  if (!partition.anchor) return;
  const SteadyTime now = clock_.Steady();
  if (!std::exchange(partition.doubtful, true)) partition.doubted_at = now;
  // Doubts that come faster than they are resolved must not hold it up for ever.
  if (now - partition.doubted_at < kLongestDoubt) partition.doubt = ++doubts_;
  MarkBehind(partition);
}

bool StreamReader::WaitsForWitness() const {
  const SteadyTime now = clock_.Steady();
  return std::ranges::any_of(partitions_, [now](const Partition& partition) {
    return partition.doubtful && partition.reachable && now - partition.doubted_at < kMostWaiting;
  });
}

void StreamReader::ResolveDoubts(std::chrono::milliseconds patience) {
  AskWitness();
  if (!witness_.is_asked()) return std::this_thread::sleep_for(patience);
  for (const auto& [pair, testimony] : witness_.Take(patience)) {
    Partition* partition = Find(pair.topic, pair.partition);
    if (partition == nullptr || !partition->doubtful) continue;
    // It may have read before the newest break.
    if (partition->doubt <= asked_doubts_) Judge(testimony, *partition);
  }
  RereadSkipped();
}

void StreamReader::AskWitness() {
  const SteadyTime now = clock_.Steady();
  const bool is_new = asked_doubts_ != doubts_;
  if (witness_.is_asked() || (!is_new && now - asked_witness_ < kBetweenTestimonies)) return;
  Anchors anchors;
  for (const Partition& partition : partitions_) {
    if (partition.doubtful) anchors[partition.pair] = *partition.anchor;
  }
  if (anchors.empty()) return;
  asked_doubts_ = doubts_;
  asked_witness_ = now;
  witness_.Ask(std::move(anchors));
}

void StreamReader::Judge(const Testimony& testimony, Partition& partition) {
  const std::string name = NameOf(partition.pair);
  switch (testimony.kind) {
    case Testimony::Kind::kUnknown:
      partition.failed = true;
      return ready_.Set(
          name, kafka_events::kPartitionDoubted, "doubtful",
          fmt::format("kafka: {}: whether it is still the partition that was read is not known "
                      "yet: {}",
                      name, testimony.text),
          {{"topic", partition.pair.topic}, {"partition", partition.pair.partition}});
    case Testimony::Kind::kOther:
      if (!Renew(partition, testimony.text)) return;
      break;
    case Testimony::Kind::kGone:
      log_.Log(kafka_events::kPartitionUnproven,
               fmt::format("kafka: {}: whether the topic was made anew meanwhile is not known: {}",
                           name, testimony.text),
               {{"topic", partition.pair.topic}, {"partition", partition.pair.partition}});
      break;
    case Testimony::Kind::kSame:
      break;
  }
  partition.doubtful = false;
  partition.check_end = true;  // whether it still is where it was
  if (ready_.IsSet(name) && !partition.unreadable) Recovered(partition);
}

// The life that was read is over, and leaves; a new one joins. False: its begin is not known yet.
bool StreamReader::Renew(Partition& partition, const std::string& found) {
  const Result<LogBounds> bounds = AskForBounds(partition);
  if (!bounds) return false;
  const StartDecision decision = DecideRenewal(found, bounds.value());
  last_batch().AddMark(Mark::Kind::kLeaves, partition.index);
  Partition renewed;
  renewed.pair = partition.pair;
  renewed.index = table_.Renew(partition.pair.topic, partition.pair.partition);
  renewed.position = renewed.position_last_round = decision.offset;
  renewed.end = bounds.value().high;
  renewed.newest = LeastNewest();
  renewed.active_at = clock_.Steady();
  renewed.caught_up = true;
  renewed.begins = renewed.position < *renewed.end;
  renewed.paused = partition.paused;
  renewed.paused_at = partition.paused_at;
  renewed.reachable = partition.reachable;
  renewed.misses = partition.misses;
  renewed.failed = partition.failed;
  renewed.skipped = true;
  partition = std::move(renewed);
  last_batch().AddMark(Mark::Kind::kJoins, partition.index, partition.position);
  last_batch().AddMark(Mark::Kind::kGap, partition.index);
  if (!partition.reachable) MarkBehind(partition);
  ++counters_.partitions_renewed;
  log_.Log(kafka_events::kPartitionRenewed,
           fmt::format("kafka: {}: {}", NameOf(partition.pair), decision.remark),
           {{"topic", partition.pair.topic},
            {"partition", partition.pair.partition},
            {"offset", decision.offset}});
  return true;
}

// What was ignored is fetched again: it is theirs, or their new life's.
void StreamReader::RereadSkipped() {
  std::vector<Partition*> skipped;
  for (Partition& partition : partitions_) {
    if (!partition.doubtful && std::exchange(partition.skipped, false)) {
      skipped.push_back(&partition);
    }
  }
  if (skipped.empty()) return;
  if (skipped.size() == 1 && !skipped.front()->paused) return Reposition(*skipped.front());
  AssignAll();
}

}  // namespace sash
