#include "connectors/kafka/offset_commits.h"

#include <librdkafka/rdkafka.h>

#include "connectors/kafka/partition_list.h"

namespace sash {

OffsetCommits::OffsetCommits(rd_kafka_s* consumer)
    : consumer_(consumer), outcomes_(rd_kafka_queue_new(consumer)) {}

OffsetCommits::~OffsetCommits() { rd_kafka_queue_destroy(outcomes_); }

Status OffsetCommits::Send(std::span<const PartitionOffset> positions) {
  const rd_kafka_resp_err_t error = rd_kafka_commit_queue(
      consumer_, MakePartitionList(positions).get(), outcomes_, nullptr, nullptr);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaError("commit", error);
  return Ok{};
}

std::optional<Status> OffsetCommits::TakeOutcome(std::chrono::milliseconds timeout) {
  rd_kafka_event_t* event = rd_kafka_queue_poll(outcomes_, static_cast<int>(timeout.count()));
  if (event == nullptr) return std::nullopt;
  Status status = Ok{};
  if (rd_kafka_event_type(event) == RD_KAFKA_EVENT_OFFSET_COMMIT) {
    const rd_kafka_resp_err_t error = rd_kafka_event_error(event);
    const rd_kafka_topic_partition_list_t* list = rd_kafka_event_topic_partition_list(event);
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
      status = KafkaError("commit", error);
    } else if (list != nullptr) {
      status = FirstError("commit", list);
    }
  }
  rd_kafka_event_destroy(event);
  return status;
}

}  // namespace sash
