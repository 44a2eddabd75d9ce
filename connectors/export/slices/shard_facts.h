// ShardFacts: what the manifest of a shard states: how far the shard has come. README.md describes
// the members.
//
// Thread safety: a plain value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/slice_logs.h"
#include "windows/ingest/stream_shard.h"

namespace sash {

// The version of the file, in the member `manifest`.
inline constexpr int kShardFormat = 1;
inline constexpr const char* kShardTextName = "shard.json";

struct ShardPartition {
  TopicPartition pair{};
  std::optional<EventTime> newest{};  // of its events that were in time
  bool is_idle = false;
  friend bool operator==(const ShardPartition&, const ShardPartition&) = default;
};

struct ShardFacts {
  StreamShard shard{};
  Duration pane{};
  KeyKind keys = KeyKind::kString;
  std::string mapping{};  // SliceFacts::mapping
  std::vector<ShardPartition> partitions{};
  // The least time that its active partitions have passed, or had passed when the last one became
  // idle. It never falls while a process runs.
  std::optional<EventTime> watermark{};
  // Every pane that ends at or before it has closed for good, and its slice, if any, is durable.
  std::optional<EventTime> closed_until{};
  std::vector<PaneCounts> counts{};  // that no durable slice of the shard has
  EventTime written{};               // when all this was so, by the wall clock

  // A shard without partitions is idle too.
  bool is_idle() const {
    for (const ShardPartition& each : partitions) {
      if (!each.is_idle) return false;
    }
    return true;
  }
  // Why the other one cannot be a shard of the same stream; empty: it can.
  std::string WhyUnlike(const ShardFacts& other) const {
    if (other.pane != pane) return "its windows have another pane";
    if (other.keys != keys) return "its keys are of another kind";
    return other.mapping == mapping ? "" : "its mapping is another one";
  }
  friend bool operator==(const ShardFacts&, const ShardFacts&) = default;
};

// The manifest, and its inverse. kCorruption: the text is not a manifest of this version, and why.
std::string ShardText(const ShardFacts& facts);
Result<ShardFacts> ParseShardText(std::string_view text);

}  // namespace sash
