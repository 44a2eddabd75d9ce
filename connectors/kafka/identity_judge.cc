#include "connectors/kafka/identity_judge.h"

#include <fmt/format.h>

#include <thread>
#include <utility>
#include <vector>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/start_offsets.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kBetweenTestimonies{500};

}  // namespace

void IdentityJudge::Resolve(std::chrono::milliseconds patience) {
  AskWitness();
  if (!witness_.is_asked()) return std::this_thread::sleep_for(patience);
  for (const auto& [pair, testimony] : witness_.Take(patience)) {
    ReadPartition* partition = partitions_.Find(pair.topic, pair.partition);
    if (partition == nullptr || !partition->identity.doubtful) continue;
    if (partition->identity.doubt <= asked_doubts_) Judge(testimony, *partition);
  }
  RereadSkipped();
}

void IdentityJudge::AskWitness() {
  const SteadyTime now = clock_.Steady();
  const bool is_new = asked_doubts_ != doubts_.newest();
  if (witness_.is_asked() || (!is_new && now - asked_at_ < kBetweenTestimonies)) return;
  Anchors anchors;
  for (const ReadPartition& partition : partitions_) {
    if (partition.identity.doubtful) anchors[partition.pair] = *partition.identity.anchor;
  }
  if (anchors.empty()) return;
  asked_doubts_ = doubts_.newest();
  asked_at_ = now;
  witness_.Ask(std::move(anchors));
}

void IdentityJudge::Judge(const Testimony& testimony, ReadPartition& partition) {
  const std::string name = NameOf(partition.pair);
  switch (testimony.kind) {
    case Testimony::Kind::kUnknown:
      partition.failed = true;
      return ready_.Set(
          name, kafka_events::kPartitionDoubted, "doubtful",
          fmt::format("kafka: {}: it is not known yet whether this is still the same partition: {}",
                      name, testimony.text),
          {{"topic", partition.pair.topic}, {"partition", partition.pair.partition}});
    case Testimony::Kind::kOther:
      if (!Renew(partition, testimony.text)) return;
      break;
    case Testimony::Kind::kGone:
      log_.Log(kafka_events::kPartitionUnproven,
               fmt::format("kafka: {}: it is not known whether the topic was created again: {}",
                           name, testimony.text),
               {{"topic", partition.pair.topic}, {"partition", partition.pair.partition}});
      break;
    case Testimony::Kind::kSame:
      break;
  }
  partition.identity.doubtful = false;
  partition.repair.check_end = true;  // its end may have moved
  if (ready_.IsSet(name) && !partition.repair.unreadable) partitions_.Recover(partition);
}

// The life that was read leaves, and a new one joins. False: its beginning is not known yet.
bool IdentityJudge::Renew(ReadPartition& partition, const std::string& found) {
  const Result<LogBounds> bounds = assignment_.AskForBounds(partition);
  if (!bounds) return false;
  const StartDecision decision = DecideRenewal(found, bounds.value());
  round_.last().AddMark(Mark::Kind::kLeaves, partition.index);
  const PartitionIndex index = table_.Renew(partition.pair.topic, partition.pair.partition);
  ReadPartition renewed = partitions_.Joining(partition.pair, index, decision.offset,
                                              bounds.value().high, clock_.Steady());
  renewed.paused = partition.paused;
  renewed.paused_at = partition.paused_at;
  renewed.reach.reachable = partition.reach.reachable;
  renewed.reach.misses = partition.reach.misses;
  renewed.failed = partition.failed;
  renewed.identity.skipped = true;
  partition = std::move(renewed);
  round_.last().AddMark(Mark::Kind::kJoins, partition.index, partition.position);
  round_.last().AddMark(Mark::Kind::kGap, partition.index);
  // Unlike a partition that is added, it was read before, so windows wait for its records.
  if (!partition.reach.reachable || partition.begins) partitions_.MarkBehind(partition);
  ++counters_.partitions_renewed;
  log_.Log(kafka_events::kPartitionRenewed,
           fmt::format("kafka: {}: {}", NameOf(partition.pair), decision.remark),
           {{"topic", partition.pair.topic},
            {"partition", partition.pair.partition},
            {"offset", decision.offset}});
  return true;
}

void IdentityJudge::RereadSkipped() {
  std::vector<ReadPartition*> skipped;
  for (ReadPartition& partition : partitions_) {
    if (!partition.identity.doubtful && std::exchange(partition.identity.skipped, false)) {
      skipped.push_back(&partition);
    }
  }
  if (skipped.empty()) return;
  if (skipped.size() == 1 && !skipped.front()->paused) {
    return assignment_.Reposition(*skipped.front());
  }
  assignment_.AssignAll();
}

}  // namespace sash
