#include "connectors/kafka/opening_report.h"

#include <fmt/format.h>

#include "connectors/kafka/log_events.h"
#include "connectors/kafka/topic_partitions.h"

namespace sash {
namespace {

void ReportUnproven(const Testimonies& testimonies, EventLog& log) {
  for (const auto& [pair, testimony] : testimonies) {
    if (testimony.kind != Testimony::Kind::kGone) continue;
    log.Log(kafka_events::kPartitionUnproven,
            fmt::format("kafka: {}: it is not known whether the topic was created again: {}",
                        NameOf(pair), testimony.text),
            {{"topic", pair.topic}, {"partition", pair.partition}});
  }
}

void ReportStarts(const OpenedStream& stream, EventLog& log) {
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
}

void ReportForeignCommits(const StartWishes& wishes, EventLog& log) {
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

}  // namespace

void ReportOpening(const OpenedStream& stream, const StartWishes& wishes,
                   const Testimonies& testimonies, const std::optional<std::string>& elsewhere,
                   EventLog& log) {
  if (elsewhere) {
    log.Log(kafka_events::kJournalLeft,
            fmt::format("kafka: windows do not continue from the journal: {}", *elsewhere));
  }
  ReportUnproven(testimonies, log);
  ReportStarts(stream, log);
  ReportForeignCommits(wishes, log);
}

}  // namespace sash
