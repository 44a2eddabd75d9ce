#include "connectors/export/snapshot_shelf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "connectors/export/log_events.h"

namespace sash {

Status SnapshotShelf::Begin(bool all) {
  Result<std::vector<FoundSnapshot>> found = folder_.List();
  if (!found) return found.error();
  std::ranges::sort(found.value(), {}, &FoundSnapshot::written);
  for (const FoundSnapshot& snapshot : found.value()) {
    const bool is_exported =
        std::ranges::find(spec_.windows, snapshot.place.window) != spec_.windows.end();
    shelved_.push_back({.place = snapshot.place, .bytes = snapshot.bytes});
    if (all || !snapshot.is_whole || !is_exported) TryRemove(shelved_.size() - 1);
  }
  Tidy();
  return Ok{};
}

bool SnapshotShelf::MakeRoom(std::uint64_t bytes) {
  for (std::size_t i = 0; i < shelved_.size() && bytes_ + bytes > spec_.limit_bytes;) {
    if (IsNewest(i) || !TryRemove(i)) ++i;
    Recount();
  }
  return bytes_ + bytes <= spec_.limit_bytes;
}

void SnapshotShelf::Add(const SnapshotPlace& place, std::uint64_t bytes, std::uint64_t number) {
  const auto newer =
      std::ranges::find_if(shelved_, [&](const Shelved& other) { return other.number > number; });
  shelved_.insert(newer, {place, bytes, number});
  Recount();
}

void SnapshotShelf::Tidy() {
  std::uint64_t overdue = 0;
  for (std::size_t i = 0; i < shelved_.size();) {
    if (!IsOverdue(i)) {
      ++i;
    } else if (!TryRemove(i)) {
      ++overdue;
      ++i;
    }
  }
  overdue_ = overdue;
  Recount();
}

std::string SnapshotShelf::HoldersText() const {
  std::string text;
  for (const Shelved& shelved : shelved_) {
    const std::vector<int> holders = folder_.Holders(shelved.place);
    if (holders.empty()) continue;
    text += fmt::format("{}snapshot {}/{} is locked by process {}", text.empty() ? "" : ", ",
                        shelved.place.window, shelved.place.name, fmt::join(holders, ", "));
  }
  return text;
}

bool SnapshotShelf::IsNewest(std::size_t i) const {
  return std::none_of(
      shelved_.begin() + static_cast<std::ptrdiff_t>(i) + 1, shelved_.end(),
      [&](const Shelved& later) { return later.place.window == shelved_[i].place.window; });
}

bool SnapshotShelf::IsOverdue(std::size_t i) const {
  const auto& window = shelved_[i].place.window;
  if (std::ranges::find(spec_.windows, window) == spec_.windows.end()) return true;
  const auto later =
      std::count_if(shelved_.begin() + static_cast<std::ptrdiff_t>(i) + 1, shelved_.end(),
                    [&](const Shelved& other) { return other.place.window == window; });
  return static_cast<std::uint64_t>(later) >= spec_.keep;
}

bool SnapshotShelf::TryRemove(std::size_t i) {
  const SnapshotPlace& place = shelved_[i].place;
  const Result<Removal> removed = folder_.Remove(place);
  if (!removed) {
    log_.Log(export_events::kNotRemoved,
             fmt::format("export {}: an old snapshot stays: {}", folder_.path(),
                         removed.error().message),
             {{"window", place.window}});
    return false;
  }
  if (removed.value() == Removal::kLocked) return false;
  shelved_.erase(shelved_.begin() + static_cast<std::ptrdiff_t>(i));
  return true;
}

void SnapshotShelf::Recount() {
  std::uint64_t bytes = 0;
  for (const Shelved& shelved : shelved_) bytes += shelved.bytes;
  bytes_ = bytes;
  count_ = shelved_.size();
}

}  // namespace sash
