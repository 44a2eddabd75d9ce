// BenchOptions: what to measure, on which graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "daemon/generate/vertex_pairs.h"
#include "windows/base/result.h"

namespace sash::bench {

// The longest window, in slices: edges are cut at least this fine.
inline constexpr std::size_t kMostSlices = 600;

struct BenchOptions {
  GraphShape graph = GraphShape::kRmat;
  int scale = 18;                 // 2^scale vertex numbers
  std::size_t edges = 4'000'000;  // visible in the compared windows
  std::uint64_t seed = 1;
  int repetitions = 5;
  int threads = 0;        // of the kernels; 0: all the cores
  std::string only;       // run the benchmarks whose name contains this
  std::string json_path;  // empty: no file
  bool quick = false;     // small: takes seconds, only to check that everything runs and is right
  bool help = false;
};

// The message names the argument.
Result<BenchOptions> ParseBenchOptions(std::span<char* const> arguments);

std::string BenchUsage();

}  // namespace sash::bench
