// WeightedRange: one list with the types and weights of its edges, in the order of NeighbourRange.
//
// Lazy: elements that are not read cost nothing, and a weight is looked up when its element is
// read.
//
// Thread safety: immutable. It reads a view, and is valid as long as the view exists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "windows/store/chain_log.h"
#include "windows/store/lists/adjacency_view.h"
#include "windows/store/neighbor.h"

namespace sash {

class WeightedRange {
 public:
  class Iterator {
   public:
    using value_type = Neighbor;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;

    Neighbor operator*() const {
      const EdgeBlock& block = *run_.block;
      const Weight own = block.weight(run_.begin);
      return {block.neighbour(run_.begin), block.type(run_.begin),
              chains_ == nullptr ? own : chains_->WeightOf(block.link(run_.begin), own, oldest_)};
    }
    // The weight as a sum to which newer copies can be added without rounding twice.
    WeightSum sum() const {
      const EdgeBlock& block = *run_.block;
      const Weight own = block.weight(run_.begin);
      if (chains_ != nullptr) return chains_->SumOf(block.link(run_.begin), own, oldest_);
      WeightSum sum;
      sum.Add(own);
      return sum;
    }
    Iterator& operator++() {
      if (++run_.begin == run_.end) EnterNextRun();
      return *this;
    }
    void operator++(int) { ++*this; }
    // At most to the end. Steps over whole runs: where no edge has died, whole blocks.
    Iterator& operator+=(std::size_t count) {
      while (count > 0 && run_.block != nullptr) {
        const auto left = static_cast<std::size_t>(run_.end - run_.begin);
        const std::size_t step = count < left ? count : left;
        run_.begin += static_cast<std::uint32_t>(step);
        count -= step;
        if (step == left) EnterNextRun();
      }
      return *this;
    }
    friend bool operator==(const Iterator& i, std::default_sentinel_t) {
      return i.run_.block == nullptr;
    }

   private:
    friend class WeightedRange;
    explicit Iterator(const WeightedRange& of)
        : runs_(of.runs_), chains_(of.chains_), oldest_(of.oldest_) {
      EnterNextRun();
    }

    void EnterNextRun() {
      if (!runs_.Next(run_)) run_.block = nullptr;
    }

    RunCursor runs_;
    EdgeRun run_;  // the rest of it, from the element on
    const ChainLog::Version* chains_ = nullptr;
    SliceNumber oldest_ = 0;
  };

  // `chains` is null if no copy absorbs another; `oldest` is the window's oldest slice.
  WeightedRange(const RunCursor& runs, const ChainLog::Version* chains, SliceNumber oldest)
      : runs_(runs), chains_(chains), oldest_(oldest) {}

  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  RunCursor runs_;
  const ChainLog::Version* chains_;
  SliceNumber oldest_;
};

}  // namespace sash
