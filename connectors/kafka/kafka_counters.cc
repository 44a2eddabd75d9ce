#include "connectors/kafka/kafka_counters.h"

namespace sash {

std::vector<std::pair<std::string_view, std::uint64_t>> IncidentsOf(const KafkaCounters& counted) {
  return {{"tombstones_ignored", counted.tombstones_ignored},
          {"doubtful_times", counted.decoded.doubtful_times},
          {"replaced_weights", counted.decoded.replaced_weights},
          {"truncations", counted.decoded.truncations},
          {"filter_failures", counted.decoded.filter_failures},
          {"lost_records", counted.lost_records},
          {"unreadable_batches", counted.unreadable_batches},
          {"duplicates_ignored", counted.duplicates_ignored},
          {"commits", counted.commits},
          {"commit_failures", counted.commit_failures},
          {"pauses", counted.pauses},
          {"stalls", counted.stalls},
          {"partitions_added", counted.partitions_added},
          {"partitions_renewed", counted.partitions_renewed},
          {"claims_lost", counted.claims_lost},
          {"registry_holds", counted.registry_holds},
          {"registry_requests", counted.registry_requests},
          {"registry_failures", counted.registry_failures}};
}

}  // namespace sash
