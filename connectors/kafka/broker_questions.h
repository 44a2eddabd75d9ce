// BrokerQuestions: what a consumer asks the brokers about topics, partitions and offsets.
//
// Each function waits for an answer for at most `timeout`. kNotFound: there is no such topic. None
// of them creates a missing topic.
//
// Thread safety: belongs to the thread of the consumer.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "connectors/kafka/break_watch.h"
#include "connectors/kafka/partition_offset.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"

struct rd_kafka_s;

namespace sash {

class BrokerQuestions {
 public:
  // Both outlive this object. `watch` does not count the questions.
  BrokerQuestions(rd_kafka_s* consumer, BreakWatch& watch) : consumer_(consumer), watch_(watch) {}

  // The advertised addresses of the cluster's brokers: "host:port".
  Result<std::vector<std::string>> Addresses(std::chrono::milliseconds timeout);
  Result<std::int32_t> PartitionCount(const std::string& topic, std::chrono::milliseconds timeout);
  // The counts of the topics that are read now, in one request. Topics without an answer are left
  // out.
  Result<std::map<std::string, std::int32_t>> PartitionCounts(std::chrono::milliseconds timeout);
  // The same for all topics of the cluster that this client may see.
  Result<std::map<std::string, std::int32_t>> AllPartitionCounts(std::chrono::milliseconds timeout);
  // Those of the topics that are read now which, as the broker says, do not exist.
  Result<std::set<std::string>> UnknownTopics(std::chrono::milliseconds timeout);
  // The commits of those pairs that have one.
  Result<std::vector<PartitionOffset>> Committed(std::span<const TopicPartition> pairs,
                                                 std::chrono::milliseconds timeout);
  // For each pair, the first offset whose timestamp is not before `time`; negative: there is none.
  Result<std::vector<PartitionOffset>> OffsetsAt(std::span<const TopicPartition> pairs,
                                                 EventTime time, std::chrono::milliseconds timeout);
  // The end of each pair, up to which its records can be read. One request for all pairs.
  Result<std::vector<PartitionOffset>> Ends(std::span<const TopicPartition> pairs,
                                            std::chrono::milliseconds timeout);
  // Whether the topic is compacted.
  Result<bool> IsCompacted(const std::string& topic, std::chrono::milliseconds timeout);

 private:
  rd_kafka_s* const consumer_;
  BreakWatch& watch_;
};

}  // namespace sash
