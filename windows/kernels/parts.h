// Runs a long sweep in parts, so that a kernel without iterations can be stopped, too.
//
// Thread safety: calls the sweep and `progress` in the caller's thread.
#pragma once

#include <algorithm>
#include <cstddef>

#include "windows/kernels/progress.h"

namespace sash {

inline constexpr std::size_t kSweepPart = 1 << 18;  // elements between two calls of `progress`

// Calls sweep(begin, end) for each part of [0, count) in turn, and `progress` after each part. The
// sweep is all that the kernel computes. Returns false if `progress` said stop.
template <typename Sweep>
bool SweepParts(std::size_t count, const KernelProgress& progress, const Sweep& sweep,
                std::size_t part = kSweepPart) {
  progress.Begin(RunPhase::kComputing);
  int done = 0;
  for (std::size_t begin = 0; begin < count; begin += part) {
    sweep(begin, std::min(count, begin + part));
    if (progress && !progress(++done, 0)) return false;
  }
  progress.Begin(RunPhase::kFinishing);
  return true;
}

}  // namespace sash
