#include "connectors/codec/mapping_rules.h"

#include <fmt/format.h>

#include <variant>

namespace sash {
namespace {

void AddPair(std::string_view key, std::string_view other, std::vector<MappingFault>& faults) {
  faults.push_back({key, 0, fmt::format("cannot be used with `{}`; leave out one of them", other)});
}

void AddOfChanges(const FormatSpec& format, const JsonMapping& json,
                  std::vector<MappingFault>& faults) {
  if (format.tombstone != TombstonePolicy::kIgnore) {
    faults.push_back({"tombstone", 0,
                      "must be `ignore` with `unwrap: debezium`: a record without a value follows "
                      "each delete, which has removed the edge already"});
  }
  constexpr std::string_view kChanges = "unwrap: debezium";
  if (json.each) AddPair("each", kChanges, faults);
  if (json.text_at) AddPair("text_at", kChanges, faults);
  if (json.lines) AddPair("lines", kChanges, faults);
  constexpr std::string_view kWhy =
      "cannot be given with `unwrap: debezium`: inserts add edges, and deletes remove them; leave "
      "it out";
  constexpr std::string_view kNoId =
      "cannot be given with `unwrap: debezium`: a change takes an edge away and adds another, and "
      "both would have one id; leave it out";
  if (json.operation) faults.push_back({"operation", 0, std::string(kWhy)});
  if (json.id) faults.push_back({"id", 0, std::string(kNoId)});
  for (std::size_t i = 0; i < json.more_edges.size(); ++i) {
    if (json.more_edges[i].operation) {
      faults.push_back({"operation", i + 1, std::string(kWhy)});
    }
    if (json.more_edges[i].id) faults.push_back({"id", i + 1, std::string(kNoId)});
    // So all edges of a record are late, or none is.
    if (json.more_edges[i].time != json.time || json.more_edges[i].time_rest != json.time_rest) {
      faults.push_back({"time", i + 1,
                        "must be that of the first edge with `unwrap: debezium`: a change has one "
                        "time"});
    }
  }
}

}  // namespace

std::vector<MappingFault> MappingFaults(const FormatSpec& format) {
  std::vector<MappingFault> faults;
  const auto* json = std::get_if<JsonMapping>(&format.mapping);
  if (json == nullptr) return faults;
  if (json->unwrap == Unwrap::kDebezium) AddOfChanges(format, *json, faults);
  if (json->each && json->lines) AddPair("lines", "each", faults);
  if (json->each && json->avro) AddPair("each", "avro", faults);
  if (json->lines && format.registry) AddPair("lines", "registry", faults);
  if (json->each && json->unwrap != Unwrap::kDebezium &&
      format.tombstone == TombstonePolicy::kRemove) {
    faults.push_back({"tombstone", 0,
                      "is `remove`, which cannot be used with `each`: the key of a record has no "
                      "elements; use ignore or dead_letter"});
  }
  return faults;
}

}  // namespace sash
