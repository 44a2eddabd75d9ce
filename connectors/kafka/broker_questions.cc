#include "connectors/kafka/broker_questions.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <memory>
#include <utility>

#include "connectors/kafka/partition_list.h"
#include "connectors/kafka/topic_policy.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

std::span<const rd_kafka_topic_partition_t> Elements(const rd_kafka_topic_partition_list_t* list) {
  return {list->elems, static_cast<std::size_t>(list->cnt)};
}

struct MetadataDeleter {
  void operator()(const rd_kafka_metadata_t* metadata) const {
    rd_kafka_metadata_destroy(metadata);
  }
};
using Metadata = std::unique_ptr<const rd_kafka_metadata_t, MetadataDeleter>;

std::span<const rd_kafka_metadata_topic_t> TopicsIn(const rd_kafka_metadata_t& metadata) {
  return {metadata.topics, static_cast<std::size_t>(metadata.topic_cnt)};
}

std::map<std::string, std::int32_t> CountsIn(const rd_kafka_metadata_t& metadata) {
  std::map<std::string, std::int32_t> counts;
  for (const rd_kafka_metadata_topic_t& topic : TopicsIn(metadata)) {
    if (topic.err == RD_KAFKA_RESP_ERR_NO_ERROR) counts[topic.topic] = topic.partition_cnt;
  }
  return counts;
}

// `topic`: null for the topics that the consumer knows (none at first), or for all topics.
Result<Metadata> AskForMetadata(rd_kafka_t* consumer, BreakWatch& watch, rd_kafka_topic_t* topic,
                                milliseconds timeout, bool all = false) {
  const rd_kafka_metadata_t* found = nullptr;
  const rd_kafka_resp_err_t error =
      rd_kafka_metadata(consumer, all ? 1 : 0, topic, &found, static_cast<int>(timeout.count()));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("brokers", error);
  watch.Forgive();
  return Metadata(found);
}

}  // namespace

Result<std::vector<std::string>> BrokerQuestions::Addresses(milliseconds timeout) {
  const Result<Metadata> asked = AskForMetadata(consumer_, watch_, nullptr, timeout);
  if (!asked) return asked.error();
  const rd_kafka_metadata_t& metadata = *asked.value();
  std::vector<std::string> brokers;
  for (int i = 0; i < metadata.broker_cnt; ++i) {
    brokers.push_back(fmt::format("{}:{}", metadata.brokers[i].host, metadata.brokers[i].port));
  }
  return brokers;
}

Result<std::int32_t> BrokerQuestions::PartitionCount(const std::string& topic,
                                                     milliseconds timeout) {
  const std::string what = fmt::format("topic {}", topic);
  rd_kafka_topic_t* handle = rd_kafka_topic_new(consumer_, topic.c_str(), nullptr);
  if (handle == nullptr) return KafkaError(what, rd_kafka_last_error());
  const Result<Metadata> asked = AskForMetadata(consumer_, watch_, handle, timeout);
  rd_kafka_topic_destroy(handle);
  if (!asked) return asked.error();
  const rd_kafka_metadata_t& metadata = *asked.value();
  std::int32_t partitions = 0;
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
  if (metadata.topic_cnt == 1) {
    error = metadata.topics[0].err;
    partitions = metadata.topics[0].partition_cnt;
  }
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError(what, error);
  if (partitions == 0) return KafkaError(what, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  return partitions;
}

Result<std::map<std::string, std::int32_t>> BrokerQuestions::PartitionCounts(milliseconds timeout) {
  const Result<Metadata> asked = AskForMetadata(consumer_, watch_, nullptr, timeout);
  if (!asked) return asked.error();
  return CountsIn(*asked.value());
}

Result<std::map<std::string, std::int32_t>> BrokerQuestions::AllPartitionCounts(
    milliseconds timeout) {
  const Result<Metadata> asked = AskForMetadata(consumer_, watch_, nullptr, timeout, true);
  if (!asked) return asked.error();
  return CountsIn(*asked.value());
}

Result<std::set<std::string>> BrokerQuestions::UnknownTopics(milliseconds timeout) {
  const Result<Metadata> asked = AskForMetadata(consumer_, watch_, nullptr, timeout);
  if (!asked) return asked.error();
  std::set<std::string> unknown;
  for (const rd_kafka_metadata_topic_t& topic : TopicsIn(*asked.value())) {
    if (topic.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) unknown.insert(topic.topic);
  }
  return unknown;
}

Result<std::vector<PartitionOffset>> BrokerQuestions::Committed(
    std::span<const TopicPartition> pairs, milliseconds timeout) {
  const PartitionList list = MakePartitionList(pairs);
  const rd_kafka_resp_err_t error =
      rd_kafka_committed(consumer_, list.get(), static_cast<int>(timeout.count()));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("committed offsets", error);
  if (Status status = FirstError("committed offset of", list.get()); !status) {
    return std::move(status).error();
  }
  std::vector<PartitionOffset> commits;
  for (const rd_kafka_topic_partition_t& element : Elements(list.get())) {
    if (element.offset < 0) continue;
    PartitionOffset commit{{element.topic, element.partition}, element.offset, {}};
    if (element.metadata != nullptr) {
      commit.metadata.assign(static_cast<const char*>(element.metadata), element.metadata_size);
    }
    commits.push_back(std::move(commit));
  }
  return commits;
}

Result<std::vector<PartitionOffset>> BrokerQuestions::OffsetsAt(
    std::span<const TopicPartition> pairs, EventTime time, milliseconds timeout) {
  const PartitionList list = MakePartitionList(pairs);
  for (int i = 0; i < list->cnt; ++i) {
    // Rounded up: the first millisecond that is not before `time`.
    list->elems[i].offset = std::chrono::ceil<milliseconds>(time).time_since_epoch().count();
  }
  const rd_kafka_resp_err_t error =
      rd_kafka_offsets_for_times(consumer_, list.get(), static_cast<int>(timeout.count()));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("offsets by time", error);
  if (Status status = FirstError("offset by time of", list.get()); !status) {
    return std::move(status).error();
  }
  std::vector<PartitionOffset> offsets;
  for (const rd_kafka_topic_partition_t& element : Elements(list.get())) {
    offsets.push_back({{element.topic, element.partition}, element.offset, {}});
  }
  return offsets;
}

Result<std::vector<PartitionOffset>> BrokerQuestions::Ends(std::span<const TopicPartition> pairs,
                                                           milliseconds timeout) {
  const PartitionList list = MakePartitionList(pairs);
  // RD_KAFKA_OFFSET_END instead of a time asks for the end.
  for (int i = 0; i < list->cnt; ++i) list->elems[i].offset = RD_KAFKA_OFFSET_END;
  const rd_kafka_resp_err_t error =
      rd_kafka_offsets_for_times(consumer_, list.get(), static_cast<int>(timeout.count()));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("ends", error);
  if (Status status = FirstError("end of", list.get()); !status) return std::move(status).error();
  std::vector<PartitionOffset> ends;
  for (const rd_kafka_topic_partition_t& element : Elements(list.get())) {
    if (element.offset >= 0) {
      ends.push_back({{element.topic, element.partition}, element.offset, {}});
    }
  }
  return ends;
}

Result<bool> BrokerQuestions::IsCompacted(const std::string& topic, milliseconds timeout) {
  return IsTopicCompacted(consumer_, topic, timeout);
}

}  // namespace sash
