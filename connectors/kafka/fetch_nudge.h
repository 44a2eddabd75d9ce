// FetchNudge: wakes librdkafka when it has stopped fetching too early.
//
// librdkafka 2.0.2 stops fetching while enough records wait (queued.min.messages), and looks again
// only after a second, even if those records have been read long before. Any question to the broker
// makes it look at once.
//
// Thread safety: belongs to the consumer thread.
#pragma once

#include <chrono>
#include <cstddef>

#include "connectors/kafka/assignment.h"
#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/read_partitions.h"

namespace sash {

class FetchNudge {
 public:
  FetchNudge(ConsumerHandle& consumer, const ReadPartitions& partitions, Assignment& assignment)
      : consumer_(consumer), partitions_(partitions), assignment_(assignment) {}

  // To be called when no record came although one was waited for. Asks about one partition, at most
  // every 20 ms; takes them in turn, because each may have another broker.
  void Serve();

 private:
  bool MayHaveStopped(const ReadPartition& partition) const;

  ConsumerHandle& consumer_;
  const ReadPartitions& partitions_;
  Assignment& assignment_;
  std::chrono::steady_clock::time_point asked_at_{};
  std::size_t asked_ = 0;  // the place of the partition that was asked about last
};

}  // namespace sash
