#include "windows/durable/checkpoint_store.h"

#include <algorithm>
#include <optional>

#include "windows/base/check.h"
#include "windows/durable/slice_file.h"

namespace sash {
namespace {

constexpr const char* kNextManifestName = "manifest.next";

}  // namespace

Status CheckpointStore::Begin(const std::vector<SliceEntry>& known) {
  const Result<std::vector<std::string>> names = folder_.List();
  if (!names) return names.error();
  slices_.clear();
  garbage_.clear();
  for (const SliceEntry& entry : known) slices_[{entry.lane, entry.id}] = entry;
  for (const std::string& name : names.value()) {
    const std::optional<std::uint64_t> number = SliceFileNumber(name);
    if (number) next_file_ = std::max(next_file_, *number + 1);
    const bool is_known = number && std::ranges::any_of(known, [&](const SliceEntry& entry) {
                            return entry.file == *number;
                          });
    if ((number && !is_known) || name == kNextManifestName) garbage_.insert(name);
  }
  return Ok{};
}

Status CheckpointStore::AddSlice(const ClosedSlice& closed) {
  const std::uint64_t file = next_file_++;
  const std::string name = SliceFileName(file);
  const FilterTexts filters = closed.filters == nullptr ? FilterTexts() : *closed.filters;
  const Result<FileStamp> stamp =
      SectionedFile::Write(folder_, name, FileKind::kSlice,
                           EncodeSlice(*closed.slice, numbering_, partitions_, filters));
  if (!stamp) {
    garbage_.insert(name);
    return stamp.error();
  }
  written_ += stamp.value().bytes;
  const std::uint64_t id = closed.slice->id.value;
  slices_[{closed.lane, id}] = {closed.lane, id, file, stamp.value()};
  return Ok{};
}

Status CheckpointStore::Commit(const EngineState& state) {
  std::vector<SliceEntry> entries;
  std::uint64_t bytes = 0;
  for (const LaneState& lane : state.lanes) {
    for (std::uint64_t id = lane.first_retained(); id < lane.slicer.next_id; ++id) {
      const auto found = slices_.find({lane.serial, id});
      SASH_CHECK(found != slices_.end());
      if (Status is_there = CheckIsThere(found->second); !is_there) return is_there;
      entries.push_back(found->second);
      bytes += found->second.stamp.bytes;
    }
  }
  const Result<FileStamp> stamp = SectionedFile::Write(
      folder_, kNextManifestName, FileKind::kManifest, EncodeManifest(state, entries, numbering_));
  if (!stamp) return stamp.error();
  written_ += stamp.value().bytes;
  // The names of the slice files become durable before the manifest that references them.
  if (Status synced = folder_.Sync(); !synced) return synced;
  if (Status renamed = folder_.Rename(kNextManifestName, kManifestName); !renamed) return renamed;
  // If this fails, a restart may find either manifest, so nothing is deleted.
  if (Status synced = folder_.Sync(); !synced) return synced;
  garbage_.erase(kNextManifestName);
  bytes_ = bytes + stamp.value().bytes;

  std::map<SliceName, SliceEntry> kept;
  for (const SliceEntry& entry : entries) kept[{entry.lane, entry.id}] = entry;
  // Slices newer than the state are kept for the next commit.
  for (const auto& [slice, entry] : slices_) {
    const auto lane = std::ranges::find(state.lanes, slice.first, &LaneState::serial);
    const bool is_old = lane == state.lanes.end() ? slice.first < state.next_serial
                                                  : slice.second < lane->first_retained();
    if (is_old) {
      garbage_.insert(SliceFileName(entry.file));
    } else {
      kept.insert({slice, entry});
    }
  }
  slices_ = std::move(kept);
  Collect();
  return Ok{};
}

Status CheckpointStore::CheckIsThere(const SliceEntry& entry) const {
  const Result<std::uint64_t> bytes = folder_.Size(SliceFileName(entry.file));
  if (bytes && bytes.value() == entry.stamp.bytes) return Ok{};
  if (!bytes && bytes.error().code == ErrorCode::kUnavailable) return bytes.error();
  return Error{ErrorCode::kUnavailable,
               folder_.path() + "/" + SliceFileName(entry.file) +
                   ": another process has moved, deleted or changed this file; put it back, or "
                   "restart sashd, which then reads the windows again from Kafka"};
}

void CheckpointStore::Collect() {
  // A file that cannot be deleted now is tried again at the next checkpoint.
  std::erase_if(garbage_, [&](const std::string& name) {
    const Status removed = folder_.Remove(name);
    return removed.ok() || removed.error().code == ErrorCode::kNotFound;
  });
}

}  // namespace sash
