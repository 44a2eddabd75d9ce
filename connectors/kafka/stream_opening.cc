#include "connectors/kafka/stream_opening.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "connectors/kafka/opening_report.h"
#include "connectors/kafka/record_witness.h"
#include "connectors/kafka/rewind_metadata.h"
#include "connectors/kafka/start_wishes.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {
namespace {

// The witness opens its own consumer, which has to connect first. It notices Stop().
constexpr std::chrono::milliseconds kWitnessTimeout{5000};

using Bounds = std::map<TopicPartition, LogBounds>;

ResumedPartition HowItStood(const KafkaSpec& spec, const PartitionTable& table,
                            const TopicPartition& pair) {
  const auto found = spec.resume.find(table.Newest(pair.topic, pair.partition));
  return found == spec.resume.end() ? ResumedPartition{} : found->second;
}

// The records by which the partitions are recognised: each was read before the state was saved, or
// before the commit.
Anchors FindAnchors(const KafkaSpec& spec, const PartitionTable& table, const StartWishes& wishes,
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
                                        const StartWishes& wishes, const Bounds& bounds,
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

// A partition of which the state knows nothing has joined since then. So it is read from its
// beginning, as it would have been by a process that was not stopped.
bool HasJoined(const KafkaSpec& spec, const ResumedPartition& stood, bool from_state) {
  return from_state && !stood.next && (stood.awaited_until > 0 || !spec.topic_pattern.empty());
}

// What the brokers and the witness have answered.
struct OpeningAnswers {
  StartPolicy policy;
  StartWishes wishes;
  Bounds bounds;
  Anchors anchors;
  Testimonies testimonies;
};

Result<OpeningAnswers> AskAll(ConsumerHandle& consumer, const KafkaSpec& spec,
                              const PartitionTable& table, const std::stop_token& stop) {
  const auto pairs = FindPartitions(consumer, spec);
  if (!pairs) return pairs.error();
  OpeningAnswers answers;
  answers.policy = spec.start;
  if (spec.span) answers.policy = StartTimestamp{spec.span->from};
  Result<StartWishes> wishes = FindWishes(consumer, answers.policy, pairs.value());
  if (!wishes) return std::move(wishes).error();
  answers.wishes = std::move(wishes).value();
  for (const TopicPartition& pair : pairs.value()) {
    if (stop.stop_requested()) return Error{ErrorCode::kUnavailable, "stopped"};
    const auto bounds = consumer.QueryBounds(pair, kOpeningTimeout);
    if (!bounds) return bounds.error();
    answers.bounds[pair] = bounds.value();
  }
  answers.anchors = FindAnchors(spec, table, answers.wishes, pairs.value());
  Result<Testimonies> testimonies = AskWitness(spec, answers.anchors, stop);
  if (!testimonies) return std::move(testimonies).error();
  answers.testimonies = std::move(testimonies).value();
  return answers;
}

// `stood`: how the saved state left the partition, if the stream continues from it.
OpenedPartition Decide(const KafkaSpec& spec, const OpeningAnswers& answers,
                       const TopicPartition& pair, const ResumedPartition& stood, bool from_state) {
  const LogBounds& bounds = answers.bounds.at(pair);
  const auto wish = answers.wishes.offsets.find(pair);
  std::optional<std::int64_t> wanted;
  if (wish != answers.wishes.offsets.end()) wanted = wish->second;
  const bool wanted_is_commit = std::holds_alternative<StartCommitted>(answers.policy);
  StartDecision start = DecideStart(answers.policy, wanted, bounds);
  if (stood.next) {
    start = DecideStart(StartCommitted{}, stood.next, bounds);
  } else if (!wanted_is_commit && HasJoined(spec, stood, from_state)) {
    start = DecideStart(StartEarliest{}, {}, bounds);
  }
  OpenedPartition partition{.pair = pair,
                            .index = 0,
                            .start = std::move(start),
                            .newest_before = {},
                            .awaited_until = stood.awaited_until};
  if (spec.span) BeginSpan(bounds, partition);
  if (IsRenewed(answers.testimonies, pair)) {
    partition.start = DecideRenewal(answers.testimonies.at(pair).text, bounds);
    partition.renewed = true;
  } else if (answers.anchors.contains(pair)) {
    partition.anchor = answers.anchors.at(pair);
  }
  const auto said = answers.wishes.metadata.find(pair);
  if (said != answers.wishes.metadata.end() && said->second && partition.start.resumed) {
    partition.newest_before = said->second->newest_before;
  }
  // The commit's time is that of the oldest slice, which is much older.
  if (stood.next && partition.start.resumed) partition.newest_before = stood.newest;
  return partition;
}

// Also fills the positions of the stream.
void GiveIndices(const KafkaSpec& spec, PartitionTable& table, OpenedStream& stream) {
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
}

}  // namespace

Result<OpenedStream> OpenStream(ConsumerHandle& consumer, const KafkaSpec& spec,
                                PartitionTable& table, EventLog& log, const std::stop_token& stop) {
  const Result<OpeningAnswers> asked = AskAll(consumer, spec, table, stop);
  if (!asked) return asked.error();
  const OpeningAnswers& answers = asked.value();
  const std::optional<std::string> elsewhere =
      WhyElsewhere(spec, table, answers.wishes, answers.bounds, answers.testimonies);
  OpenedStream stream{
      .partitions = {}, .from_state = !spec.resume.empty() && !elsewhere, .resumed = {}};
  std::vector<std::optional<RewindMetadata>> metadata;
  for (const auto& [pair, bounds] : answers.bounds) {
    const ResumedPartition stood =
        stream.from_state ? HowItStood(spec, table, pair) : ResumedPartition();
    stream.partitions.push_back(Decide(spec, answers, pair, stood, stream.from_state));
    const auto said = answers.wishes.metadata.find(pair);
    if (said != answers.wishes.metadata.end()) metadata.push_back(said->second);
  }
  MergeRewindMetadata(metadata, stream.resumed);
  GiveIndices(spec, table, stream);
  ReportOpening(stream, answers.wishes, answers.testimonies, elsewhere, log);
  return stream;
}

}  // namespace sash
