// SliceStore: the slices of an axis that one or several windows hold. WindowStore: the part of it
// that one window sees.
//
// Windows with an equal spec share one SliceStore, whatever their lengths: each window holds the
// newest of its slices, and the longest window holds them all (rule R12 of
// windows/store/README.md).
//
// Thread safety: both belong to the engine thread; what Publish() returns, to any thread.
//
// Invariants
//   (1) A slice is kept until no window holds it.
//   (2) A WindowStore keeps alive everything that it reads. Destroying it removes its window from
//       the store and does not disturb other windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "windows/ingest/slice.h"
#include "windows/ingest/type_filters.h"
#include "windows/store/memory_use.h"
#include "windows/store/window_policy.h"
#include "windows/store/window_view.h"

namespace sash {

// A published window and its counts.
struct PublishedView {
  WindowView view;
  std::uint64_t edges = 0;     // copies in keep, pairs (by type) in drop and weigh
  std::uint64_t vertices = 0;  // touched by a visible edge
};

class WindowStore {
 public:
  virtual ~WindowStore() = default;

  // The oldest slice that the window holds leaves it.
  virtual void AgeOutOldest() = 0;

  // Freezes the window in its present state. Ids are below `id_limit`.
  virtual PublishedView Publish(VertexId id_limit) = 0;

  // The bytes that would be freed if the window left; without what it shares.
  virtual MemoryUse own_memory() const = 0;
};

class SliceStore {
 public:
  virtual ~SliceStore() = default;

  // Add() and AddAll() call `entering`, if it is set, in their caller's thread when the edges have
  // been sorted and begin to enter.
  void OnEntering(std::function<void()> entering) { entering_ = std::move(entering); }

  // Takes in a slice newer than all before, for every open window.
  virtual void Add(std::shared_ptr<const Slice> slice) = 0;

  // Has the effect of Add() for each slice, oldest first. It may cost much less, and takes memory
  // for all slices together: about 24 bytes an event, if the caller does not keep the slices.
  using Slices = std::vector<std::shared_ptr<const Slice>>;
  virtual void AddAll(Slices slices);

  // A new window that holds the newest `slices` slices; at most retained().
  virtual std::unique_ptr<WindowStore> Open(std::size_t slices) = 0;

  // The slices that the longest window holds.
  virtual std::size_t retained() const = 0;

  // Whether CopyPassing() can provide the slices that a new store of `spec` needs.
  virtual bool CanCopyFor(const StoreSpec& spec) const = 0;
  // `parts` are empty slices, numbered as the newest slices of the store, oldest first. Each gets
  // the events of the slice of its number that pass the filters, or a part of them with the same
  // effect on windows that end later. Costs time in proportion to the edges of the store.
  virtual void CopyPassing(const NumberedTypeFilters& filters,
                           const std::vector<std::shared_ptr<Slice>>& parts) = 0;

  // The bytes that the windows share.
  virtual MemoryUse shared_memory() const = 0;

  // The bytes that only published views hold: older versions, lists and tables of their own. They
  // are freed with the last view, in any thread.
  virtual std::size_t view_bytes() const = 0;

 protected:
  void BeginEntering() const {
    if (entering_) entering_();
  }

 private:
  std::function<void()> entering_;
};

std::shared_ptr<SliceStore> MakeSliceStore(const StoreSpec& spec);

}  // namespace sash
