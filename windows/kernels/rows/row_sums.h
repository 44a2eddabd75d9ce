// The inner loops of passes over all edges: sums and translations of the elements that rows name by
// index.
//
// Machines that look up eight or sixteen indices at a time faster than one by one (Intel's AVX-512)
// do so. The answers are the same on all machines, bit for bit, since the definition fixes the
// order of additions.
//
// A sum has eight lanes: lane k adds entries k, k + 8, ... The lanes are then folded in halves (0 +
// 4, 1 + 5, ...). With Bfloat16, one element past the end of the values may be read. All functions
// except UseWideLookups() may be called from any thread.
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

// A list whose entries take two bytes where they fit: passes over many edges wait for memory.
struct SplitList {
  const std::uint16_t* low = nullptr;
  std::uint32_t low_count = 0;
  std::uint32_t count = 0;  // of `entries`
  const std::uint32_t* entries = nullptr;
};

// `count` lists of `length` entries each, one after the other.
struct EqualLists {
  const std::uint32_t* entries = nullptr;
  std::uint32_t length = 0;
  std::uint32_t count = 0;
};

// Sets sums[i] to the sum of values[e] over the entries e of run i. A split list has the sum of
// `low` plus that of `entries`; equal lists have one sum for each list. `Number`: double, float or
// Bfloat16.
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
void UseWideLookups(bool wanted);  // only if the machine has them; not during a sum

}  // namespace sash
