// KafkaCounters: the counters of the Kafka source, except records and bytes, since its start.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"

namespace sash {

struct KafkaCounters {
  std::uint64_t refused = 0;  // records that are not edge events
  std::uint64_t tombstones_ignored = 0;
  DecodeCounts decoded;
  std::uint64_t lost_records = 0;        // gone, or unreadable, before they were read
  std::uint64_t unreadable_batches = 0;  // each once, however often it is fetched
  std::uint64_t duplicates_ignored = 0;  // delivered again by librdkafka
  std::uint64_t commits = 0;
  std::uint64_t commit_failures = 0;
  std::uint64_t pauses = 0;              // of partitions that ran ahead
  std::uint64_t stalls = 0;              // partitions that had to be repositioned by the watchdog
  std::uint64_t partitions_added = 0;    // to the topics while they were read, and read since
  std::uint64_t partitions_renewed = 0;  // their topic was deleted and created again
  std::uint64_t claims_lost = 0;         // the brokers gave up the group's member during reading
  std::uint64_t registry_holds = 0;      // the stream waited for a schema
  std::uint64_t registry_requests = 0;   // to the schema registry
  std::uint64_t registry_failures = 0;   // of these: the registry was away, or gave no answer
};

// The counts of incidents, by their names in SourceStatus::incidents.
std::vector<std::pair<std::string_view, std::uint64_t>> IncidentsOf(const KafkaCounters& counted);

}  // namespace sash
