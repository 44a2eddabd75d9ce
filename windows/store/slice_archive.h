// SliceArchive: a store that publishes nothing by itself. It keeps its slices in a compact form, so
// that an earlier window can be made of them on request.
//
// Making a window costs O(its edges + ids), in the thread that asks. The windows that the stream
// publishes are not touched.
//
// Thread safety: as SliceStore; WindowOf(), DatedWindowOf(), Hold(), Between(), newest() and size()
// may be called in any thread.
//
// Invariants
//   (1) A window is equal to the one that a store of this policy published when the newest of its
//       slices was the newest.
//   (2) The slices that a window is made of were held when WindowOf() was called, as were those of
//       DatedWindowOf() and Between(). So ids in them are protected by every pin that was taken
//       before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/store/archived_slice.h"
#include "windows/store/counted_bytes.h"
#include "windows/store/csr_graph.h"
#include "windows/store/dated_edges.h"
#include "windows/store/window_store.h"

namespace sash {

class SliceArchive final : public SliceStore, public std::enable_shared_from_this<SliceArchive> {
 public:
  SliceArchive(DuplicatesPolicy duplicates, EdgeIdentity identity)
      : duplicates_(duplicates), identity_(identity) {}

  void Add(std::shared_ptr<const Slice> slice) override;
  // Its Publish() returns a view without edges.
  std::unique_ptr<WindowStore> Open(std::size_t slices) override;
  std::size_t retained() const override { return size(); }
  bool CanCopyFor(const StoreSpec& spec) const override;
  void CopyPassing(const NumberedTypeFilters& filters,
                   const std::vector<std::shared_ptr<Slice>>& parts) override;
  MemoryUse shared_memory() const override;
  std::size_t view_bytes() const override { return *alive_bytes_; }

  // The number (SliceId) of the newest slice; 0 while there is none.
  std::uint64_t newest() const;
  std::size_t size() const;

  using Slices = std::vector<std::shared_ptr<const ArchivedSlice>>;
  // The slices that overlap [begin, end), oldest first; none if one of them is not held any more.
  std::optional<Slices> Between(Position begin, Position end) const;

  // The window that consists of the `count` slices up to the one of number `newest`; null if they
  // are not all there. Ids in them are below `id_limit`.
  std::shared_ptr<const CsrGraph> WindowOf(std::uint64_t newest, std::size_t count,
                                           VertexId id_limit) const;

  // While the result lives, the archive keeps the slices of that window. Null if they are not all
  // there.
  std::shared_ptr<const void> Hold(std::uint64_t newest, std::size_t count) const;

  // The edges of that window with the slices in which they came (DatedEdges()); none if the slices
  // are not all there.
  struct DatedWindow {
    std::vector<DatedEdge> edges{};
    std::vector<Position> ends{};  // by slice, ascending
  };
  std::optional<DatedWindow> DatedWindowOf(std::uint64_t newest, std::size_t count,
                                           VertexId id_limit,
                                           std::optional<double> least_weight) const;

 private:
  class Window;

  void ForgetUnheld();
  Slices Find(std::uint64_t newest, std::size_t count) const;
  bool HasWindow(std::uint64_t newest, std::size_t count) const SASH_REQUIRES(mutex_) {
    return newest <= newest_ && newest_ - newest + count <= slices_.size();
  }

  const DuplicatesPolicy duplicates_;
  const EdgeIdentity identity_;
  const std::shared_ptr<AliveBytes> alive_bytes_ = std::make_shared<AliveBytes>(0);
  std::vector<Window*> windows_;  // the open ones; each removes itself

  mutable Mutex mutex_;
  std::deque<std::shared_ptr<const ArchivedSlice>> slices_ SASH_GUARDED_BY(mutex_);  // oldest first
  std::uint64_t newest_ SASH_GUARDED_BY(mutex_) = 0;
  // Hold(): the numbers of the oldest slices.
  mutable std::multiset<std::uint64_t> held_from_ SASH_GUARDED_BY(mutex_);
  std::optional<Position> forgotten_until_ SASH_GUARDED_BY(mutex_);  // end of the last one released
  std::size_t bytes_ SASH_GUARDED_BY(mutex_) = 0;
};

}  // namespace sash
