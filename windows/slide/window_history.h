// WindowHistory: the earlier windows of one window that can be read again (WindowSpec::retain).
//
// It knows which windows were published, and of which slices they consist; the historian's archive
// has the slices. A window is made when it is read, which costs O(its edges + ids) in the reader's
// thread. It is the window that was published, edge by edge and weight by weight.
//
// Of the windows that are read between two advances, the last two are kept for the next reader,
// until the window has advanced twice.
//
// Thread safety: Note() and Restore() belong to the engine thread; any thread may call the rest. A
// reader holds a lock while it makes a window, so that others do not make it too. The engine never
// waits for that lock.
//
// Invariants
//   (1) Entries are in the order in which they were published, so their ends ascend.
//   (2) Of each entry, the archive holds every slice.
//   (3) Entries end at most `retain` before the newest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/ingest/id_pin.h"
#include "windows/jobs/advance.h"
#include "windows/store/slice_archive.h"

namespace sash {

class WindowHistory {
 public:
  // `retain`: on the axis of the window (WindowSpec::retain).
  WindowHistory(std::shared_ptr<const SliceArchive> archive, std::int64_t retain)
      : archive_(std::move(archive)), retain_(retain) {}

  // `published` consists of the newest `published.slices` slices of the archive, whose ids are
  // below `id_limit`. If the archive does not have them all, because history began later, the
  // window cannot be read again. Sets `published.history`, which says where its slices are.
  void Note(Advance& published, VertexId id_limit);

  // Something that was published, without its view.
  struct Past {
    Provenance provenance{};
    std::int64_t end = 0;
    std::int64_t ordinal = 0;
    std::uint64_t newest_slice = 0;  // SliceId
    std::uint64_t slices = 0;
    std::uint64_t bytes = 0;  // Advance::bytes
    VertexId id_limit = 0;
  };

  // What can be read, oldest first; the newest advance is the last.
  std::vector<Past> List() const;
  // Those that can be made from the newest `slices` slices of the archive.
  std::vector<Past> Within(std::uint64_t slices) const;
  std::optional<Past> Oldest() const;
  // The published window of this number; the newest one that ends at or before `at`.
  std::optional<Past> Find(SnapshotId snapshot) const;
  std::optional<Past> FindAt(EventTime at) const;
  // The newest one before the advance of this ordinal on which a job with `every` was due.
  std::optional<Past> FindDueBefore(std::int64_t ordinal, std::uint32_t every) const;

  // What entered in [begin, end) of the axis, oldest first; none if history has forgotten a part.
  // Read with a pin that was taken before this call. What entered before the oldest window that
  // can be read may be lacking.
  std::optional<SliceArchive::Slices> Entered(Position begin, Position end) const {
    return archive_->Between(begin, end);
  }

  // The advance without edges and ids.
  static std::shared_ptr<Advance> Outline(const Past& past);

  // Makes the window. `ids`: a pin that was taken before this call. Null if history has forgotten
  // it meanwhile.
  AdvancePtr Read(const Past& past, std::shared_ptr<const IdPin> ids) const;

  // What the history of the same slices was, before a restart or with another `retain`.
  void Restore(std::vector<Past> entries);
  // The same if ids are others now, below `id_limit`.
  void Restore(std::vector<Past> entries, VertexId id_limit);

  std::size_t bytes() const;  // without the slices

 private:
  PastSlices SlicesOf(std::uint64_t newest, std::uint64_t count, VertexId id_limit) const;
  void ForgetBefore(std::int64_t end) SASH_REQUIRES(mutex_);
  AdvancePtr Known(SnapshotId snapshot) const;

  const std::shared_ptr<const SliceArchive> archive_;
  const std::int64_t retain_;

  mutable Mutex mutex_;
  std::deque<Past> entries_ SASH_GUARDED_BY(mutex_);
  // Windows that were read: `recent` since the newest advance, `earlier` since the one before.
  mutable std::vector<AdvancePtr> recent_ SASH_GUARDED_BY(mutex_);
  mutable std::vector<AdvancePtr> earlier_ SASH_GUARDED_BY(mutex_);
  mutable Mutex making_;
};

}  // namespace sash
