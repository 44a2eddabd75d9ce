// Slice file: a frozen slice, written once. It is independent of other files: it holds the keys of
// its vertices and the names of its partitions.
//
// Thread safety: none of its own.
//
// Invariants
//   (1) A slice that is read again has the account and the order of events, weights and operations
//       of the slice that was written; its vertices have the same keys, and its events have the
//       same types and pass the same filters.
//   (2) A text that passes SectionedFile::Parse() but is not a slice is kCorruption.
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

// `filters`: by number, those of the bits in the slice. REQUIRES: the ids of the slice stay in use
// during the call.
std::vector<FileSection> EncodeSlice(const Slice& slice, KeyNumbering& numbering,
                                     const PartitionTable& partitions,
                                     const FilterTexts& filters = {});

// Checks that the file is a sound slice of these partitions, without interning its keys.
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
  Slice slice;  // without its events; types are numbers of `types`, from 1
  KeyTable keys;
  EventColumns events;
  FilterTexts filters;
  TypeWords types;
};

// The table must have all partitions of the slice. The result is valid as long as `file`.
Result<NumberedSlice> ReadSlice(const SectionedFile& file, KeyKind kind,
                                const PartitionTable& partitions);

// Interns the keys and the types. Every vertex is named by an event, and the caller must refer to
// every vertex. The filters of the slice get the numbers that they have in `filters`.
LoadedSlice InternSlice(NumberedSlice numbered, VertexDictionary& keys,
                        const FilterTexts& filters = {});

}  // namespace sash
