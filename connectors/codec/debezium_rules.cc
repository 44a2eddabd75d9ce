#include "connectors/codec/debezium_rules.h"

#include <variant>

namespace sash {

std::vector<DebeziumFault> DebeziumFaults(const FormatSpec& format) {
  std::vector<DebeziumFault> faults;
  const auto* json = std::get_if<JsonMapping>(&format.mapping);
  if (json == nullptr || json->unwrap != Unwrap::kDebezium) return faults;
  if (format.tombstone != TombstonePolicy::kIgnore) {
    faults.push_back({"tombstone", 0,
                      "must be `ignore` with `unwrap: debezium`: a record without a value follows "
                      "each delete, which has removed the edge already"});
  }
  if (json->each) {
    faults.push_back({"each", 0, "cannot be used with `unwrap: debezium`; leave out one of them"});
  }
  if (json->text_at) {
    faults.push_back(
        {"text_at", 0, "cannot be used with `unwrap: debezium`; leave out one of them"});
  }
  constexpr std::string_view kWhy =
      "cannot be given with `unwrap: debezium`: inserts add edges, and deletes remove them; leave "
      "it out";
  if (json->operation) faults.push_back({"operation", 0, std::string(kWhy)});
  for (std::size_t i = 0; i < json->more_edges.size(); ++i) {
    if (json->more_edges[i].operation) {
      faults.push_back({"operation", i + 1, std::string(kWhy)});
    }
    // So all edges of a record are late, or none is.
    if (json->more_edges[i].time != json->time ||
        json->more_edges[i].time_rest != json->time_rest) {
      faults.push_back({"time", i + 1,
                        "must be that of the first edge with `unwrap: debezium`: a change has one "
                        "time"});
    }
  }
  return faults;
}

}  // namespace sash
