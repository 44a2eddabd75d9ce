#include "connectors/export/slices/slice_shelf.h"

#include <fmt/format.h>

#include <chrono>
#include <string>

#include "connectors/export/log_events.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

std::string PaneText(Duration pane) {
  return fmt::format("{} s", std::chrono::duration<double>(pane).count());
}

}  // namespace

Status SliceShelf::Begin(KeyKind keys, Duration pane, bool all) {
  if (Status removed = folder_.RemoveTorn(); !removed) return removed;
  Result<std::vector<SliceFacts>> found = folder_.Find();
  if (!found) return found.error();
  if (all) {
    for (const SliceFacts& slice : found.value()) {
      const Result<Removal> removed = folder_.Remove(slice.number);
      if (!removed) return removed.error();
    }
    return Ok{};
  }
  for (const SliceFacts& slice : found.value()) Keep(slice);
  return kept_.empty() ? Ok{} : CheckFound(found.value().back(), keys, pane);
}

Status SliceShelf::CheckFound(const SliceFacts& newest, KeyKind keys, Duration pane) const {
  const auto word = [](KeyKind kind) { return kind == KeyKind::kInteger ? "integer" : "string"; };
  const std::string remedy = "; give another path, or remove the folder";
  if (newest.keys != keys) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("open {}: its slices have keys of the kind {}, and source.format.keys "
                             "is {}{}",
                             spec_.path, word(newest.keys), word(keys), remedy)};
  }
  if (newest.pane() != pane) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("open {}: its slices are of {}, and those of the windows are of {}{}",
                             spec_.path, PaneText(newest.pane()), PaneText(pane), remedy)};
  }
  return Ok{};
}

std::optional<EventTime> SliceShelf::newest_end() const {
  if (kept_.empty()) return std::nullopt;
  return kept_.back().end;
}

std::vector<EventTime> SliceShelf::Ends() const {
  std::vector<EventTime> ends;
  for (const Kept& kept : kept_) ends.push_back(kept.end);
  return ends;
}

void SliceShelf::Keep(const SliceFacts& slice) {
  kept_.push_back({slice.number, slice.end, InPages(slice.table.bytes)});
  bytes_ += kept_.back().bytes;
  ++count_;
}

bool SliceShelf::MakeRoom(std::uint64_t bytes) {
  while (InPages(bytes) + bytes_ > spec_.limit_bytes && kept_.size() > 1) {
    const EventTime end = kept_.front().end;
    if (!RemoveOldest()) break;
    if (removed_early_++ > 0) continue;
    log_.Log(export_events::kRemovedEarly,
             fmt::format("export {}: the slice that ends at {} is removed before `keep` has "
                         "passed, because all slices together may take {} bytes (limit)",
                         spec_.path, TimeText(end), spec_.limit_bytes));
  }
  return InPages(bytes) + bytes_ <= spec_.limit_bytes;
}

void SliceShelf::Add(const SliceFacts& slice) {
  Keep(slice);
  while (kept_.size() > 1 && slice.end - kept_.front().end >= spec_.keep_for) {
    if (!RemoveOldest()) return;
  }
}

// False: a reader has locked it, or it cannot be removed; it is tried again with the next slice.
bool SliceShelf::RemoveOldest() {
  const Kept oldest = kept_.front();
  const Result<Removal> removed = folder_.Remove(oldest.number);
  if (!removed) {
    log_.Log(export_events::kNotRemoved, removed.error().message);
    return false;
  }
  if (removed.value() == Removal::kLocked) return false;
  kept_.pop_front();
  bytes_ -= oldest.bytes;
  --count_;
  return true;
}

}  // namespace sash
