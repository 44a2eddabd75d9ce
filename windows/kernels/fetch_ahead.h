// FetchAhead: asks for memory that a loop over consecutive elements will come to.
//
// Thread safety: may be called from any thread.
#pragma once

#include <bit>
#include <cstdint>

namespace sash {

// Lists follow each other in memory, mostly: what comes so far behind is asked for while these are
// looked up. The processor does so by itself, but not over the ends of pages, and too late: a pass of
// PageRank took a quarter longer. There need be nothing.
template <typename Element>
void FetchAhead(const Element* elements) {
  constexpr std::uintptr_t kBytes = 2'048;
  __builtin_prefetch(std::bit_cast<const void*>(std::bit_cast<std::uintptr_t>(elements) + kBytes));
}

}  // namespace sash
