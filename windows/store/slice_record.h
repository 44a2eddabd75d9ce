// SliceRecord: what remains of a slice once its edges are in the lists: which vertices it touched and
// how many of its edges died since. It is all that ageing out needs, for windows of any length.
//
// Thread safety: belongs to the engine thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "windows/ingest/coded_counts.h"
#include "windows/store/memory_use.h"
#include "windows/store/weight_chains.h"

namespace sash {

// The edges of a slice in one direction, by the vertex in whose list they are.
class TouchedVertices {
 public:
  void Append(VertexId vertex, std::uint32_t edges) { edges_.Append(vertex, edges); }
  void NoteDeath(VertexId vertex) {
    are_sorted_ = are_sorted_ && (deaths_.empty() || deaths_.back() <= vertex);
    deaths_.push_back(vertex);
  }
  void ShrinkToFit() { edges_.ShrinkToFit(); }

  // visit(vertex, edges) for the vertices that still have live edges of the slice (rule R6).
  template <typename Visit>
  void ForEachAlive(const Visit& visit) {
    if (!are_sorted_) std::ranges::sort(deaths_);
    are_sorted_ = true;
    auto death = deaths_.begin();
    edges_.ForEach([&](VertexId vertex, std::uint32_t edges) {
      for (; death != deaths_.end() && *death == vertex; ++death) --edges;
      if (edges > 0) visit(vertex, edges);
    });
  }

  void AddTo(MemoryUse& use) const {
    use.touched += edges_.bytes();
    use.deletions += deaths_.capacity() * sizeof(VertexId);
  }

 private:
  CodedCounts edges_;
  std::vector<VertexId> deaths_;
  bool are_sorted_ = true;
};

struct SliceRecord {
  SliceNumber number = 0;
  TouchedVertices out{};
  TouchedVertices in{};
  ChainCopies copies{};

  void AddTo(MemoryUse& use) const {
    use.touched += sizeof(SliceRecord);
    out.AddTo(use);
    in.AddTo(use);
    use.absorbed += copies.bytes();
  }
};

}  // namespace sash
