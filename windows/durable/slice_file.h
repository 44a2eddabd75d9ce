// Slice file: a frozen slice, written once. It stands alone: it holds the keys of its vertices and
// the names of its partitions.
//
// Thread safety: none of its own.
//
// Invariants
//   (1) What is read again has the account, the order of events, weights and operations of the
//       slice that was written; its vertices have the same keys.
//   (2) A text that passed SectionedFile::Parse() but is no slice is kCorruption.
#pragma once

#include <cstdint>
#include <vector>

#include "windows/base/result.h"
#include "windows/durable/event_columns.h"
#include "windows/durable/key_table.h"
#include "windows/durable/sectioned_file.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/slice.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/slide/engine_state.h"

namespace sash {

// The ids of the slice are in use meanwhile.
std::vector<FileSection> EncodeSlice(const Slice& slice, KeyNumbering& numbering,
                                     const PartitionTable& partitions);

// Whether it is a sound slice of these partitions, without its becoming one; and what it says of
// itself.
struct SliceSummary {
  SliceId id;
  Position begin = 0;
  Position end = 0;
  std::uint64_t events = 0;
};
Result<SliceSummary> CheckSlice(const SectionedFile& file, KeyKind kind,
                                const PartitionTable& partitions);

// A slice whose vertices are still numbers of the keys in its file.
struct NumberedSlice {
  Slice slice;  // without its events
  KeyTable keys;
  EventColumns events;
};

// Its partitions are in the table. Valid as long as the file.
Result<NumberedSlice> ReadSlice(const SectionedFile& file, KeyKind kind,
                                const PartitionTable& partitions);

// Its keys enter the dictionary. Every vertex is named by an event: the caller refers to them.
LoadedSlice InternSlice(NumberedSlice numbered, VertexDictionary& keys);

}  // namespace sash
