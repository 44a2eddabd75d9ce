// RetainedSlice: the part of a closed slice that is kept once for all windows of its lane, until no
// window holds the slice (retained_slices.h).
//
// Thread safety: a plain value.
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
  FilterBits passed = 0;      // the filters that some event passes
  bool stream_begun = false;  // this slice, or an earlier one, has an on-time event
  SliceAccount account;
  CodedCounts end_points;            // its references: how often it names each vertex
  std::weak_ptr<const Slice> slice;  // the events, while a store of kind rebuild keeps them

  bool HasEvents(FilterBits filter) const {
    return filter == kNoFilter ? events > 0 : (passed & filter) != 0;
  }

  // Includes the memory of the Slice object, which the weak pointer keeps allocated, and a map node
  // per partition.
  std::size_t bytes() const {
    constexpr std::size_t kNode = AllocatedBytes(sizeof(PartitionShare) + 40);
    return sizeof(RetainedSlice) + kSharedBytes<Slice> + account.shares.size() * kNode +
           AllocatedBytes(end_points.bytes());
  }
};

}  // namespace sash
