// Topic probe: what a topic holds, whether it may be read, and what its newest record decodes to.
//
// Thread safety: belongs to the thread of the consumer; the free functions are pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "daemon/config/config.h"
#include "daemon/probe/finding.h"
#include "daemon/probe/newest_records.h"

namespace sash {

struct TopicStanding {
  std::vector<ProbedPartition> partitions;
  std::optional<EventTime> newest;  // the Kafka timestamp of the newest record
};

// "[0] 0..12, [1] 5..9": of at most `most` partitions.
std::string OffsetsText(const std::vector<ProbedPartition>& partitions, std::size_t most);

// Compares the group's committed offsets with the topic, and reports what the reader still has to
// read.
Finding JudgeCommits(const std::string& where, const std::vector<ProbedPartition>& partitions,
                     const std::vector<PartitionOffset>& commits);

class TopicProbe {
 public:
  // `consumer` is connected to the topic's brokers.
  TopicProbe(ConsumerHandle& consumer, std::string options, Findings& findings)
      : consumer_(consumer), options_(std::move(options)), findings_(findings) {}

  // Empty when the broker could not be asked; this has been reported.
  std::optional<TopicStanding> Describe(const std::string& where, const std::string& topic);

  // Decodes the newest readable record as the source would, and checks the keys of the newest ones;
  // sets standing.newest.
  void Sample(const std::string& where, const SourceConfig& source, TopicStanding& standing);

  // The number of records in the minute that ends with the newest; empty when it is unknown.
  std::optional<std::int64_t> NewestMinute(const TopicStanding& standing);

  void Commits(const std::string& where, const std::vector<ProbedPartition>& partitions);

 private:
  struct Found;
  Found ReadNewest(const TopicStanding& standing,
                   const std::function<void(const KafkaRecord&)>& on_record);
  void TellDecoded(const std::string& where, const SourceConfig& source, const Found& found);
  void Fail(const std::string& where, std::string what, std::string_view identity,
            std::string_view text);

  ConsumerHandle& consumer_;
  const std::string options_;
  Findings& findings_;
};

}  // namespace sash
