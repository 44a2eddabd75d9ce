// SliceStream: edges in slices of one size, without end: after the last edges the first come again,
// as new slices.
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tests/bench/bench_edges.h"

namespace sash::bench {

class SliceStream {
 public:
  // Edges at the end that do not fill a slice are left out.
  SliceStream(BenchEdges edges, std::size_t slice_size)
      : edges_(std::move(edges)), slice_size_(slice_size), period_(edges_.size() / slice_size) {}

  std::shared_ptr<const Slice> At(std::uint64_t id) const {
    const std::size_t begin = id % period_ * slice_size_;
    return MakeSlice(edges_, begin, begin + slice_size_, id);
  }

  // The slices [begin, end).
  std::vector<std::shared_ptr<const Slice>> Range(std::uint64_t begin, std::uint64_t end) const {
    std::vector<std::shared_ptr<const Slice>> slices;
    for (std::uint64_t id = begin; id < end; ++id) slices.push_back(At(id));
    return slices;
  }

  std::size_t slice_size() const { return slice_size_; }
  VertexId id_limit() const { return edges_.id_limit; }

 private:
  const BenchEdges edges_;
  const std::size_t slice_size_;
  const std::size_t period_;  // in slices
};

}  // namespace sash::bench
