#include "daemon/probe/kafka_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/topic_choice.h"
#include "connectors/sinks/kafka/producer_options.h"
#include "connectors/sinks/time_text.h"
#include "daemon/probe/broker_probe.h"
#include "daemon/probe/certificate_probe.h"

namespace sash {
namespace {

constexpr std::string_view kEmbedded = "embedded";
constexpr std::size_t kMostMatching = 10;  // topics of a pattern that are probed one by one

struct ProbedTopic {
  std::string name;
  std::string where;  // in findings
};

std::vector<ProbedTopic> MatchingTopics(const KafkaSpec& kafka, ConsumerHandle& consumer,
                                        Findings& findings) {
  const std::string where = "source.kafka.topics.pattern";
  const auto counts = consumer.brokers().AllPartitionCounts(kTopicPatience);
  if (!counts) {
    findings.Fail(where, counts.error().message,
                  RemedyOf("", counts.error().message, "source.kafka.options"));
    return {};
  }
  const TopicChoice choice(kafka);
  std::vector<std::string> names;
  for (const auto& [name, partitions] : counts.value()) {
    if (choice.Takes(name)) names.push_back(name);
  }
  if (names.empty()) {
    findings.Warn(where, fmt::format("`{}` matches no topic", kafka.topic_pattern),
                  "sashd waits until there is one; is the pattern right?");
    return {};
  }
  const std::size_t more = names.size() - std::min(names.size(), kMostMatching);
  findings.Ok(where, fmt::format("`{}` matches {} topic{}{}", kafka.topic_pattern, names.size(),
                                 names.size() == 1 ? "" : "s",
                                 more > 0 ? fmt::format("; the first {} follow", kMostMatching)
                                          : std::string()));
  names.resize(names.size() - more);
  std::vector<ProbedTopic> topics;
  for (const std::string& name : names) topics.push_back({name, "source.kafka.topics " + name});
  return topics;
}

std::vector<ProbedTopic> TopicsToProbe(const KafkaSpec& kafka, ConsumerHandle& consumer,
                                       Findings& findings) {
  if (!kafka.topic_pattern.empty()) return MatchingTopics(kafka, consumer, findings);
  std::vector<ProbedTopic> topics;
  for (std::size_t i = 0; i < kafka.topics.size(); ++i) {
    topics.push_back(
        {kafka.topics[i], fmt::format("source.kafka.topics[{}] {}", i, kafka.topics[i])});
  }
  return topics;
}

}  // namespace

bool KafkaProbe::Reach(const std::string& where, const KafkaSpec& spec) {
  const auto [place, fresh] =
      reached_.try_emplace({spec.brokers, ConnectionOptions(spec.options)}, false);
  if (fresh) {
    ProbeKafkaCertificates(where + ".options", spec.options, now_, findings_);
    place->second = ProbeBrokers(where, spec, findings_);
  }
  return place->second;
}

std::optional<SourceRate> KafkaProbe::Source(const SourceConfig& source, const KafkaSpec& kafka) {
  const std::string where = "source.kafka";
  if (kafka.brokers == kEmbedded) {
    findings_.Ok(where + ".brokers", "the embedded broker starts with sashd: nothing to test");
    return std::nullopt;
  }
  if (!Reach(where, kafka)) return std::nullopt;
  const auto consumer = ConsumerHandle::Open(kafka);
  if (!consumer) {
    findings_.Fail(where, consumer.error().message, "fix it");
    return std::nullopt;
  }
  TopicProbe probe(*consumer.value(), where + ".options", findings_);
  std::vector<ProbedPartition> all;
  std::optional<std::int64_t> minute;
  std::optional<EventTime> newest;
  for (const ProbedTopic& topic : TopicsToProbe(kafka, *consumer.value(), findings_)) {
    std::optional<TopicStanding> standing = probe.Describe(topic.where, topic.name);
    if (!standing) continue;
    probe.Sample(topic.where, source, *standing);
    if (const auto records = probe.NewestMinute(*standing)) {
      minute = minute.value_or(0) + *records;
      newest = std::max(newest.value_or(*standing->newest), *standing->newest);
    }
    all.insert(all.end(), standing->partitions.begin(), standing->partitions.end());
  }
  if (!all.empty()) probe.Commits(fmt::format("{}.group {}", where, kafka.group), all);
  if (!minute) return std::nullopt;
  return SourceRate{.events_per_second = static_cast<double>(*minute) / 60,
                    .when = now_ - *newest < std::chrono::minutes(1)
                                ? "of the last minute"
                                : fmt::format("of the minute to {}, when the newest record came",
                                              TimeText(*newest))};
}

void KafkaProbe::Destination(const std::string& where, const KafkaDestination& to) {
  if (to.brokers == kEmbedded) return;
  const KafkaSpec spec = ReaderOf(to);
  const std::string topic = fmt::format("{}.topic {}", where, to.topic);
  if (!Reach(where, spec)) {
    findings_.Fail(topic, "not tried: none of its brokers answers", "");
    return;
  }
  const auto consumer = ConsumerHandle::Open(spec);
  if (!consumer) {
    findings_.Fail(where, consumer.error().message, "fix it");
    return;
  }
  const Result<std::int32_t> count =
      consumer.value()->brokers().PartitionCount(to.topic, kTopicPatience);
  if (count) {
    findings_.Ok(topic,
                 fmt::format("{} partitions; the right to write is not tested", count.value()));
  } else if (count.error().code == ErrorCode::kNotFound) {
    findings_.Fail(topic, fmt::format("there is no topic {}", to.topic),
                   "create it, or fix its name");
  } else {
    findings_.Fail(topic, count.error().message,
                   RemedyOf("", count.error().message, where + ".options"));
  }
}

}  // namespace sash
