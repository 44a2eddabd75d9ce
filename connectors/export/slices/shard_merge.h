// Puts the slices of the shards of one stream together (README.md, "Putting slices together").
//
// Thread safety: pure.
//
// Invariants
//   (1) The result has every edge of every slice that all shards have closed, once, unless a shard
//       has removed its part of that time.
//   (2) Each late or refused record that a shard counts apart is counted once, in the slice where
//       one process would count it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "connectors/export/slices/shard_facts.h"
#include "connectors/export/slices/stream_slice.h"
#include "windows/base/clock.h"

namespace sash {

// What a shard has exported. The manifest was read before the slices.
struct ShardSlices {
  ShardFacts about{};                // with `closed_until`
  std::vector<SliceFacts> slices{};  // ascending
};

struct MergedShards {
  std::vector<StreamSlice> slices{};  // ascending; a folder is the place of its shard
  // Slices that end after ClosedByAll(), so that they are not whole, and where the first one ends.
  std::uint64_t left_out = 0;
  std::optional<EventTime> first_left_out{};
};

// The time up to which all shards, of which there is at least one, have closed their slices.
EventTime ClosedByAll(const std::vector<ShardSlices>& shards);

// Merges the slices of shards, of which there is at least one.
MergedShards MergeShards(std::vector<ShardSlices> shards);

}  // namespace sash
