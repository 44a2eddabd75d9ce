// Parallel loops over fixed blocks: the only file that uses OpenMP.
//
// A loop is cut into blocks by its size alone, never by the number of threads. A reduction that
// keeps one partial result per block and folds them in order gives the same answer with any number
// of threads. Under ThreadSanitizer the loops run serially, because libgomp is not instrumented and
// would cause false reports.
//
// Thread safety: any thread. Several threads call the function of one loop at once.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "windows/base/sanitizers.h"

#if defined(_OPENMP) && !SASH_THREAD_SANITIZER
#define SASH_OPENMP 1
#include <omp.h>
#endif

namespace sash {

// How many threads each loop of this thread may have; read when the loop begins. Null: no limit.
inline thread_local constinit const std::atomic<int>* most_threads = nullptr;

// `wanted` = 0 means all cores.
inline int ThreadCount([[maybe_unused]] int wanted) {
#ifdef SASH_OPENMP
  const int threads = wanted > 0 ? wanted : omp_get_num_procs();
  return most_threads == nullptr ? threads : std::min<int>(threads, *most_threads);
#else
  return 1;
#endif
}

// From now on, loops that this thread begins inside other loops have one thread.
inline void KeepInnerLoopsSerial() {
#ifdef SASH_OPENMP
  omp_set_max_active_levels(1);
#endif
}

inline std::size_t BlockCount(std::size_t count, std::size_t block) {
  return (count + block - 1) / block;
}

// Calls body(block index, begin, end) for each block of [0, count).
template <typename Body>
void ParallelBlocks(std::size_t count, std::size_t block, [[maybe_unused]] int threads,
                    const Body& body) {
  const std::size_t blocks = BlockCount(count, block);
#ifdef SASH_OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(ThreadCount(threads)) if (blocks > 1)
#endif
  for (std::size_t i = 0; i < blocks; ++i) {
    body(i, i * block, std::min(count, (i + 1) * block));
  }
}

// Sums value(begin, end) over the blocks, folded in block order.
template <typename T, typename Value>
T ParallelSum(std::size_t count, std::size_t block, int threads, const Value& value) {
  std::vector<T> partial(BlockCount(count, block));
  ParallelBlocks(count, block, threads, [&](std::size_t i, std::size_t begin, std::size_t end) {
    partial[i] = value(begin, end);
  });
  T sum{};
  for (const T& part : partial) sum += part;
  return sum;
}

}  // namespace sash
