// WindowStore: what a window does with its slices.
//
// Thread safety: belongs to the engine thread; what Publish() returns, to any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "windows/ingest/slice.h"
#include "windows/store/window_policy.h"
#include "windows/store/window_view.h"

namespace sash {

// A published window and its counts.
struct PublishedView {
  WindowView view;
  std::uint64_t edges = 0;     // copies in keep, pairs in drop and weigh
  std::uint64_t vertices = 0;  // touched by a visible edge
};

class WindowStore {
 public:
  virtual ~WindowStore() = default;

  // Takes in a slice newer than all before.
  virtual void Add(std::shared_ptr<const Slice> slice) = 0;

  // The oldest slice leaves the window.
  virtual void AgeOutOldest() = 0;

  // Freezes the window as it is. Ids are below `id_limit`.
  virtual PublishedView Publish(VertexId id_limit) = 0;

  virtual std::size_t bytes() const = 0;
};

std::unique_ptr<WindowStore> MakeWindowStore(StoreKind kind, DuplicatesPolicy duplicates);

}  // namespace sash
