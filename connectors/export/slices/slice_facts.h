// SliceFacts: what the manifest of an exported slice states. README.md describes the members.
//
// Thread safety: a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/export/parquet/parquet_file.h"
#include "windows/base/clock.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/slice_logs.h"
#include "windows/ingest/stream_shard.h"
#include "windows/ingest/window_filters.h"

namespace sash {

// The version of the files, in the member `slices`.
inline constexpr int kSliceFormat = 1;

// Rows of one partition, which follow each other in the table.
struct PartitionRows {
  TopicPartition pair{};
  std::uint64_t rows = 0;
  std::int64_t first_offset = 0;
  std::int64_t last_offset = 0;
  friend bool operator==(const PartitionRows&, const PartitionRows&) = default;
};

struct SliceFacts {
  std::uint64_t number = 0;             // in the folder, without holes
  std::optional<EventTime> previous{};  // the end of the slice before it; none: it is the first
  EventTime begin{};                    // the pane is [begin, end)
  EventTime end{};
  std::uint64_t duplicates = 0;  // rows that count in no window, because of their ids
  std::uint64_t late = 0;
  std::uint64_t refused = 0;
  bool gap = false;                         // records just before one of its events were never read
  bool has_on_time = false;                 // has an event that was not late
  FilterBits on_time_passes = 0;            // by place in `filters`
  std::vector<PartitionRows> partitions{};  // in the order of the rows
  FilterTexts filters{};                    // those of the Boolean columns
  KeyKind keys = KeyKind::kString;
  bool has_reals = false;  // not all weights are integers
  // Only in a shard: counts of panes before this one that no slice of it has (SliceLogs::apart).
  std::vector<PaneCounts> apart{};
  std::optional<StreamShard> shard{};  // nothing: the slice has all partitions
  std::string mapping{};               // MappingDigest() of the mapping that made the edges
  WrittenTable table{};
  EventTime written{};  // by the wall clock
  double seconds = 0;   // that writing took

  Duration pane() const { return end - begin; }
};

// "slice-0000000017.parquet" and "slice-0000000017.json".
std::string SliceTableName(std::uint64_t number);
std::string SliceTextName(std::uint64_t number);
// The number in such a name; nothing for other names.
std::optional<std::uint64_t> SliceNumberIn(std::string_view name, std::string_view ending);

// The column of a filter, by its place.
std::string FilterColumn(std::size_t place);

// The manifest, and its inverse. kCorruption: the text is not a manifest of this version, and why.
std::string SliceText(const SliceFacts& facts);
Result<SliceFacts> ParseSliceText(std::string_view text);

}  // namespace sash
