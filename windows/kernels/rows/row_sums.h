// The inner loops of passes over all edges: sums and translations of what rows name by index.
//
// On machines that look up eight or sixteen indices at a time faster than one after the other
// (Intel's AVX-512) they do; the answers are the same bit for bit on all machines, since the order
// of adding is the definition's, not the machine's.
//
// A sum is that of eight lanes, of which lane k adds entries k, k + 8, ..., folded as halves (0 +
// 4, 1 + 5, ...). Of Bfloat16 one behind the values may be read. All functions may be called from
// any thread but for UseWideLookups().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "windows/kernels/rows/bfloat16.h"

namespace sash {

// Consecutive entries of a row: indices of other rows.
struct RowRun {
  const std::uint32_t* entries = nullptr;
  std::uint32_t count = 0;
  std::uint32_t row = 0;
};

// A list of which what fits is kept in two bytes an entry: passes over many edges wait for memory.
struct SplitList {
  const std::uint16_t* low = nullptr;
  std::uint32_t low_count = 0;
  std::uint32_t count = 0;  // of `entries`
  const std::uint32_t* entries = nullptr;
};

// `count` lists of `length` entries each, one behind the other.
struct EqualLists {
  const std::uint32_t* entries = nullptr;
  std::uint32_t length = 0;
  std::uint32_t count = 0;
};

// sums[i] becomes the sum of values[e] over the entries e of run i; of a split list that of `low`
// plus that of `entries`; of equal lists one sum a list. `Number`: double, float or Bfloat16.
template <typename Number>
void SumRuns(std::span<const RowRun> runs, std::span<const Number> values, double* sums);
template <typename Number>
void SumLists(std::span<const SplitList> lists, std::span<const Number> values, double* sums);
template <typename Number>
void SumLists(std::span<const EqualLists> lists, std::span<const Number> values, double* sums);

// to[i] = numbers[from[i]].
void Translate(std::span<const std::uint32_t> from, std::span<const std::uint32_t> numbers,
               std::uint32_t* to);

// Whether wide lookups are used; tests compare both ways.
bool UsesWideLookups();
void UseWideLookups(bool wanted);  // at most where there are any; not while others run

}  // namespace sash
