// CopiedRows: the in-lists of consecutive rows, copied, ready for loops that pass over every edge
// many times. Such loops wait for memory: so little is kept beside the entries, and less of the
// entries.
//
// Lists of equal length follow each other: so a loop over a list ends where the one before did,
// which the processor foresees. With lists of rows in their order, foreseeing wrongly is a third of
// a pass. Long lists are split into what fits two bytes and the rest: when rows are numbered hot
// first, that is most of it.
//
// Thread safety: belongs to one thread while it is filled, then immutable.
//
// Invariants
//   (1) There are at most kMost rows, each with one list.
//   (2) Lists descend by length up to kLong, from which on they are in the order of their rows and
//       packed; in that order they lie in memory too, without a hole until they are packed.
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
  // Rows from `first` on, one for each count. The caller fills the lists, and has them packed.
  CopiedRows(Row first, std::span<const std::uint32_t> counts);

  // visit(row, where its list is to be). Until Pack().
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

  // finish(row, sum of values[source] over its in-edges) for each row, ascending. After Pack().
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
  std::vector<std::uint16_t> order_;  // of the lists: their rows, less the first
  std::vector<SplitList> long_;       // the first lists
  std::vector<EqualLists> short_;     // the others
  std::unique_ptr<Row[]> entries_;
};

}  // namespace sash
