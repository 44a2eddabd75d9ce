// RunBlock: the in-lists of consecutive rows, ready for loops that follow every edge: a flat
// sequence of runs, each a stretch of a row's sources.
//
// Thread safety: belongs to one thread while it is filled, then immutable.
//
// Invariants
//   (1) Runs ascend by row. A row without in-edges has one empty run.
//   (2) Runs are in the graph's memory, or in the block's own memory where the graph had to copy.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/kernels/rows/row_sums.h"

namespace sash {

// The part of a list that is read: its edges, or its neighbours, each maybe more than once
// (BulkGraphView).
enum class ListReading : std::uint8_t { kEdges, kNeighbours };

class RunBlock {
 public:
  using Row = std::uint32_t;

  // The lists of the vertices in [first, last), read in place; rows are ids. `graph` has degrees,
  // and ForEachInRun() or ForEachInNeighbours(), as kReading needs.
  template <ListReading kReading, typename Graph>
  static RunBlock InPlace(const Graph& graph, VertexId first, VertexId last);
  RunBlock() = default;

  bool is_empty() const { return runs_.empty(); }  // nothing has been read

  // For each row, ascending: calls visit(row, sources) with consecutive sources of the row until it
  // returns false, then finish(row).
  template <typename Visit, typename Finish>
  void ForEachRun(const Visit& visit, const Finish& finish) const {
    const std::span<const RowRun> all = runs();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Row row = all[i].row;
      while (visit(row, std::span(all[i].entries, all[i].count)) && !IsLast(all[i])) ++i;
      while (!IsLast(all[i])) ++i;
      finish(row);
    }
  }

  // finish(row, sum of values[source] over its in-edges) for each row, ascending.
  template <typename Number, typename Finish>
  void SumRows(std::span<const Number> values, const Finish& finish) const {
    constexpr std::size_t kAtOnce = 512;
    double sums[kAtOnce];
    double sum = 0;
    for (std::span<const RowRun> left = runs(); !left.empty();) {
      const std::span<const RowRun> some = left.first(std::min(left.size(), kAtOnce));
      SumRuns(some, values, sums);
      for (std::size_t i = 0; i < some.size(); ++i) {
        sum += sums[i];
        if (!IsLast(some[i])) continue;
        finish(some[i].row, sum);
        sum = 0;
      }
      left = left.subspan(some.size());
    }
  }

 private:
  static constexpr RowRun kNoRun{nullptr, 0, kNoVertex};
  static constexpr std::size_t kLeastRoom = 1 << 13;  // entries that are allocated together

  // Runs are written here first: most blocks fit, and then allocate memory only for their runs.
  class Draft {
   public:
    void Add(const RowRun& run) {
      if (count_ == some_.size()) MoveTo(runs_);
      some_[count_++] = run;
    }
    std::vector<RowRun> Finish() && {
      Add(kNoRun);
      runs_.reserve(runs_.size() + count_);
      MoveTo(runs_);
      return std::move(runs_);
    }

   private:
    void MoveTo(std::vector<RowRun>& runs) {
      runs.insert(runs.end(), some_.begin(), some_.begin() + count_);
      count_ = 0;
    }
    std::array<RowRun, 1 << 10> some_;
    std::uint32_t count_ = 0;
    std::vector<RowRun> runs_;
  };

  std::span<const RowRun> runs() const { return std::span(runs_).first(runs_.size() - 1); }
  static bool IsLast(const RowRun& run) { return (&run)[1].row != run.row; }

  std::vector<RowRun> runs_;  // and kNoRun at the end
  std::vector<std::unique_ptr<Row[]>> copies_;
};

template <ListReading kReading, typename Graph>
RunBlock RunBlock::InPlace(const Graph& graph, VertexId first, VertexId last) {
  RunBlock block;
  Draft runs;
  VertexId next = first;                   // vertices before it have been met
  const auto meet = [&](VertexId until) {  // vertices without in-edges
    for (; next < until; ++next) {
      if (graph.out_degree(next) > 0) runs.Add({nullptr, 0, next});
    }
  };
  Row* free = nullptr;
  std::size_t left = 0;
  const auto room = [&](VertexId, std::uint32_t count) {
    if (left < count) {
      left = std::max<std::size_t>(count, kLeastRoom);
      block.copies_.push_back(std::make_unique_for_overwrite<Row[]>(left));
      free = block.copies_.back().get();
    }
    left -= count;
    return std::exchange(free, free + count);
  };
  const auto keep = [&](VertexId v, std::span<const VertexId> run) {
    meet(v);
    next = v + 1;
    runs.Add({run.data(), static_cast<std::uint32_t>(run.size()), v});
  };
  if constexpr (kReading == ListReading::kEdges) {
    graph.ForEachInRun(first, last, keep, room);
  } else {
    graph.ForEachInNeighbours(first, last, keep, room);
  }
  meet(last);
  block.runs_ = std::move(runs).Finish();
  return block;
}

}  // namespace sash
