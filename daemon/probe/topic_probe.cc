#include "daemon/probe/topic_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "connectors/codec/key_watch.h"
#include "daemon/letters/record_judge.h"
#include "daemon/probe/broker_probe.h"
#include "daemon/probe/sample.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kListed = 16;          // partitions listed one by one
constexpr std::int64_t kSampled = 1000;      // records of a topic, approximately
constexpr std::int64_t kLeastLookBack = 16;  // the last offsets may hold no records (transactions)
constexpr std::int64_t kMostLookBack = 200;  // so that large records do not take all the time

// The number of offsets to read in each partition.
std::int64_t LookBack(const TopicStanding& standing) {
  const auto partitions =
      static_cast<std::int64_t>(std::max<std::size_t>(1, standing.partitions.size()));
  return std::clamp(kSampled / partitions, kLeastLookBack, kMostLookBack);
}

std::int64_t RecordsIn(const std::vector<ProbedPartition>& partitions) {
  std::int64_t sum = 0;
  for (const ProbedPartition& each : partitions) sum += each.bounds.high - each.bounds.low;
  return sum;
}

}  // namespace

// The newest record and the partition it is in, or why there is none.
struct TopicProbe::Found {
  std::optional<std::int64_t> timestamp_ms;
  TopicPartition pair;
  std::int64_t offset = -1;  // none
  std::optional<std::string> key;
  std::optional<std::string> value;
  OwnHeaders headers;
  ReadTrouble trouble;

  void Take(const KafkaRecord& record) {
    if (offset >= 0 && record.timestamp_ms < timestamp_ms) return;
    timestamp_ms = record.timestamp_ms;
    pair = {std::string(record.topic), record.partition};
    offset = record.offset;
    key.reset();
    value.reset();
    if (record.key) key.emplace(*record.key);
    if (record.value) value.emplace(*record.value);
    headers = CopyOf(record.headers);
  }
  KafkaRecord Record() const {
    KafkaRecord record{.topic = pair.topic,
                       .partition = pair.partition,
                       .offset = offset,
                       .timestamp_ms = timestamp_ms,
                       .key = {},
                       .value = {},
                       .headers = HeadersIn(headers)};
    if (key) record.key = *key;
    if (value) record.value = *value;
    return record;
  }
};

std::string OffsetsText(const std::vector<ProbedPartition>& partitions, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, partitions.size()); ++i) {
    text += fmt::format("{}[{}] {}..{}", i == 0 ? "" : ", ", partitions[i].pair.partition,
                        partitions[i].bounds.low, partitions[i].bounds.high);
  }
  if (partitions.size() > most) text += fmt::format(" and {} more", partitions.size() - most);
  return text;
}

Finding JudgeCommits(const std::string& where, const std::vector<ProbedPartition>& partitions,
                     const std::vector<PartitionOffset>& commits) {
  std::map<TopicPartition, std::int64_t> committed;
  for (const PartitionOffset& commit : commits) committed.emplace(commit.pair, commit.offset);
  std::int64_t behind = 0;
  std::int64_t lost = 0;
  std::size_t with = 0;
  for (const ProbedPartition& each : partitions) {
    const auto commit = committed.find(each.pair);
    if (commit == committed.end()) continue;
    ++with;
    behind += std::max<std::int64_t>(0, each.bounds.high - commit->second);
    lost += std::max<std::int64_t>(0, each.bounds.low - commit->second);
  }
  if (with == 0) return {Grade::kOk, where, "may be read; nothing is committed yet", {}};
  const std::string what =
      fmt::format("committed in {} of {} partitions, {} records before their end", with,
                  partitions.size(), behind);
  if (lost == 0) return {Grade::kOk, where, what, {}};
  return {Grade::kWarning, where,
          fmt::format("{}; {} records after the commits were removed by retention", what, lost),
          "results will have a gap; make retention longer than the longest stop"};
}

void TopicProbe::Fail(const std::string& where, std::string what, std::string_view identity,
                      std::string_view text) {
  findings_.Fail(where, std::move(what), RemedyOf(identity, text, options_));
}

std::optional<TopicStanding> TopicProbe::Describe(const std::string& where,
                                                  const std::string& topic) {
  const Result<std::int32_t> count = consumer_.brokers().PartitionCount(topic, kTopicPatience);
  if (!count) {
    if (count.error().code == ErrorCode::kNotFound) {
      findings_.Fail(where, fmt::format("there is no topic {}", topic),
                     "create it, or fix its name");
    } else {
      Fail(where, count.error().message, "", count.error().message);
    }
    return std::nullopt;
  }
  TopicStanding standing;
  const auto deadline = steady_clock::now() + 2 * kTopicPatience;
  for (std::int32_t partition = 0; partition < count.value(); ++partition) {
    const TopicPartition pair{topic, partition};
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
    Result<LogBounds> bounds = consumer_.QueryBounds(
        pair, std::clamp<milliseconds>(left, milliseconds(1), kTopicPatience));
    if (!bounds) {
      Fail(where, bounds.error().message, "", bounds.error().message);
      return std::nullopt;
    }
    standing.partitions.push_back({pair, bounds.value()});
  }
  findings_.Ok(where, fmt::format("{} partitions with {} offsets: {}", count.value(),
                                  RecordsIn(standing.partitions),
                                  OffsetsText(standing.partitions, kListed)));
  return standing;
}

TopicProbe::Found TopicProbe::ReadNewest(const TopicStanding& standing,
                                         const std::function<void(const KafkaRecord&)>& on_record) {
  Found found;
  found.trouble = ReadNewestRecords(consumer_, standing.partitions, LookBack(standing),
                                    [&](const KafkaRecord& record) {
                                      found.Take(record);
                                      on_record(record);
                                      return true;
                                    });
  return found;
}

void TopicProbe::Sample(const std::string& where, const SourceConfig& source,
                        TopicStanding& standing) {
  if (RecordsIn(standing.partitions) == 0) {
    findings_.Warn(where, "it holds no record, so there is no sample", "is it the right topic?");
    return;
  }
  const Result<std::unique_ptr<RecordJudge>> judge = RecordJudge::Open(source.format);
  KeyWatch watch(source.format.keys);
  const Found found = ReadNewest(standing, [&](const KafkaRecord& record) {
    if (!judge) return;  // TellDecoded reports it
    EventBatch batch;
    judge.value()->Judge(record, batch);
    watch.Look(batch);
  });
  if (found.offset < 0 && found.trouble.text.empty()) {
    findings_.Warn(where,
                   fmt::format("no record among the last {} offsets could be read within {} s",
                               LookBack(standing), kTopicPatience.count()),
                   "can this machine reach all brokers by the names that they advertise?");
  } else if (found.offset < 0) {
    Fail(where, "it cannot be read: " + found.trouble.text, found.trouble.identity,
         found.trouble.text);
  } else {
    if (found.timestamp_ms) {
      standing.newest = EventTime(std::chrono::milliseconds(*found.timestamp_ms));
    }
    TellDecoded(where, source, found);
    for (std::string& warning : watch.Warnings()) findings_.Warn(where, std::move(warning), "");
  }
}

void TopicProbe::TellDecoded(const std::string& where, const SourceConfig& source,
                             const Found& found) {
  const std::string place = fmt::format("the newest record, {} [{}] offset {}", found.pair.topic,
                                        found.pair.partition, found.offset);
  const Result<std::unique_ptr<RecordJudge>> judge = RecordJudge::Open(source.format);
  if (!judge) {
    findings_.Fail("source.format", judge.error().message, "fix it");
    return;
  }
  EventBatch batch;
  const RecordVerdict verdict = judge.value()->Judge(found.Record(), batch);
  if (verdict.kind == RecordVerdict::Kind::kRefused) {
    findings_.Fail(
        where, fmt::format("{}, does not decode: {}: {}", place, verdict.reason, verdict.detail),
        "fix source.format or source.time.unit, or the producer");
    return;
  }
  if (verdict.kind == RecordVerdict::Kind::kIgnored) {
    findings_.Ok(where, place + ", has no value: source.format.tombstone ignores it");
    return;
  }
  if (verdict.kind == RecordVerdict::Kind::kFiltered) {
    findings_.Ok(where, place + ", is filtered (where, skip)");
    return;
  }
  if (verdict.kind == RecordVerdict::Kind::kUnmapped) {
    findings_.Ok(where, place + ", is of a topic that no mapping takes");
    return;
  }
  const EdgeEvent& event = batch.events().front();
  const std::string_view mapping = judge.value()->decoder().MappingOf(0);
  const std::string edge =
      fmt::format("{}: {}{}", place, mapping.empty() ? "" : fmt::format("mapping {}: ", mapping),
                  RecordText(0, batch, source.format.keys));
  const std::string odd = OddTime(event.time, source.time, true, SystemClock().Now());
  if (odd.empty()) {
    findings_.Ok(where, edge);
  } else {
    findings_.Warn(where, fmt::format("{}; {}", edge, odd), "is source.time.unit right?");
  }
}

std::optional<std::int64_t> TopicProbe::NewestMinute(const TopicStanding& standing) {
  if (!standing.newest) return std::nullopt;
  std::vector<TopicPartition> pairs;
  for (const ProbedPartition& each : standing.partitions) pairs.push_back(each.pair);
  const auto begins = consumer_.brokers().OffsetsAt(
      pairs, *standing.newest - std::chrono::minutes(1), kTopicPatience);
  if (!begins) return std::nullopt;
  std::map<TopicPartition, std::int64_t> begin;
  for (const PartitionOffset& each : begins.value()) begin.emplace(each.pair, each.offset);
  std::int64_t records = 0;
  for (const ProbedPartition& each : standing.partitions) {
    const auto from = begin.find(each.pair);
    // Without an offset no record came in that time.
    if (from == begin.end() || from->second < 0) continue;
    records += std::max<std::int64_t>(0, each.bounds.high - from->second);
  }
  return records;
}

void TopicProbe::Commits(const std::string& where, const std::vector<ProbedPartition>& partitions) {
  std::vector<TopicPartition> pairs;
  for (const ProbedPartition& each : partitions) pairs.push_back(each.pair);
  const auto commits = consumer_.brokers().Committed(pairs, kTopicPatience);
  if (commits) {
    findings_.Add(JudgeCommits(where, partitions, commits.value()));
  } else {
    Fail(where, commits.error().message, "", commits.error().message);
  }
}

}  // namespace sash
