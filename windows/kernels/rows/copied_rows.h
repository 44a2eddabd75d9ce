// CopiedRows: the in-lists of consecutive rows, copied for loops that pass over every edge many
// times. Such loops wait for memory, so little is stored beside the entries, and the entries are
// packed.
//
// Lists of equal length follow each other, so a loop over a list ends where the one before did, and
// the processor predicts it. With lists in the order of their rows, wrong predictions take a third
// of a pass. Long lists are split into entries that fit in two bytes and the rest. When rows are
// numbered hot first, most entries fit.
//
// Thread safety: belongs to one thread while it is filled, then immutable.
//
// Invariants
//   (1) There are at most kMost rows, each with one list.
//   (2) Lists of kLong entries or more come first, in the order of their rows; Pack() splits them.
//       The other lists descend by length. Memory has the same order, without holes until Pack().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "windows/kernels/rows/row_sums.h"

namespace sash {

class CopiedRows {
 public:
  using Row = std::uint32_t;
  static constexpr std::size_t kMost = 512;
  static constexpr std::uint32_t kLong = 64;  // entries

  CopiedRows() = default;
  // Rows from `first` on, one for each count. The caller fills the lists, then calls Pack().
  CopiedRows(Row first, std::span<const std::uint32_t> counts);

  // visit(row, where its list is to be). Only before Pack().
  template <typename Visit>
  void ForEachList(const Visit& visit) {
    auto row = order_.begin();
    Row* list = entries_.get();
    const auto visit_next = [&](std::uint32_t count) {
      visit(first_ + *row++, list);
      list += count;
    };
    for (const SplitList& long_list : long_) visit_next(long_list.count);
    for (const EqualLists& lists : short_) {
      for (std::uint32_t i = 0; i < lists.count; ++i) visit_next(lists.length);
    }
  }

  void Pack();

  // finish(row, sum of values[source] over its in-edges) for each row, ascending. Only after
  // Pack().
  template <typename Number, typename Finish>
  void SumRows(std::span<const Number> values, const Finish& finish) const {
    std::array<double, kMost> by_list;
    std::array<double, kMost> by_row;
    SumLists(std::span(long_), values, by_list.data());
    SumLists(std::span(short_), values, by_list.data() + long_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) by_row[order_[i]] = by_list[i];
    for (std::size_t i = 0; i < order_.size(); ++i) finish(first_ + static_cast<Row>(i), by_row[i]);
  }

 private:
  Row first_ = 0;
  std::vector<std::uint16_t> order_;  // by list: its row, minus the first row
  std::vector<SplitList> long_;       // lists of kLong entries or more
  std::vector<EqualLists> short_;     // the others
  std::unique_ptr<Row[]> entries_;
};

}  // namespace sash
