// RetainedSlice: what is kept of a closed slice, once for all windows of its lane, until none of
// them holds it (retained_slices.h).
#pragma once

#include <cstdint>
#include <memory>

#include "windows/base/allocated_bytes.h"
#include "windows/ingest/coded_counts.h"
#include "windows/ingest/slice.h"

namespace sash {

struct RetainedSlice {
  Position begin = 0;
  Position end = 0;
  std::uint64_t events = 0;
  bool stream_begun = false;  // it, or one before it, holds an on-time event
  SliceAccount account;
  CodedCounts end_points;            // how often it names each vertex: its references
  std::weak_ptr<const Slice> slice;  // the events, while a store keeps them as they are (rebuild)

  // With the shell of the slice, which the weak pointer keeps, and a node a partition.
  std::size_t bytes() const {
    constexpr std::size_t kNode = AllocatedBytes(sizeof(PartitionShare) + 40);
    return sizeof(RetainedSlice) + kSharedBytes<Slice> + account.shares.size() * kNode +
           AllocatedBytes(end_points.bytes());
  }
};

}  // namespace sash
