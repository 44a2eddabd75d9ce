// CodedCounts: a sparse table of vertices in ascending order, each with a count of at least one. An
// entry takes a byte or two: the steps between ids are variable-length integers, and a count is
// stored only if it is above one.
//
// Thread safety: like a vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "windows/base/check.h"
#include "windows/base/column.h"
#include "windows/base/ids.h"
#include "windows/base/varint.h"

namespace sash {

class CodedCounts {
 public:
  // `vertex` is greater than all vertices before; `count` > 0. Not allowed after MoveTo().
  void Append(VertexId vertex, std::uint32_t count) {
    SASH_CHECK(count > 0 && (bytes_.empty() || vertex > last_));
    const std::uint64_t step = bytes_.empty() ? vertex : vertex - last_ - 1;
    AppendVarint(step << 1 | (count > 1 ? 1 : 0), bytes_);
    if (count > 1) AppendVarint(count - 2, bytes_);
    last_ = vertex;
  }

  // Calls visit(vertex, count) in ascending order.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    const std::span<const std::uint8_t> coded = Coded();
    const std::uint8_t* next = coded.data();
    const std::uint8_t* const end = next + coded.size();
    std::uint64_t vertex = 0;
    bool first = true;
    while (next != end) {
      const std::uint64_t head = ReadVarint(next);
      vertex = first ? head >> 1 : vertex + 1 + (head >> 1);
      first = false;
      const std::uint64_t count = (head & 1) != 0 ? ReadVarint(next) + 2 : 1;
      visit(static_cast<VertexId>(vertex), static_cast<std::uint32_t>(count));
    }
  }

  bool empty() const { return Coded().empty(); }
  void ShrinkToFit() { bytes_.shrink_to_fit(); }
  // Moves the complete table to `memory`, which outlives it; null: it stays on the heap.
  void MoveTo(std::pmr::memory_resource* memory) {
    if (memory == nullptr || bytes_.empty()) return;
    moved_bytes_ = bytes_.size();
    moved_ = MakeColumn<std::uint8_t>(moved_bytes_, memory);
    std::ranges::copy(bytes_, moved_.get());
    bytes_ = {};
  }
  // Without the object itself.
  std::size_t bytes() const { return moved_ ? moved_bytes_ : bytes_.capacity(); }

 private:
  std::span<const std::uint8_t> Coded() const {
    return moved_ ? std::span<const std::uint8_t>(moved_.get(), moved_bytes_) : std::span(bytes_);
  }

  std::vector<std::uint8_t> bytes_;
  VertexId last_ = 0;
  Column<std::uint8_t> moved_;
  std::size_t moved_bytes_ = 0;
};

}  // namespace sash
