// SliceReader: reads the edges of a slice of a stored stream, in the order of topic, partition and
// offset, from the tables of all its parts.
//
//   Result<std::optional<SliceReader>> reader = SliceReader::Open(stream, slice, partitions);
//   while (const SliceRow* row = reader.value()->Next()) ...
//   if (const auto& failure = reader.value()->failure()) ...
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) It holds a shared lock (flock) on the manifest of each part.
//   (2) A row lies in the pane, and in the partition that the manifest states; otherwise reading
//       ends with an error that names the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/export/owned_descriptor.h"
#include "connectors/export/slices/stored_slice.h"
#include "connectors/export/slices/stored_stream.h"
#include "windows/base/ids.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/window_filters.h"

namespace sash {

class SliceReader {
 public:
  // The stream and the slice outlive it. Nothing: a part does not exist any more. Errors as
  // StoredSlice::Open().
  static Result<std::optional<SliceReader>> Open(const StoredStream& stream,
                                                 const StreamSlice& slice,
                                                 PartitionTable& partitions);

  // The next row; null at the end, or after an error.
  const SliceRow* Next();
  // The partition of the newest row, and the filters that its bits are for.
  PartitionIndex partition() const { return runs_[run_].index; }
  const FilterTexts& filters() const { return slice_->parts[runs_[run_].part].facts.filters; }
  // Why it ended early; nothing so far.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  struct OpenPart {
    OwnedDescriptor lock;
    StoredSlice rows;
    std::string table{};  // for messages
  };
  // Rows of a partition, which follow each other in a part.
  struct Run {
    const PartitionRows* rows = nullptr;
    std::size_t part = 0;
    PartitionIndex index = 0;
  };

  explicit SliceReader(const StreamSlice& slice) : slice_(&slice) {}

  bool NextRun();
  void Fail(const Error& error);

  const StreamSlice* slice_;
  std::vector<OpenPart> parts_;
  std::vector<Run> runs_;
  std::size_t run_ = 0;
  std::uint64_t read_ = 0;  // rows of runs_[run_]
  std::optional<Error> failure_;
};

}  // namespace sash
