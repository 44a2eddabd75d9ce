#include "windows/slide/window_history.h"

#include <algorithm>
#include <utility>

#include "windows/base/allocated_bytes.h"

namespace sash {
namespace {

// The most windows that are kept for the next reader, since one advance.
constexpr std::size_t kMostKept = 2;

AdvancePtr Among(const std::vector<AdvancePtr>& advances, SnapshotId snapshot) {
  const auto found = std::ranges::find_if(advances, [&](const AdvancePtr& advance) {
    return advance->provenance.snapshot == snapshot;
  });
  return found == advances.end() ? nullptr : *found;
}

}  // namespace

PastSlices WindowHistory::SlicesOf(std::uint64_t newest, std::uint64_t count,
                                   VertexId id_limit) const {
  return {archive_, archive_->Hold(newest, count), newest, id_limit};
}

void WindowHistory::Note(Advance& published, VertexId id_limit) {
  published.history = SlicesOf(archive_->newest(), published.slices, id_limit);
  Past past{.provenance = published.provenance,
            .end = published.end,
            .ordinal = published.ordinal,
            .newest_slice = published.history->newest,
            .slices = published.slices,
            .bytes = published.bytes,
            .id_limit = id_limit};
  const bool is_whole = published.history->hold != nullptr;
  std::vector<AdvancePtr> unused;  // freed without the lock
  const MutexLock lock(mutex_);
  ForgetBefore(past.end - retain_);
  if (is_whole) entries_.push_back(std::move(past));
  unused = std::exchange(earlier_, std::exchange(recent_, {}));
}

void WindowHistory::Restore(std::vector<Past> entries) {
  const MutexLock lock(mutex_);
  entries_.assign(entries.begin(), entries.end());
  if (!entries_.empty()) ForgetBefore(entries_.back().end - retain_);
}

void WindowHistory::Restore(std::vector<Past> entries, VertexId id_limit) {
  for (Past& past : entries) past.id_limit = id_limit;
  Restore(std::move(entries));
}

void WindowHistory::ForgetBefore(std::int64_t end) {
  while (!entries_.empty() && entries_.front().end < end) entries_.pop_front();
}

std::vector<WindowHistory::Past> WindowHistory::List() const {
  const MutexLock lock(mutex_);
  return {entries_.begin(), entries_.end()};
}

std::vector<WindowHistory::Past> WindowHistory::Within(std::uint64_t slices) const {
  const std::uint64_t newest = archive_->newest();
  std::vector<Past> within;
  const MutexLock lock(mutex_);
  for (const Past& past : entries_) {
    const std::uint64_t behind = newest - past.newest_slice;
    if (past.slices == 0 || (behind <= slices && past.slices <= slices - behind)) {
      within.push_back(past);
    }
  }
  return within;
}

std::optional<WindowHistory::Past> WindowHistory::Oldest() const {
  const MutexLock lock(mutex_);
  if (entries_.empty()) return std::nullopt;
  return entries_.front();
}

std::optional<WindowHistory::Past> WindowHistory::Find(SnapshotId snapshot) const {
  const MutexLock lock(mutex_);
  const auto found = std::ranges::lower_bound(entries_, snapshot.value, {}, [](const Past& past) {
    return past.provenance.snapshot.value;
  });
  if (found == entries_.end() || found->provenance.snapshot != snapshot) return std::nullopt;
  return *found;
}

std::optional<WindowHistory::Past> WindowHistory::FindAt(EventTime at) const {
  const MutexLock lock(mutex_);
  // By events, times of ends need not ascend.
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Past& past) {
    return past.provenance.window_end <= at;
  });
  if (found == entries_.rend()) return std::nullopt;
  return *found;
}

std::optional<WindowHistory::Past> WindowHistory::FindDueBefore(std::int64_t ordinal,
                                                                std::uint32_t every) const {
  const MutexLock lock(mutex_);
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Past& past) {
    return past.ordinal < ordinal && past.ordinal % every == 0;
  });
  if (found == entries_.rend()) return std::nullopt;
  return *found;
}

AdvancePtr WindowHistory::Known(SnapshotId snapshot) const {
  const MutexLock lock(mutex_);
  if (AdvancePtr known = Among(recent_, snapshot)) return known;
  AdvancePtr known = Among(earlier_, snapshot);
  if (known && recent_.size() < kMostKept) recent_.push_back(known);
  return known;
}

std::shared_ptr<Advance> WindowHistory::Outline(const Past& past) {
  auto advance = std::make_shared<Advance>();
  advance->provenance = past.provenance;
  advance->view = EmptyView();
  advance->end = past.end;
  advance->ordinal = past.ordinal;
  advance->slices = past.slices;
  advance->bytes = past.bytes;
  return advance;
}

AdvancePtr WindowHistory::Read(const Past& past, std::shared_ptr<const IdPin> ids) const {
  const MutexLock making(making_);
  if (AdvancePtr known = Known(past.provenance.snapshot)) return known;
  auto graph = archive_->WindowOf(past.newest_slice, past.slices, past.id_limit);
  if (!graph) return nullptr;
  const std::shared_ptr<Advance> advance = Outline(past);
  advance->view = std::move(graph);
  advance->ids = std::move(ids);
  advance->history = SlicesOf(past.newest_slice, past.slices, past.id_limit);
  AdvancePtr given_up;  // freed without the lock
  const MutexLock lock(mutex_);
  if (recent_.size() == kMostKept) {
    given_up = std::move(recent_.front());
    recent_.erase(recent_.begin());
  }
  recent_.push_back(advance);
  return advance;
}

std::size_t WindowHistory::bytes() const {
  const MutexLock lock(mutex_);
  constexpr std::size_t kNode = AllocatedBytes(sizeof(std::pair<TopicPartition, OffsetSpan>) + 40);
  std::size_t bytes = entries_.size() * sizeof(Past);
  if (!entries_.empty())
    bytes += entries_.size() * entries_.back().provenance.offsets.size() * kNode;
  return bytes;
}

}  // namespace sash
