// Sums and translations with AVX-512: eight or sixteen indices are looked up at a time.
//
// Thread safety: may be called from any thread, on machines that support it (HasWideLookups()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "windows/kernels/rows/row_sums.h"

namespace sash::wide {

// Whether this machine has the instructions.
bool HasWideLookups();
// Whether they make it faster: AMD's processors look up one index after the other, and take longer
// than a loop.
bool GainsByWideLookups();
// The limit of the number of values: indices are signed.
inline constexpr std::size_t kMostValues = std::size_t{1} << 31;

// These do the same as the functions of row_sums.h. `Lists`: RowRun, SplitList or EqualLists.
template <typename Lists, typename Number>
void Sum(std::span<const Lists> lists, const Number* values, double* sums);
void Translate(std::span<const std::uint32_t> from, const std::uint32_t* numbers,
               std::uint32_t* to);

}  // namespace sash::wide
