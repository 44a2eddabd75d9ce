#include "daemon/probe/kafka_probe.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "connectors/kafka/consumer_handle.h"
#include "connectors/sinks/kafka/producer_options.h"
#include "daemon/probe/broker_probe.h"
#include "daemon/probe/certificate_probe.h"

namespace sash {
namespace {

constexpr std::string_view kEmbedded = "embedded";

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

void KafkaProbe::Source(const SourceConfig& source, const KafkaSpec& kafka) {
  const std::string where = "source.kafka";
  if (kafka.brokers == kEmbedded) {
    findings_.Ok(where + ".brokers", "the embedded broker begins with the process: nothing to try");
    return;
  }
  if (!Reach(where, kafka)) return;
  const auto consumer = ConsumerHandle::Open(kafka);
  if (!consumer) {
    findings_.Fail(where, consumer.error().message, "mend it");
    return;
  }
  TopicProbe probe(*consumer.value(), where + ".options", findings_);
  std::vector<PartitionStanding> all;
  for (std::size_t i = 0; i < kafka.topics.size(); ++i) {
    const std::string topic = fmt::format("{}.topics[{}] {}", where, i, kafka.topics[i]);
    std::optional<TopicStanding> standing = probe.Describe(topic, kafka.topics[i]);
    if (!standing) continue;
    probe.Sample(topic, source, *standing);
    all.insert(all.end(), standing->partitions.begin(), standing->partitions.end());
  }
  if (!all.empty()) probe.Commits(fmt::format("{}.group {}", where, kafka.group), all);
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
    findings_.Fail(where, consumer.error().message, "mend it");
    return;
  }
  const Result<std::int32_t> count = consumer.value()->PartitionCount(to.topic, kTopicPatience);
  if (count) {
    findings_.Ok(
        topic, fmt::format("{} partitions; whether it may be written is not tried", count.value()));
  } else if (count.error().code == ErrorCode::kNotFound) {
    findings_.Fail(topic, fmt::format("there is no topic {}", to.topic),
                   "create it, or mend its name");
  } else {
    findings_.Fail(topic, count.error().message,
                   RemedyOf("", count.error().message, where + ".options"));
  }
}

}  // namespace sash
