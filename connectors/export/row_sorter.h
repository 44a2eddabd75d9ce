// RowSorter: the edges of one vertex in the order of a frozen snapshot: by the neighbour's place,
// then by type, then by weight. It sorts numbers of 64 bits, and looks at types and weights of
// parallel edges only.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/weight.h"

namespace sash {

class RowSorter {
 public:
  // Begins a row of so many edges, which are set one by one, from 0 on. With `alike`, all edges of
  // the row have one weight and no type, and only Set(i, place) is called.
  void Begin(std::size_t edges, bool alike, bool typed) {
    entries_.resize(edges);
    weights_.resize(alike ? 0 : edges);
    types_.resize(typed ? edges : 0);
  }
  void Set(std::size_t i, std::uint32_t place) { entries_[i] = std::uint64_t{place} << 32 | i; }
  void SetWeight(std::size_t i, Weight weight) { weights_[i] = weight; }
  void SetType(std::size_t i, std::uint32_t type) { types_[i] = type; }

  void Sort();

  // After Sort(), in its order.
  std::size_t size() const { return entries_.size(); }
  std::uint32_t place(std::size_t i) const { return static_cast<std::uint32_t>(entries_[i] >> 32); }
  Weight weight(std::size_t i) const { return weights_[NumberOf(i)]; }
  std::uint32_t type(std::size_t i) const { return types_[NumberOf(i)]; }

 private:
  std::uint32_t NumberOf(std::size_t i) const { return static_cast<std::uint32_t>(entries_[i]); }
  void SortByPlace();
  bool ComesFirst(std::uint64_t a, std::uint64_t b) const;

  std::vector<std::uint64_t> entries_;  // place, and the number of the edge
  std::vector<std::uint64_t> scratch_;
  std::vector<Weight> weights_;  // by number; empty if edges are alike
  std::vector<std::uint32_t> types_;
};

}  // namespace sash
