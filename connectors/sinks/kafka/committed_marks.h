// CommittedMarks: the SentMarks of a topic, as what a group has committed for its partitions.
//
// The texts are the metadata of the offsets, spread over as many partitions as it takes. The
// offsets themselves are where each partition ended, so that the group shows no lag.
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
  // Asks the brokers. kCorruption: what the group has committed is not ours.
  static Result<CommittedMarks> Read(const KafkaDestination& to, const std::string& group,
                                     std::chrono::milliseconds patience);

  SentMarks marks;

  // Where a message of the topic is.
  void At(std::int32_t partition, std::int64_t offset);

  // What is to be committed. kOverloaded: the partitions are too few for it.
  Result<std::vector<PartitionOffset>> Offsets() const;

 private:
  std::vector<PartitionOffset> partitions_;  // by number
};

}  // namespace sash
