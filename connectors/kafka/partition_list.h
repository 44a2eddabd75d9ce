// Lists of partitions for librdkafka, made of values; its errors as Errors.
//
// Thread safety: pure functions; a list belongs to one thread.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "connectors/kafka/partition_offset.h"
#include "windows/base/result.h"

struct rd_kafka_topic_partition_list_s;

namespace sash {

struct PartitionListDeleter {
  void operator()(rd_kafka_topic_partition_list_s* list) const;
};
using PartitionList = std::unique_ptr<rd_kafka_topic_partition_list_s, PartitionListDeleter>;

PartitionList MakePartitionList(std::span<const TopicPartition> pairs);
PartitionList MakePartitionList(std::span<const PartitionOffset> positions);

// `error` is an rd_kafka_resp_err_t. The code is kNotFound if there is no such topic, otherwise
// kUnavailable.
Error KafkaError(std::string_view what, int error);

// The error of the first partition that has one.
Status FirstError(std::string_view what, const rd_kafka_topic_partition_list_s* list);

}  // namespace sash
