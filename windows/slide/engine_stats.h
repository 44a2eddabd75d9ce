// EngineStats: the engine's counters, in its own terms. daemon/metrics makes metrics of them.
//
// Thread safety: the engine thread writes, any thread may read. Each number is consistent by
// itself, but not with the others.
//
// It has more members than other classes: each of them is one counter.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "windows/slide/lateness.h"
#include "windows/store/memory_use.h"

namespace sash {

struct EngineStats {
  std::atomic<std::uint64_t> accepted = 0;  // edge events that entered a slice
  std::atomic<std::uint64_t> added = 0;     // of these, by operation
  std::atomic<std::uint64_t> removed = 0;
  std::atomic<std::uint64_t> vertices_removed = 0;
  std::atomic<std::uint64_t> duplicates = 0;  // of these, in slices that have closed: in no window
  std::atomic<std::uint64_t> moved = 0;       // late events that entered a later slice (next_slice)
  std::atomic<std::uint64_t> late = 0;        // late events, moved or not
  Lateness lateness;                     // of the late events: how far behind the watermark, or
                                         // behind the time that their partition had passed
  std::atomic<std::uint64_t> ahead = 0;  // refused: beyond ahead_limit
  std::atomic<std::uint64_t> open_slices = 0;
  std::atomic<std::uint64_t> open_events = 0;
  std::atomic<std::uint64_t> open_bytes = 0;
  std::atomic<std::uint64_t> slices_closed = 0;
  std::atomic<std::uint64_t> slices_retained = 0;  // closed, and held by a window
  std::atomic<std::uint64_t> slices_released = 0;  // closed, and not held by a window any more
  std::atomic<std::uint64_t> account_takes = 0;    // cost of all accounts: SlidingFold::takes()
  std::atomic<std::uint64_t> idle_partitions = 0;
  std::atomic<std::uint64_t> rounds = 0;        // batches and ticks that were finished
  std::atomic<std::uint64_t> ids_referred = 0;  // VertexLifetimes::Figures
  std::atomic<std::uint64_t> ids_waiting = 0;
  std::atomic<std::uint64_t> ids_recycled = 0;
  std::atomic<std::uint64_t> lifetimes_bytes = 0;
  std::atomic<std::uint64_t> retained_bytes = 0;  // kept by lanes for slices, outside the stores

  // Adds to a counter that only the engine thread writes, without a locked instruction.
  static void Count(std::atomic<std::uint64_t>& number, std::uint64_t more = 1) {
    number.store(number.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }

  // MemoryUse of all stores together, shared stores counted once, in the order of kMemoryParts. For
  // single stores see WindowEngine::Stores().
  std::array<std::atomic<std::uint64_t>, kMemoryParts.size()> store_memory{};
  void SetStoreMemory(const MemoryUse& use) {
    for (std::size_t i = 0; i < kMemoryParts.size(); ++i) {
      store_memory[i] = use.*kMemoryParts[i].bytes;
    }
  }
  // Temporary memory of the next advance, in addition.
  std::atomic<std::uint64_t> advance_bytes = 0;
};

}  // namespace sash
