#include "connectors/kafka/stream_opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "connectors/kafka/lag_report.h"
#include "connectors/kafka/log_events.h"
#include "connectors/kafka/record_witness.h"
#include "connectors/kafka/rewind_metadata.h"
#include "connectors/kafka/topic_choice.h"

namespace sash {
namespace {

// Short, so that Stop() need not wait. After a timeout the next attempt asks again.
constexpr std::chrono::milliseconds kOpeningTimeout{2000};
// The witness opens its own consumer, which has to connect first. It notices Stop().
constexpr std::chrono::milliseconds kWitnessTimeout{5000};

// The offsets that the policy asks for, and the metadata of the commits, by partition.
struct Wishes {
  std::map<TopicPartition, std::int64_t> offsets;
  std::map<TopicPartition, std::optional<RewindMetadata>> metadata;
};

Result<Wishes> FindWishes(ConsumerHandle& consumer, const StartPolicy& policy,
                          const std::vector<TopicPartition>& pairs) {
  Wishes wishes;
  if (const auto* wanted = std::get_if<StartExplicit>(&policy)) {
    for (const auto& [topic, offsets] : wanted->offsets) {
      for (const auto& [partition, offset] : offsets) wishes.offsets[{topic, partition}] = offset;
    }
  } else if (const auto* timestamp = std::get_if<StartTimestamp>(&policy)) {
    const auto found = consumer.brokers().OffsetsAt(pairs, timestamp->time, kOpeningTimeout);
    if (!found) return found.error();
    for (const PartitionOffset& position : found.value()) {
      if (position.offset >= 0) wishes.offsets[position.pair] = position.offset;
    }
  } else if (std::holds_alternative<StartCommitted>(policy)) {
    const auto commits = consumer.brokers().Committed(pairs, kOpeningTimeout);
    if (!commits) return commits.error();
    for (const PartitionOffset& commit : commits.value()) {
      if (commit.metadata == LagReport::kMark) continue;  // of another instance
      wishes.offsets[commit.pair] = commit.offset;
      wishes.metadata[commit.pair] = ParseRewindMetadata(commit.metadata);
    }
  }
  return wishes;
}

using Bounds = std::map<TopicPartition, LogBounds>;

ResumedPartition HowItStood(const KafkaSpec& spec, const PartitionTable& table,
                            const TopicPartition& pair) {
  const auto found = spec.resume.find(table.Newest(pair.topic, pair.partition));
  return found == spec.resume.end() ? ResumedPartition{} : found->second;
}

// The records by which the partitions are recognised: each was read before the state was saved, or
// before the commit.
Anchors FindAnchors(const KafkaSpec& spec, const PartitionTable& table, const Wishes& wishes,
                    const std::vector<TopicPartition>& pairs) {
  Anchors anchors;
  if (spec.span) return anchors;
  for (const TopicPartition& pair : pairs) {
    std::optional<RecordAnchor> anchor = HowItStood(spec, table, pair).anchor;
    const auto commit = wishes.metadata.find(pair);
    if (!anchor && commit != wishes.metadata.end() && commit->second) anchor = commit->second->last;
    if (anchor) anchors[pair] = *anchor;
  }
  return anchors;
}

// An error when some of the answers are kUnknown.
Result<Testimonies> AskWitness(const KafkaSpec& spec, const Anchors& anchors,
                               const std::stop_token& stop) {
  Testimonies testimonies;
  ReadAgain(spec, anchors, kWitnessTimeout, stop,
            [&](const TopicPartition& pair, const Testimony& testimony) {
              testimonies[pair] = testimony;
            });
  for (const auto& [pair, testimony] : testimonies) {
    if (testimony.kind != Testimony::Kind::kUnknown) continue;
    return Error{ErrorCode::kUnavailable,
                 fmt::format("{}: it is not known whether this is still the same partition: {}",
                             NameOf(pair), testimony.text)};
  }
  return testimonies;
}

bool IsRenewed(const Testimonies& testimonies, const TopicPartition& pair) {
  const auto found = testimonies.find(pair);
  return found != testimonies.end() && found->second.kind == Testimony::Kind::kOther;
}

// Why the stream cannot continue from its saved state; nothing when it can.
std::optional<std::string> WhyElsewhere(const KafkaSpec& spec, const PartitionTable& table,
                                        const Wishes& wishes, const Bounds& bounds,
                                        const Testimonies& testimonies) {
  for (const auto& [pair, limits] : bounds) {
    const ResumedPartition stood = HowItStood(spec, table, pair);
    if (!stood.reached || !stood.next) continue;
    if (IsRenewed(testimonies, pair)) {
      return fmt::format("{}: the topic was created again ({})", NameOf(pair),
                         testimonies.at(pair).text);
    }
    if (*stood.next < limits.low) {
      return fmt::format("{}: offset {} is no longer retained", NameOf(pair), *stood.next);
    }
    if (*stood.next > limits.high) {
      return fmt::format("{}: offset {} is beyond the end", NameOf(pair), *stood.next);
    }
    const auto commit = wishes.offsets.find(pair);
    if (commit == wishes.offsets.end()) continue;
    if (!wishes.metadata.at(pair)) {
      return fmt::format("{}: the commit is not from Sash", NameOf(pair));
    }
    if (commit->second < *stood.next || commit->second > *stood.reached) {
      return fmt::format("{}: the commit {} is not between {} and {}", NameOf(pair), commit->second,
                         *stood.next, *stood.reached);
    }
  }
  return std::nullopt;
}

// Records before the span are not a gap, unless retention may have removed records of the span.
void BeginSpan(const LogBounds& bounds, OpenedPartition& partition) {
  StartDecision& start = partition.start;
  partition.until = bounds.high;
  start.gap = start.offset == bounds.low && bounds.low > 0 && bounds.low < bounds.high;
  if (start.gap) {
    start.remark = fmt::format(
        "the first retained record, at offset {}, is not before the beginning: retention may have "
        "taken records",
        bounds.low);
  }
}

void ReportUnproven(const Testimonies& testimonies, EventLog& log) {
  for (const auto& [pair, testimony] : testimonies) {
    if (testimony.kind != Testimony::Kind::kGone) continue;
    log.Log(kafka_events::kPartitionUnproven,
            fmt::format("kafka: {}: it is not known whether the topic was created again: {}",
                        NameOf(pair), testimony.text),
            {{"topic", pair.topic}, {"partition", pair.partition}});
  }
}

void Report(const OpenedStream& stream, const Wishes& wishes, EventLog& log) {
  for (const OpenedPartition& partition : stream.partitions) {
    const StartDecision& start = partition.start;
    const TopicPartition& pair = partition.pair;
    log.Log(kafka_events::kPartitionStarts,
            fmt::format("kafka: {}: reading starts at offset {}{}{}", NameOf(pair), start.offset,
                        start.resumed ? ", where it stopped" : "",
                        start.gap ? ", records before it are not read" : ""),
            {{"topic", pair.topic}, {"partition", pair.partition}, {"offset", start.offset}});
    if (!start.remark.empty()) {
      log.Log(partition.renewed ? kafka_events::kPartitionRenewed : kafka_events::kPartitionMoved,
              fmt::format("kafka: {}: {}", NameOf(pair), start.remark),
              {{"topic", pair.topic}, {"partition", pair.partition}, {"offset", start.offset}});
    }
  }
  for (const auto& [pair, metadata] : wishes.metadata) {
    if (metadata) continue;
    log.Log(kafka_events::kCommitForeign,
            fmt::format(
                "kafka: {}: the commit's metadata is not from Sash, or from another version: only "
                "its offset is used, and windows may be published again",
                NameOf(pair)),
            {{"topic", pair.topic}, {"partition", pair.partition}});
  }
}

Result<std::vector<TopicPartition>> FindMatching(ConsumerHandle& consumer, const KafkaSpec& spec) {
  const auto counts = consumer.brokers().AllPartitionCounts(kOpeningTimeout);
  if (!counts) return counts.error();
  const TopicChoice choice(spec);
  std::vector<TopicPartition> pairs;
  for (const auto& [topic, count] : counts.value()) {
    if (!choice.Takes(topic)) continue;
    for (std::int32_t partition = 0; partition < count; ++partition) {
      pairs.push_back({topic, partition});
    }
  }
  if (!pairs.empty()) return pairs;
  return Error{ErrorCode::kNotFound,
               fmt::format("no topic matches the pattern `{}`", spec.topic_pattern)};
}

// A partition of which the state knows nothing has joined since then. So it is read from its
// beginning, as it would have been by a process that was not stopped.
bool HasJoined(const KafkaSpec& spec, const ResumedPartition& stood, bool from_state) {
  return from_state && !stood.next && (stood.awaited_until > 0 || !spec.topic_pattern.empty());
}

}  // namespace

std::string NameOf(const TopicPartition& pair) {
  return fmt::format("{} [{}]", pair.topic, pair.partition);
}

Result<std::vector<TopicPartition>> FindPartitions(ConsumerHandle& consumer,
                                                   const KafkaSpec& spec) {
  if (!spec.topic_pattern.empty()) return FindMatching(consumer, spec);
  std::vector<TopicPartition> pairs;
  std::string missing;
  for (const std::string& topic : std::set(spec.topics.begin(), spec.topics.end())) {
    const Result<std::int32_t> count = consumer.brokers().PartitionCount(topic, kOpeningTimeout);
    if (!count) {
      if (count.error().code != ErrorCode::kNotFound) return count.error();
      missing += (missing.empty() ? "" : "; ") + count.error().message;
      continue;
    }
    for (std::int32_t partition = 0; partition < count.value(); ++partition) {
      pairs.push_back({topic, partition});
    }
  }
  if (!missing.empty()) return Error{ErrorCode::kNotFound, std::move(missing)};
  std::ranges::sort(pairs);
  return pairs;
}

Result<OpenedStream> OpenStream(ConsumerHandle& consumer, const KafkaSpec& spec,
                                PartitionTable& table, EventLog& log, const std::stop_token& stop) {
  const auto pairs = FindPartitions(consumer, spec);
  if (!pairs) return pairs.error();
  StartPolicy policy = spec.start;
  if (spec.span) policy = StartTimestamp{spec.span->from};
  const auto wishes = FindWishes(consumer, policy, pairs.value());
  if (!wishes) return wishes.error();

  Bounds logs;
  for (const TopicPartition& pair : pairs.value()) {
    if (stop.stop_requested()) return Error{ErrorCode::kUnavailable, "stopped"};
    const auto bounds = consumer.QueryBounds(pair, kOpeningTimeout);
    if (!bounds) return bounds.error();
    logs[pair] = bounds.value();
  }
  const Anchors anchors = FindAnchors(spec, table, wishes.value(), pairs.value());
  const Result<Testimonies> testimonies = AskWitness(spec, anchors, stop);
  if (!testimonies) return testimonies.error();
  const std::optional<std::string> elsewhere =
      WhyElsewhere(spec, table, wishes.value(), logs, testimonies.value());
  OpenedStream stream{
      .partitions = {}, .from_state = !spec.resume.empty() && !elsewhere, .resumed = {}};
  std::vector<std::optional<RewindMetadata>> metadata;
  const bool wanted_is_commit = std::holds_alternative<StartCommitted>(policy);
  for (const auto& [pair, bounds] : logs) {
    const auto wish = wishes.value().offsets.find(pair);
    std::optional<std::int64_t> wanted;
    if (wish != wishes.value().offsets.end()) wanted = wish->second;
    const ResumedPartition stood =
        stream.from_state ? HowItStood(spec, table, pair) : ResumedPartition();
    StartDecision start = DecideStart(policy, wanted, bounds);
    if (stood.next) {
      start = DecideStart(StartCommitted{}, stood.next, bounds);
    } else if (!wanted_is_commit && HasJoined(spec, stood, stream.from_state)) {
      start = DecideStart(StartEarliest{}, {}, bounds);
    }
    OpenedPartition partition{.pair = pair,
                              .index = 0,
                              .start = std::move(start),
                              .newest_before = {},
                              .awaited_until = stood.awaited_until};
    if (spec.span) BeginSpan(bounds, partition);
    if (IsRenewed(testimonies.value(), pair)) {
      partition.start = DecideRenewal(testimonies.value().at(pair).text, bounds);
      partition.renewed = true;
    } else if (anchors.contains(pair)) {
      partition.anchor = anchors.at(pair);
    }
    const auto said = wishes.value().metadata.find(pair);
    if (said != wishes.value().metadata.end()) {
      metadata.push_back(said->second);
      if (said->second && partition.start.resumed) {
        partition.newest_before = said->second->newest_before;
      }
    }
    // The commit's time is that of the oldest slice, which is much older.
    if (stood.next && partition.start.resumed) partition.newest_before = stood.newest;
    stream.partitions.push_back(std::move(partition));
  }
  MergeRewindMetadata(metadata, stream.resumed);
  for (OpenedPartition& partition : stream.partitions) {
    const auto& [topic, number, life] = partition.pair;
    if (partition.renewed) {
      partition.index = table.Renew(topic, number);
      // The journal already has the records of this life up to there.
      if (stream.from_state) {
        partition.awaited_until = HowItStood(spec, table, partition.pair).awaited_until;
      }
    } else {
      partition.index = table.Index(topic, number);
    }
    stream.resumed.positions.push_back(
        {partition.index, partition.start.offset, partition.newest_before, partition.anchor});
  }
  if (elsewhere) {
    log.Log(kafka_events::kJournalLeft,
            fmt::format("kafka: windows do not continue from the journal: {}", *elsewhere));
  }
  ReportUnproven(testimonies.value(), log);
  Report(stream, wishes.value(), log);
  return stream;
}

}  // namespace sash
