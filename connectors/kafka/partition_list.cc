#include "connectors/kafka/partition_list.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <cstdlib>
#include <cstring>

#include "windows/base/check.h"

namespace sash {

void PartitionListDeleter::operator()(rd_kafka_topic_partition_list_s* list) const {
  rd_kafka_topic_partition_list_destroy(list);
}

PartitionList MakePartitionList(std::span<const TopicPartition> pairs) {
  PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(pairs.size())));
  for (const TopicPartition& pair : pairs) {
    rd_kafka_topic_partition_list_add(list.get(), pair.topic.c_str(), pair.partition);
  }
  return list;
}

PartitionList MakePartitionList(std::span<const PartitionOffset> positions) {
  PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(positions.size())));
  for (const PartitionOffset& position : positions) {
    rd_kafka_topic_partition_t* element = rd_kafka_topic_partition_list_add(
        list.get(), position.pair.topic.c_str(), position.pair.partition);
    element->offset = position.offset;
    if (position.metadata.empty()) continue;
    element->metadata = std::malloc(position.metadata.size());  // the list frees it
    SASH_CHECK(element->metadata != nullptr);
    std::memcpy(element->metadata, position.metadata.data(), position.metadata.size());
    element->metadata_size = position.metadata.size();
  }
  return list;
}

Error KafkaError(std::string_view what, int error) {
  const auto code = static_cast<rd_kafka_resp_err_t>(error);
  const bool missing = code == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART ||
                       code == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC ||
                       code == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION;
  return {missing ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
          fmt::format("{}: {}", what, rd_kafka_err2str(code))};
}

Status FirstError(std::string_view what, const rd_kafka_topic_partition_list_s* list) {
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& element = list->elems[i];
    if (element.err == RD_KAFKA_RESP_ERR_NO_ERROR) continue;
    return KafkaError(fmt::format("{} {} [{}]", what, element.topic, element.partition),
                      element.err);
  }
  return Ok{};
}

}  // namespace sash
