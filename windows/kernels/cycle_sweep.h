// SweepCycles: searches the cycles through several edges in turn, in parallel, within a number of
// steps for all of them. What is found does not depend on the number of threads.
//
// Thread safety: add() and room() are called by the calling thread, make() by several.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "windows/base/parallel.h"
#include "windows/kernels/cycle_search.h"
#include "windows/kernels/lent_scratch.h"
#include "windows/kernels/parts.h"
#include "windows/kernels/progress.h"

namespace sash {

struct CycleSweep {
  std::uint64_t steps = 0;
  bool truncated = false;  // the steps were used up
  bool cancelled = false;  // `progress` said stop
};

// Calls add(place, found) for the edges from 0 on, in order. The last one is cut (`is_cut`) if the
// steps were used up; those behind it are left out. make() returns a new search; room() how many
// more cycles are listed.
template <typename Make, typename Room, typename Add>
CycleSweep SweepCycles(std::size_t count, std::uint64_t most_steps, int threads,
                       const KernelProgress& progress, const Make& make, const Room& room,
                       const Add& add) {
  constexpr std::size_t kPart = 1 << 9;  // edges, between two calls of `progress`
  constexpr std::size_t kBlock = 1 << 3;
  using Search = typename decltype(make())::element_type;
  CycleSweep swept;
  LentScratch<Search> searches;
  const auto sweep = [&](std::size_t begin, std::size_t end) {
    if (swept.truncated) return;
    const std::uint64_t steps_left = most_steps - swept.steps;
    const std::size_t listed = room();
    // An edge that begins when the others have used up the steps is left out; mostly it comes after
    // the last one that counts.
    std::vector<std::optional<CyclesOfEdge>> found(end - begin);
    std::atomic<std::uint64_t> spent = 0;
    ParallelBlocks(found.size(), kBlock, threads,
                   [&](std::size_t, std::size_t first, std::size_t last) {
                     std::unique_ptr<Search> search = searches.Borrow(make);
                     for (std::size_t i = first; i < last && spent <= steps_left; ++i) {
                       found[i] = search->Find(begin + i, steps_left, listed);
                       spent += found[i]->steps;
                     }
                     searches.Return(std::move(search));
                   });
    for (std::size_t i = 0; i < found.size() && !swept.truncated; ++i) {
      const std::uint64_t left = most_steps - swept.steps;
      if (!found[i] || found[i]->steps > left) {  // for exactly the steps that are left
        std::unique_ptr<Search> search = searches.Borrow(make);
        found[i] = search->Find(begin + i, left, listed);
        searches.Return(std::move(search));
      }
      swept.truncated = found[i]->steps > left;
      found[i]->steps = std::min(found[i]->steps, left);
      swept.steps += found[i]->steps;
      add(begin + i, std::move(*found[i]));
    }
  };
  swept.cancelled = !SweepParts(count, progress, sweep, kPart);
  return swept;
}

}  // namespace sash
