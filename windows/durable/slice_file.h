// Slice file: a frozen slice, written once. It stands alone: it holds the keys of its vertices and
// the names of its partitions.
//
// Thread safety: none of its own.
//
// Invariants
//   (1) What is read again has the account, the order of events, weights and operations of the slice
//       that was written; its vertices have the same keys.
//   (2) A text that passed SectionedFile::Parse() but is no slice is kCorruption, and interns no key.
#pragma once

#include <memory>
#include <string>

#include "windows/base/result.h"
#include "windows/durable/key_table.h"
#include "windows/durable/sectioned_file.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/slice.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash {

// The ids of the slice are in use meanwhile.
std::vector<Section> EncodeSlice(const Slice& slice, KeyNumbering& numbering,
                                 const PartitionTable& partitions);

// Whether it is a sound slice, without its becoming one; and what it says of itself.
struct SliceSummary {
  SliceId id;
  Position begin = 0;
  Position end = 0;
  std::uint64_t events = 0;
};
Result<SliceSummary> CheckSlice(const SectionedFile& file, KeyKind kind);

// Its keys and partitions enter the tables. Every vertex is named by an event: the caller refers to
// them (end_point_counts.h).
Result<std::shared_ptr<const Slice>> ReadSlice(const SectionedFile& file, VertexDictionary& keys,
                                               PartitionTable& partitions);

}  // namespace sash
