// Topic probe: what a topic holds, whether it may be read, and what its newest record decodes to.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "daemon/config/config.h"
#include "daemon/probe/finding.h"

namespace sash {

// Of one question to a broker that answers others, and of reading a sample.
inline constexpr std::chrono::seconds kTopicPatience{5};

struct ProbedPartition {
  TopicPartition pair;
  LogBounds bounds;
};

struct TopicStanding {
  std::vector<ProbedPartition> partitions;
  std::optional<EventTime> newest;  // the Kafka timestamp of the newest record
};

// "[0] 0..12, [1] 5..9": of at most `most` partitions.
std::string OffsetsText(const std::vector<ProbedPartition>& partitions, std::size_t most);

// What of it the group has committed and what lies before the reader.
Finding JudgeCommits(const std::string& where, const std::vector<ProbedPartition>& partitions,
                     const std::vector<PartitionOffset>& commits);

class TopicProbe {
 public:
  // `consumer` reaches its brokers.
  TopicProbe(ConsumerHandle& consumer, std::string options, Findings& findings)
      : consumer_(consumer), options_(std::move(options)), findings_(findings) {}

  // Nothing when it cannot be asked for, which has been told.
  std::optional<TopicStanding> Describe(const std::string& where, const std::string& topic);

  // The newest record that can be read, as the source would decode it, and what is odd about the
  // keys of the newest ones; sets standing.newest.
  void Sample(const std::string& where, const SourceConfig& source, TopicStanding& standing);

  // How many records came in the minute that ends with the newest; nothing when nobody knows.
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
