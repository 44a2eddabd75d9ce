// The inner loops of passes over all edges: sums and translations of what rows name by index.
//
// On machines with AVX-512 eight or sixteen indices are looked up at a time; the answers are the same
// bit for bit on all machines, since the order of adding is the definition's, not the machine's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "windows/kernels/bfloat16.h"

namespace sash {

// Consecutive entries of a row: indices of other rows.
struct RowRun {
  const std::uint32_t* entries = nullptr;
  std::uint32_t count = 0;
  std::uint32_t row = 0;
};

// sums[i] is the sum of values[e] over the entries e of runs[i]: the sum of eight lanes, of which
// lane k adds entries k, k + 8, ..., folded as halves (0 + 4, 1 + 5, ...). Up to kRunsAhead elements
// behind the runs are read, and of Bfloat16 one behind the values.
inline constexpr std::size_t kRunsAhead = 8;
void SumRuns(std::span<const RowRun> runs, std::span<const double> values, double* sums);
void SumRuns(std::span<const RowRun> runs, std::span<const float> values, double* sums);
void SumRuns(std::span<const RowRun> runs, std::span<const Bfloat16> values, double* sums);

// to[i] = numbers[from[i]].
void Translate(std::span<const std::uint32_t> from, std::span<const std::uint32_t> numbers,
               std::uint32_t* to);

// Whether SumRuns() and Translate() use AVX-512; tests compare both ways.
bool UsesWideLookups();
void UseWideLookups(bool wanted);  // at most where there are any; not while others run

}  // namespace sash
