// SliceRecord: the record of a slice whose edges are in the lists: the vertices that the slice
// touched, and its edges that have died since. Ageing out needs nothing else, for windows of any
// length.
//
// Thread safety: belongs to the engine thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/base/radix_sort.h"
#include "windows/ingest/coded_counts.h"
#include "windows/store/coded_sums.h"
#include "windows/store/counted_slices.h"
#include "windows/store/memory_use.h"

namespace sash {

// The edges of a slice in one direction, by the vertex in whose list they are.
class TouchedVertices {
 public:
  void Append(VertexId vertex, std::uint32_t edges) { edges_->Append(vertex, edges); }
  // Before the first vertex: the weights of the edges are not all 1, and their sums are kept too.
  void KeepSums() { sums_ = std::make_shared<CodedSums>(); }
  bool keeps_sums() const { return sums_ != nullptr; }
  // The sum of the vertex that was appended last (CodedSums).
  void AppendSum(std::optional<std::int64_t> sum) { sums_->Append(sum); }
  // Returns by how many bytes it has grown.
  std::size_t NoteDeath(VertexId vertex) {
    are_sorted_ = are_sorted_ && (deaths_.empty() || deaths_.back() <= vertex);
    const std::size_t capacity = deaths_.capacity();
    const std::size_t before = deaths_.size() == capacity ? AllocatedBytes(deaths_) : 0;
    deaths_.push_back(vertex);
    return deaths_.capacity() == capacity ? 0 : AllocatedBytes(deaths_) - before;
  }
  // The edges are complete. They are moved to `memory` (StoreSpec::slots).
  void Complete(std::pmr::memory_resource* memory) {
    edges_->ShrinkToFit();
    edges_->MoveTo(memory);
    if (sums_) sums_->ShrinkToFit();
  }

  // visit(vertex, edges) for the vertices that still have live edges of the slice (rule R6), each
  // some steps after prefetch(vertex), and some of these steps after approach(vertex).
  template <typename Prefetch, typename Approach, typename Visit>
  void ForEachAlive(const Prefetch& prefetch, const Approach& approach, const Visit& visit) {
    if (!are_sorted_) RadixSort(deaths_, [](VertexId v) { return v; });
    are_sorted_ = true;
    struct Alive {
      VertexId vertex = 0;
      std::uint32_t edges = 0;
    };
    constexpr std::size_t kAhead = 32;    // from prefetch() to visit()
    constexpr std::size_t kFar = 16;      // from prefetch() to approach()
    std::array<Alive, kAhead> waiting{};  // a ring
    std::size_t count = 0;
    const auto pass_on = [&](std::size_t step) {
      if (step >= kFar && step - kFar < count) approach(waiting[(step - kFar) % kAhead].vertex);
      if (step < kAhead || step - kAhead >= count) return;
      const Alive& next = waiting[step % kAhead];
      visit(next.vertex, next.edges);
    };
    auto death = deaths_.begin();
    edges_->ForEach([&](VertexId vertex, std::uint32_t edges) {
      for (; death != deaths_.end() && *death == vertex; ++death) --edges;
      if (edges == 0) return;
      prefetch(vertex);
      pass_on(count);
      waiting[count++ % kAhead] = {vertex, edges};
    });
    for (std::size_t i = 0; i < kAhead; ++i) pass_on(count + i);
  }
  template <typename Prefetch, typename Visit>
  void ForEachAlive(const Prefetch& prefetch, const Visit& visit) {
    ForEachAlive(
        prefetch, [](VertexId) {}, visit);
  }

  std::size_t touched() const { return edges_->bytes(); }
  // The bytes of both tables, without the objects themselves.
  std::size_t table_bytes() const {
    return AllocatedBytes(edges_->bytes()) + AllocatedBytes(sums_ ? sums_->bytes() : 0);
  }
  // Once complete, they do not change.
  CountedSlice Counted(SliceNumber number) const { return {number, edges_, sums_}; }

  MemoryUse memory() const {
    return {.deletions = AllocatedBytes(deaths_), .touched = BytesOf({0, edges_, sums_})};
  }

 private:
  std::shared_ptr<CodedCounts> edges_ = std::make_shared<CodedCounts>();  // views may have them
  std::shared_ptr<CodedSums> sums_;                                       // likewise
  std::vector<VertexId> deaths_;
  bool are_sorted_ = true;
};

struct SliceRecord {
  SliceNumber number = 0;
  TouchedVertices out{};
  TouchedVertices in{};

  // About the number of vertices that it touched, in both directions.
  std::size_t touched() const { return out.touched() + in.touched(); }

  MemoryUse memory() const {
    // A deque has blocks of 512 bytes, each full of records, and a pointer to each block.
    MemoryUse use{.touched = (512 + sizeof(void*)) / (512 / sizeof(SliceRecord))};
    use += out.memory();
    return use += in.memory();
  }
};

}  // namespace sash
