// OffsetCommits: sends offsets and metadata to the group of a consumer, without waiting.
//
// Thread safety: belongs to one thread.
#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "connectors/kafka/partition_offset.h"
#include "windows/base/result.h"

struct rd_kafka_s;
struct rd_kafka_queue_s;

namespace sash {

class OffsetCommits {
 public:
  explicit OffsetCommits(rd_kafka_s* consumer);
  ~OffsetCommits();  // before the consumer is destroyed
  OffsetCommits(const OffsetCommits&) = delete;
  OffsetCommits& operator=(const OffsetCommits&) = delete;

  // TakeOutcome() returns the outcome.
  Status Send(std::span<const PartitionOffset> positions);
  std::optional<Status> TakeOutcome(std::chrono::milliseconds timeout);

 private:
  rd_kafka_s* const consumer_;
  rd_kafka_queue_s* const outcomes_;
};

}  // namespace sash
