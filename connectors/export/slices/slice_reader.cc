#include "connectors/export/slices/slice_reader.h"

#include <algorithm>

#include "connectors/export/stored_file.h"

namespace sash {

Result<std::optional<SliceReader>> SliceReader::Open(const StoredStream& stream,
                                                     const StreamSlice& slice,
                                                     PartitionTable& partitions) {
  SliceReader reader(slice);
  for (std::size_t i = 0; i < slice.parts.size(); ++i) {
    const StreamSlice::Part& part = slice.parts[i];
    const StoredFolder& in = stream.folders[part.folder];
    OwnedDescriptor lock = LockToRead(in.folder.number(), SliceTextName(part.facts.number));
    if (!lock.is_open()) return std::optional<SliceReader>();
    Result<StoredSlice> rows = StoredSlice::Open(in.folder.number(), part.facts);
    if (!rows) {
      Error error = rows.error();
      error.message = in.prefix + error.message;
      return error;
    }
    reader.parts_.push_back(
        {std::move(lock), std::move(rows).value(), in.prefix + part.facts.table.name});
    for (const PartitionRows& run : part.facts.partitions) {
      reader.runs_.push_back({&run, i, partitions.Index(run.pair)});
    }
  }
  // The order in which one process would have written them.
  std::ranges::stable_sort(
      reader.runs_, {}, [](const Run& run) -> const auto& { return run.rows->pair; });
  return std::optional(std::move(reader));
}

bool SliceReader::NextRun() {
  if (runs_.empty() || failure_) return false;
  if (read_ < runs_[run_].rows->rows) return true;
  if (run_ + 1 == runs_.size()) return false;
  ++run_;
  read_ = 0;
  return true;
}

void SliceReader::Fail(const Error& error) {
  failure_ = Error(error).Within(parts_[runs_[run_].part].table);
}

const SliceRow* SliceReader::Next() {
  if (!NextRun()) return nullptr;
  StoredSlice& rows = parts_[runs_[run_].part].rows;
  const SliceRow* const row = rows.Next();
  if (row == nullptr) {
    Fail(rows.failure() ? *rows.failure()
                        : Error{ErrorCode::kCorruption, "it has fewer rows than its manifest"});
    return nullptr;
  }
  const TopicPartition& pair = runs_[run_].rows->pair;
  if (row->partition != pair.partition || row->topic != pair.topic || row->time >= slice_->end) {
    Fail({ErrorCode::kCorruption,
          "a row is not in the pane, or not of the partition, that the manifest states"});
    return nullptr;
  }
  ++read_;
  return row;
}

}  // namespace sash
