// WeightChains: the weights of `weigh` windows. A chain is an edge of which the stores' slices hold
// several copies: the newest is in the lists, the absorbed older ones are remembered with their
// slices, each with its contribution and the chain, its weight forward pointer (SLOTH, thesis
// §7.2.3): it leads to the live copy in one step, however many copies came between (rule R7).
//
// The weight of a chain in a window is the sum of the contributions of the slices that the window
// holds. It is versioned, so pinned views keep reading theirs. Integers are added and subtracted
// exactly; sums with other numbers are formed anew from what remains.
//
// Thread safety: belongs to the engine thread; a Totals::Version, to any thread.
//
// Invariants
//   (1) sum(c) in a window = the integer contributions to c in the slices that the window holds.
//   (2) A chain that a removal ended is never added to again, and nothing of it is subtracted from
//       an edge added later (rule R8): the later edge has another chain.
//   (3) A chain's number is used again only when no slice remembers a copy of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/weight.h"
#include "windows/store/edge_block.h"
#include "windows/store/folded_slice.h"
#include "windows/store/multiversioned_array.h"

namespace sash {

using ChainId = std::uint32_t;  // 0: no chain, the edge's weight is its own

// The copies of chains that one slice brought.
class ChainCopies {
 public:
  void Add(ChainId chain, std::int64_t integer) {
    if (integers_.empty() && integer != 1) integers_.resize(chains_.size(), 1);
    chains_.push_back(chain);
    if (integer != 1 || !integers_.empty()) integers_.push_back(integer);
  }
  std::size_t size() const { return chains_.size(); }
  ChainId chain(std::size_t i) const { return chains_[i]; }
  std::int64_t integer(std::size_t i) const { return integers_.empty() ? 1 : integers_[i]; }
  std::size_t bytes() const {
    return chains_.capacity() * sizeof(ChainId) + integers_.capacity() * sizeof(std::int64_t);
  }

 private:
  std::vector<ChainId> chains_;
  std::vector<std::int64_t> integers_;  // empty: all are 1; a real contribution is 0 here
};

class WeightChains {
 public:
  // The weights of chains in one window.
  class Totals {
   public:
    using Array = MultiversionedArray<Weight, 5>;
    using Version = Array::Version;
    Version Publish() { return totals_.Publish(); }
    std::size_t bytes() const { return totals_.bytes() + sums_.capacity() * sizeof(sums_[0]); }

   private:
    friend class WeightChains;
    std::vector<WideInteger> sums_;  // by chain
    Array totals_;
  };

  // A chain without copies yet.
  ChainId Begin();

  // Remembers a copy with `contribution` in `slice`, whose number is `birth`. The windows that hold
  // the slice count it by Count().
  void Add(ChainId chain, Weight contribution, SliceNumber birth, ChainCopies& slice);
  void Add(ChainId chain, const ExactSum& contribution, SliceNumber birth, ChainCopies& slice);

  // The copies of `slice` from `first` on enter or leave a window, whose oldest slice is then
  // `oldest`.
  void Count(const ChainCopies& slice, std::size_t first, SliceNumber oldest, Totals& window) const;
  void AgeOut(const ChainCopies& slice, SliceNumber oldest, Totals& window) const;

  // No window holds `slice`, whose number is `birth`, any more.
  void Release(const ChainCopies& slice, SliceNumber birth);

  std::size_t bytes() const;

 private:
  struct RealCopy {
    SliceNumber birth = 0;
    double weight = 0;
  };
  struct Chain {
    std::uint32_t copies = 0;       // remembered by slices
    std::vector<RealCopy> reals{};  // those that are no integers, in the order of effect
  };

  void Refresh(ChainId chain, SliceNumber oldest, Totals& window) const;
  static void Reserve(ChainId chain, Totals& window);

  std::vector<Chain> chains_{1};
  std::vector<ChainId> free_;
  std::size_t real_copies_ = 0;
};

}  // namespace sash
