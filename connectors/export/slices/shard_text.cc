#include "connectors/export/slices/shard_facts.h"
#include "connectors/export/slices/shard_members.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

void WriteTimeOrNull(const std::optional<EventTime>& time, JsonText& json) {
  if (time) {
    json.Text(TimeText(*time));
  } else {
    json.Null();
  }
}

}  // namespace

void WritePaneCounts(const std::vector<PaneCounts>& counts, JsonText& json) {
  json.BeginArray();
  for (const PaneCounts& each : counts) {
    json.BeginObject().Key("start");
    WriteTimeOrNull(each.begin, json);
    json.Key("late").Unsigned(each.late).Key("refused").Unsigned(each.refused).EndObject();
  }
  json.EndArray();
}

void WriteShard(const StreamShard& shard, JsonText& json) {
  json.BeginObject().Key("number").Integer(shard.number).Key("of").Integer(shard.of).EndObject();
}

std::string ShardText(const ShardFacts& facts) {
  JsonText json;
  json.BeginObject().Key("manifest").Integer(kShardFormat).Key("shard");
  WriteShard(facts.shard, json);
  json.Key("pane_ns").Integer(facts.pane.count());
  json.Key("keys").Text(facts.keys == KeyKind::kInteger ? "integer" : "string");
  json.Key("mapping").Text(facts.mapping);
  json.Key("partitions").BeginArray();
  for (const ShardPartition& each : facts.partitions) {
    json.BeginObject().Key("topic").Text(each.pair.topic);
    json.Key("partition").Integer(each.pair.partition).Key("life").Unsigned(each.pair.life);
    json.Key("newest");
    WriteTimeOrNull(each.newest, json);
    json.Key("idle").Bool(each.is_idle).EndObject();
  }
  json.EndArray().Key("idle").Bool(facts.is_idle());
  json.Key("watermark");
  WriteTimeOrNull(facts.watermark, json);
  json.Key("closed_until");
  WriteTimeOrNull(facts.closed_until, json);
  json.Key("counts");
  WritePaneCounts(facts.counts, json);
  json.Key("written").Text(TimeText(facts.written)).EndObject();
  return std::move(json).Take() + "\n";
}

}  // namespace sash
