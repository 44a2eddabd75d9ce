// RowChanges: the in-edges that came to rows and left them since the rows were copied. A sum over
// in-edges adds these changes to the sum over the copy, so a few changes need no new copy.
//
// Thread safety: immutable except for Add(). The changes do not depend on the number of threads.
//
// Invariants
//   (1) The in-edges of a row are those of its copy, with those that came and without those that
//       left.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/parallel.h"
#include "windows/kernels/rows/hot_first.h"
#include "windows/kernels/view_changes.h"

namespace sash {

class RowChanges {
 public:
  using Row = HotFirst::Row;
  static constexpr std::size_t kBlock = 1 << 9;  // rows
  using Sums = std::array<double, kBlock>;       // by row of a block

  // Adds the changes from `before` to `after`, whose vertices all have rows. Returns false and adds
  // nothing if there are more than `most`.
  template <typename Graph>
  bool Add(const Graph& before, const Graph& after, const HotFirst& rows, std::size_t most,
           int threads);

  std::size_t size() const { return size_; }

  // Adds to sums[row - first row of the block] the contribution of the block's changes: of all of
  // them, or of those that were added last.
  template <typename Number>
  void Sum(std::size_t block, const Number* values, Sums& sums) const {
    if (block < blocks_.size()) SumFrom(blocks_[block], 0, 0, values, sums);
  }
  template <typename Number>
  void SumNewest(std::size_t block, const Number* values, Sums& sums) const {
    if (block >= blocks_.size()) return;
    SumFrom(blocks_[block], blocks_[block].older_came, blocks_[block].older_left, values, sums);
  }

 private:
  struct InEdge {
    std::uint32_t row;  // minus the first row of its block
    Row source;
  };
  struct Block {
    std::vector<InEdge> came;
    std::vector<InEdge> left;
    std::size_t older_came = 0;  // the number before the last Add()
    std::size_t older_left = 0;
  };
  struct Found {
    Row row;
    Row source;
    bool came;
  };
  // Blocks are divided among this number of groups. One thread fills a group.
  static constexpr std::size_t kGroups = 16;
  using FoundByGroup = std::array<std::vector<Found>, kGroups>;

  template <typename Number>
  static void SumFrom(const Block& block, std::size_t came, std::size_t left, const Number* values,
                      Sums& sums) {
    for (const InEdge& edge : std::span(block.came).subspan(came)) {
      sums[edge.row] += static_cast<double>(values[edge.source]);
    }
    for (const InEdge& edge : std::span(block.left).subspan(left)) {
      sums[edge.row] -= static_cast<double>(values[edge.source]);
    }
  }

  void Place(const std::vector<FoundByGroup>& parts, std::size_t group);

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

template <typename Graph>
bool RowChanges::Add(const Graph& before, const Graph& after, const HotFirst& rows,
                     std::size_t most, int threads) {
  std::vector<FoundByGroup> parts(ChangePartCount(before, after));
  const std::optional<std::size_t> size =
      VisitChanges(before, after, most, threads,
                   [&](std::size_t part, VertexId v, std::span<const VertexId> came,
                       std::span<const VertexId> left) {
                     const Row row = rows.row(v);
                     std::vector<Found>& found = parts[part][row / kBlock % kGroups];
                     for (const VertexId u : came) found.push_back({row, rows.row(u), true});
                     for (const VertexId u : left) found.push_back({row, rows.row(u), false});
                   });
  if (!size) return false;
  size_ += *size;
  blocks_.resize(BlockCount(rows.size(), kBlock));
  ParallelBlocks(kGroups, 1, threads,
                 [&](std::size_t group, std::size_t, std::size_t) { Place(parts, group); });
  return true;
}

inline void RowChanges::Place(const std::vector<FoundByGroup>& parts, std::size_t group) {
  for (std::size_t block = group; block < blocks_.size(); block += kGroups) {
    blocks_[block].older_came = blocks_[block].came.size();
    blocks_[block].older_left = blocks_[block].left.size();
  }
  for (const FoundByGroup& part : parts) {
    for (const Found& found : part[group]) {
      Block& block = blocks_[found.row / kBlock];
      (found.came ? block.came : block.left)
          .push_back({static_cast<std::uint32_t>(found.row % kBlock), found.source});
    }
  }
}

}  // namespace sash
