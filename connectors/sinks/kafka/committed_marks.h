// CommittedMarks: the SentMarks of a topic, stored in the offsets that a group commits for the
// topic's partitions.
//
// The texts are the metadata of the offsets, spread over the first partitions, as many as needed.
// Each offset itself is the end of its partition, so that the group shows no lag.
//
// Thread safety: none.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "connectors/kafka/partition_offset.h"
#include "connectors/sinks/kafka/sent_marks.h"
#include "connectors/sinks/sink_spec.h"
#include "windows/base/result.h"

namespace sash {

class CommittedMarks {
 public:
  // Asks the brokers. kCorruption: Sash did not write what the group has committed.
  static Result<CommittedMarks> Read(const KafkaDestination& to, const std::string& group,
                                     std::chrono::milliseconds patience);

  SentMarks marks;

  // Records the place of a message in the topic.
  void At(std::int32_t partition, std::int64_t offset);

  // The offsets to commit. kOverloaded: the topic has too few partitions for the texts.
  Result<std::vector<PartitionOffset>> Offsets() const;

 private:
  std::vector<PartitionOffset> partitions_;  // by number
};

}  // namespace sash
