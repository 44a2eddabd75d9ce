#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "connectors/export/slices/shard_members.h"
#include "connectors/export/slices/slice_facts.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

constexpr std::string_view kSliceName = "slice-";
constexpr std::size_t kSliceDigits = 10;

// Writes offsets as results have them: for each topic and partition, the least and the greatest
// offset of its newest life.
void WriteSliceOffsets(const SliceFacts& facts, JsonText& json) {
  std::map<std::string, std::map<std::int32_t, PartitionRows>> offsets;
  for (const PartitionRows& each : facts.partitions) {
    PartitionRows& known =
        offsets[each.pair.topic].try_emplace(each.pair.partition, each).first->second;
    if (each.pair.life > known.pair.life) known = each;
    if (each.pair.life < known.pair.life) continue;
    known.first_offset = std::min(known.first_offset, each.first_offset);
    known.last_offset = std::max(known.last_offset, each.last_offset);
  }
  json.Key("offsets").BeginObject();
  for (const auto& [topic, partitions] : offsets) {
    json.Key(topic).BeginObject();
    for (const auto& [partition, rows] : partitions) {
      json.Key(std::to_string(partition)).BeginArray().Integer(rows.first_offset);
      json.Integer(rows.last_offset).EndArray();
    }
    json.EndObject();
  }
  json.EndObject();
}

void WriteSlicePartitions(const SliceFacts& facts, JsonText& json) {
  json.Key("partitions").BeginArray();
  for (const PartitionRows& each : facts.partitions) {
    json.BeginObject().Key("topic").Text(each.pair.topic);
    json.Key("partition").Integer(each.pair.partition).Key("life").Unsigned(each.pair.life);
    json.Key("rows").Unsigned(each.rows).Key("first_offset").Integer(each.first_offset);
    json.Key("last_offset").Integer(each.last_offset).EndObject();
  }
  json.EndArray();
}

void WriteSliceFilters(const SliceFacts& facts, JsonText& json) {
  json.Key("filters").BeginArray();
  for (std::size_t i = 0; i < facts.filters.size(); ++i) {
    json.BeginObject().Key("column").Text(FilterColumn(i)).Key("filter").Text(facts.filters[i]);
    json.Key("on_time").Bool((facts.on_time_passes >> i & 1) != 0).EndObject();
  }
  json.EndArray();
}

}  // namespace

std::string SliceTableName(std::uint64_t number) {
  return fmt::format("{}{:0{}}.parquet", kSliceName, number, kSliceDigits);
}

std::string SliceTextName(std::uint64_t number) {
  return fmt::format("{}{:0{}}.json", kSliceName, number, kSliceDigits);
}

std::optional<std::uint64_t> SliceNumberIn(std::string_view name, std::string_view ending) {
  if (!name.starts_with(kSliceName) || !name.ends_with(ending) ||
      name.size() < kSliceName.size() + kSliceDigits + ending.size()) {
    return std::nullopt;
  }
  const std::string_view digits =
      name.substr(kSliceName.size(), name.size() - kSliceName.size() - ending.size());
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || rest != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::string FilterColumn(std::size_t place) { return fmt::format("filter_{}", place); }

std::string SliceText(const SliceFacts& facts) {
  JsonText json;
  json.BeginObject().Key("slices").Integer(kSliceFormat).Key("number").Unsigned(facts.number);
  json.Key("start").Text(TimeText(facts.begin)).Key("end").Text(TimeText(facts.end));
  json.Key("previous_end");
  if (facts.previous) {
    json.Text(TimeText(*facts.previous));
  } else {
    json.Null();
  }
  json.Key("edges").Unsigned(facts.table.rows).Key("duplicates").Unsigned(facts.duplicates);
  json.Key("late").Unsigned(facts.late).Key("refused").Unsigned(facts.refused);
  json.Key("gap").Bool(facts.gap).Key("on_time").Bool(facts.has_on_time);
  if (facts.shard) {
    json.Key("shard");
    WriteShard(*facts.shard, json);
    json.Key("counts");
    WritePaneCounts(facts.apart, json);
  }
  WriteSliceOffsets(facts, json);
  WriteSlicePartitions(facts, json);
  WriteSliceFilters(facts, json);
  json.Key("keys").Text(facts.keys == KeyKind::kInteger ? "integer" : "string");
  json.Key("weights").Text(facts.has_reals ? "float64" : "int64");
  json.Key("mapping").Text(facts.mapping);
  json.Key("written").Text(TimeText(facts.written)).Key("seconds").Number(facts.seconds);
  json.Key("file").BeginObject().Key("name").Text(facts.table.name);
  json.Key("rows").Unsigned(facts.table.rows).Key("bytes").Unsigned(facts.table.bytes);
  json.Key("crc32c").Text(fmt::format("{:08x}", facts.table.checksum)).EndObject();
  json.EndObject();
  return std::move(json).Take() + "\n";
}

}  // namespace sash
