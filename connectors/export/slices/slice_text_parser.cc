#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/export/slices/shard_facts.h"
#include "connectors/export/slices/slice_facts.h"
#include "connectors/export/stored_file.h"
#include "connectors/sinks/time_text.h"
#include "windows/base/json_nesting.h"

namespace sash {
namespace {

using SliceJson = nlohmann::json;

Error MalformedSliceText(const std::string& what) {
  return {ErrorCode::kCorruption, "it is not the manifest of a slice: " + what};
}

// Reads members of an object. After a member that is missing, or is of another kind, ok() is false.
class SliceMembers {
 public:
  explicit SliceMembers(const SliceJson& object) : object_(object) {}

  bool ok() const { return ok_; }
  const std::string& wrong() const { return wrong_; }

  const SliceJson& At(const char* name) {
    static const SliceJson none;
    const auto found = object_.find(name);
    if (found != object_.end()) return *found;
    Refuse(name);
    return none;
  }
  std::string Text(const char* name) {
    const SliceJson& value = At(name);
    if (value.is_string()) return value.get<std::string>();
    Refuse(name);
    return "";
  }
  bool Bool(const char* name) {
    const SliceJson& value = At(name);
    if (value.is_boolean()) return value.get<bool>();
    Refuse(name);
    return false;
  }
  double Number(const char* name) {
    const SliceJson& value = At(name);
    if (value.is_number()) return value.get<double>();
    Refuse(name);
    return 0;
  }
  std::int64_t Integer(const char* name) {
    const SliceJson& value = At(name);
    if (value.is_number_integer()) return value.get<std::int64_t>();
    Refuse(name);
    return 0;
  }
  std::uint64_t Unsigned(const char* name) {
    const SliceJson& value = At(name);
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    Refuse(name);
    return 0;
  }
  EventTime Time(const char* name) {
    const std::optional<EventTime> time = ParseTimeText(Text(name));
    if (time) return *time;
    Refuse(name);
    return {};
  }
  std::optional<EventTime> TimeOrNull(const char* name) {
    if (At(name).is_null()) return std::nullopt;
    return Time(name);
  }
  void Refuse(const char* name) {
    if (ok_) wrong_ = name;
    ok_ = false;
  }

 private:
  const SliceJson& object_;
  bool ok_ = true;
  std::string wrong_;
};

std::optional<PartitionRows> ParsePartitionRows(const SliceJson& item) {
  if (!item.is_object()) return std::nullopt;
  SliceMembers members(item);
  PartitionRows rows{.pair = {.topic = members.Text("topic")}};
  const std::int64_t partition = members.Integer("partition");
  const std::uint64_t life = members.Unsigned("life");
  rows.rows = members.Unsigned("rows");
  rows.first_offset = members.Integer("first_offset");
  rows.last_offset = members.Integer("last_offset");
  if (!members.ok() || partition < 0 || partition > std::numeric_limits<std::int32_t>::max() ||
      life > std::numeric_limits<std::uint32_t>::max() || rows.rows == 0 ||
      rows.first_offset > rows.last_offset) {
    return std::nullopt;
  }
  rows.pair.partition = static_cast<std::int32_t>(partition);
  rows.pair.life = static_cast<std::uint32_t>(life);
  return rows;
}

void ParsePartitions(SliceMembers& members, SliceFacts& facts) {
  const SliceJson& list = members.At("partitions");
  if (!list.is_array()) return members.Refuse("partitions");
  std::uint64_t rows = 0;
  for (const SliceJson& item : list) {
    std::optional<PartitionRows> parsed = ParsePartitionRows(item);
    if (!parsed || parsed->rows > std::numeric_limits<std::uint64_t>::max() - rows) {
      return members.Refuse("partitions");
    }
    rows += parsed->rows;
    facts.partitions.push_back(*std::move(parsed));
  }
  if (rows != facts.table.rows) members.Refuse("partitions");
}

void ParseFilters(SliceMembers& members, SliceFacts& facts) {
  const SliceJson& list = members.At("filters");
  if (!list.is_array() || list.size() > kMostFilters) return members.Refuse("filters");
  for (const SliceJson& item : list) {
    if (!item.is_object()) return members.Refuse("filters");
    SliceMembers filter(item);
    const bool is_in_place = filter.Text("column") == FilterColumn(facts.filters.size());
    if (filter.Bool("on_time")) facts.on_time_passes |= FilterBits{1} << facts.filters.size();
    facts.filters.push_back(filter.Text("filter"));
    if (!filter.ok() || !is_in_place) return members.Refuse("filters");
  }
}

void ParseTable(SliceMembers& members, SliceFacts& facts) {
  const SliceJson& file = members.At("file");
  if (!file.is_object()) return members.Refuse("file");
  SliceMembers about(file);
  facts.table.name = about.Text("name");
  facts.table.rows = about.Unsigned("rows");
  facts.table.bytes = about.Unsigned("bytes");
  const std::optional<std::uint32_t> checksum = ChecksumIn(about.Text("crc32c"));
  if (!about.ok() || !checksum) return members.Refuse("file");
  facts.table.checksum = *checksum;
}

KeyKind ParseKeys(SliceMembers& members) {
  const std::string keys = members.Text("keys");
  if (keys != "integer" && keys != "string") members.Refuse("keys");
  return keys == "integer" ? KeyKind::kInteger : KeyKind::kString;
}

StreamShard ParseShard(SliceMembers& members) {
  const SliceJson& value = members.At("shard");
  if (!value.is_object()) {
    members.Refuse("shard");
    return {};
  }
  SliceMembers about(value);
  const std::int64_t number = about.Integer("number");
  const std::int64_t of = about.Integer("of");
  const auto shard = StreamShard::Parse(std::to_string(number) + "-of-" + std::to_string(of));
  if (!about.ok() || !shard) members.Refuse("shard");
  return shard.value_or(StreamShard());
}

std::vector<PaneCounts> ParsePaneCounts(SliceMembers& members) {
  std::vector<PaneCounts> counts;
  const SliceJson& list = members.At("counts");
  if (!list.is_array()) {
    members.Refuse("counts");
    return counts;
  }
  for (const SliceJson& item : list) {
    if (!item.is_object()) {
      members.Refuse("counts");
      return counts;
    }
    SliceMembers about(item);
    PaneCounts& each = counts.emplace_back();
    each.begin = about.TimeOrNull("start");
    each.late = about.Unsigned("late");
    each.refused = about.Unsigned("refused");
    if (!about.ok()) members.Refuse("counts");
  }
  return counts;
}

std::optional<ShardPartition> ParseShardPartition(const SliceJson& item) {
  if (!item.is_object()) return std::nullopt;
  SliceMembers about(item);
  ShardPartition read{.pair = {.topic = about.Text("topic")}};
  const std::int64_t partition = about.Integer("partition");
  const std::uint64_t life = about.Unsigned("life");
  read.newest = about.TimeOrNull("newest");
  read.is_idle = about.Bool("idle");
  if (!about.ok() || partition < 0 || partition > std::numeric_limits<std::int32_t>::max() ||
      life > std::numeric_limits<std::uint32_t>::max()) {
    return std::nullopt;
  }
  read.pair.partition = static_cast<std::int32_t>(partition);
  read.pair.life = static_cast<std::uint32_t>(life);
  return read;
}

}  // namespace

Result<ShardFacts> ParseShardText(std::string_view text) {
  const auto malformed = [](const std::string& what) {
    return Error{ErrorCode::kCorruption, "it is not the manifest of a shard: " + what};
  };
  if (IsNestedTooDeeply(text)) return malformed(std::string(kNestedTooDeeply));
  const SliceJson json = SliceJson::parse(text, nullptr, false);
  if (!json.is_object()) return malformed("it is not a JSON object");
  SliceMembers members(json);
  const std::int64_t version = members.Integer("manifest");
  if (members.ok() && version != kShardFormat) {
    return malformed("its format is " + std::to_string(version) + ", and this version reads " +
                     std::to_string(kShardFormat));
  }
  ShardFacts facts{.shard = ParseShard(members), .pane = Duration(members.Integer("pane_ns"))};
  facts.keys = ParseKeys(members);
  facts.mapping = members.Text("mapping");
  const SliceJson& partitions = members.At("partitions");
  if (!partitions.is_array()) members.Refuse("partitions");
  for (const SliceJson& item : partitions) {
    const std::optional<ShardPartition> each = ParseShardPartition(item);
    if (!each) {
      members.Refuse("partitions");
      break;
    }
    facts.partitions.push_back(*each);
  }
  facts.watermark = members.TimeOrNull("watermark");
  facts.closed_until = members.TimeOrNull("closed_until");
  facts.counts = ParsePaneCounts(members);
  facts.written = members.Time("written");
  if (!members.ok()) return malformed("`" + members.wrong() + "` is missing or wrong");
  return facts;
}

Result<SliceFacts> ParseSliceText(std::string_view text) {
  if (IsNestedTooDeeply(text)) return MalformedSliceText(std::string(kNestedTooDeeply));
  const SliceJson json = SliceJson::parse(text, nullptr, false);
  if (!json.is_object()) return MalformedSliceText("it is not a JSON object");
  SliceMembers members(json);
  const std::int64_t version = members.Integer("slices");
  if (members.ok() && version != kSliceFormat) {
    return MalformedSliceText("its format is " + std::to_string(version) +
                              ", and this version reads " + std::to_string(kSliceFormat));
  }
  SliceFacts facts{.number = members.Unsigned("number")};
  facts.begin = members.Time("start");
  facts.end = members.Time("end");
  if (!members.At("previous_end").is_null()) facts.previous = members.Time("previous_end");
  facts.duplicates = members.Unsigned("duplicates");
  facts.late = members.Unsigned("late");
  facts.refused = members.Unsigned("refused");
  facts.gap = members.Bool("gap");
  facts.has_on_time = members.Bool("on_time");
  if (json.contains("shard")) {
    facts.shard = ParseShard(members);
    facts.apart = ParsePaneCounts(members);
  }
  ParseTable(members, facts);
  ParsePartitions(members, facts);
  ParseFilters(members, facts);
  facts.keys = ParseKeys(members);
  facts.has_reals = members.Text("weights") == "float64";
  facts.mapping = members.Text("mapping");
  facts.written = members.Time("written");
  facts.seconds = members.Number("seconds");
  if (facts.end <= facts.begin || (facts.previous && *facts.previous > facts.begin)) {
    members.Refuse("end");
  }
  if (!members.ok()) return MalformedSliceText("`" + members.wrong() + "` is missing or wrong");
  return facts;
}

}  // namespace sash
