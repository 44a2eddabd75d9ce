// CopiedRows: the in-lists of consecutive rows, copied, ready for loops that pass over every edge many
// times.
//
// Lists of equal length follow each other: so a loop over a list ends where the one before did, which
// the processor foresees. With lists of rows in their order, foreseeing wrongly is a third of a pass.
//
// Thread safety: belongs to one thread while it is filled, then immutable.
//
// Invariants
//   (1) There are at most kMost rows, each with one list.
//   (2) Lists descend by length up to kToldApart, above which they are in the order of their rows; in
//       that order they lie in memory too, without a hole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "windows/kernels/row_sums.h"

namespace sash {

class CopiedRows {
 public:
  using Row = std::uint32_t;
  static constexpr std::size_t kMost = 512;

  CopiedRows() = default;
  // Rows from `first` on, one for each count, whose lists the caller fills.
  CopiedRows(Row first, std::span<const std::uint32_t> counts);

  // visit(row, where its list is to be).
  template <typename Visit>
  void ForEachList(const Visit& visit) {
    Row* list = entries_.get();
    for (const RowRun& run : runs()) {
      visit(run.row, list);
      list += run.count;
    }
  }

  // finish(row, sum of values[source] over its in-edges) for each row, ascending.
  template <typename Number, typename Finish>
  void SumRows(std::span<const Number> values, const Finish& finish) const {
    std::array<double, kMost> by_length;
    std::array<double, kMost> by_row;
    SumRuns(runs(), values, by_length.data());
    for (std::size_t i = 0; i < runs().size(); ++i) by_row[runs_[i].row - first_] = by_length[i];
    for (std::size_t i = 0; i < runs().size(); ++i) finish(first_ + static_cast<Row>(i), by_row[i]);
  }

 private:
  static constexpr std::uint32_t kToldApart = 127;

  std::span<const RowRun> runs() const {
    return std::span(runs_).first(runs_.empty() ? 0 : runs_.size() - kRunsAhead);
  }

  Row first_ = 0;
  std::vector<RowRun> runs_;  // and kRunsAhead that are none
  std::unique_ptr<Row[]> entries_;
};

}  // namespace sash
