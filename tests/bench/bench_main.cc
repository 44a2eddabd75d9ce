// sash_bench: compares the engine with the plain CSR and with itself; README.md explains the
// output. Exit code 1 when a measured answer is wrong.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "tests/bench/benchmarks.h"
#include "tests/bench/machine.h"
#include "windows/base/parallel.h"

namespace sash::bench {
namespace {

struct Benchmark {
  std::string_view name;
  void (*run)(const Bench&);
};

constexpr std::array kBenchmarks = {
    Benchmark{"advance", RunAdvance},
    Benchmark{"advance_hub", RunHub},
    Benchmark{"advance_chain", RunChain},
    Benchmark{"three_windows", RunThreeWindows},
    Benchmark{"freeze", RunFreeze},
    Benchmark{"pagerank", RunPageRank},
    Benchmark{"pagerank_scale22", RunLargePageRank},
    Benchmark{"own_kernel", RunOwnKernel},
    Benchmark{"livejournal", RunLargeOwnKernel},
    Benchmark{"bfs", RunBfs},
    Benchmark{"graph500", RunGraph500},
    Benchmark{"bfs_follow", RunBfsFollow},
    Benchmark{"streaming_bfs", RunStreamingBfs},
    Benchmark{"triangles_follow", RunTrianglesFollow},
    Benchmark{"short_follow", RunShortFollow},
    Benchmark{"curve", RunCurves},
    Benchmark{"sweep", RunSweep},
    Benchmark{"answer", RunAnswer},
    Benchmark{"memory", RunMemory},
    Benchmark{"layouts", RunLayouts},
    Benchmark{"ingest", RunIngest},
    Benchmark{"door", RunDoor},
    Benchmark{"where", RunWhere},
    Benchmark{"chosen_keys", RunChosenKeys},
    Benchmark{"result_json", RunResultJson},
    Benchmark{"mixed", RunMixed},
    Benchmark{"one_hop", RunOneHop},
    Benchmark{"sustained", RunSustained},
    Benchmark{"interference", RunInterference},
    Benchmark{"frozen", RunFrozen},
    Benchmark{"parquet", RunParquet},
    Benchmark{"frozen_write", RunFrozenWrite},
    Benchmark{"checkpoint", RunCheckpoint},
    Benchmark{"recovery", RunRecovery},
};

void PrintCircumstances(const BenchOptions& options, const BenchEdges& edges) {
  fmt::print("graph    {} scale {}, {} visible edges, {} vertices, seed {}\n",
             options.graph == GraphShape::kRmat ? "R-MAT" : "uniform", options.scale, options.edges,
             edges.id_limit, options.seed);
  const char* waiting = std::getenv("OMP_WAIT_POLICY");
  fmt::print("runs     {} repetitions, kernels with {} threads ({} waiting)\n", options.repetitions,
             ThreadCount(options.threads), waiting == nullptr ? "default" : waiting);
  fmt::print("build    {}\n", BuildText());
  fmt::print("machine  {}; load {}\n", MachineText(), LoadText());
  if (!IsOptimisedBuild()) fmt::print("THE BUILD IS NOT OPTIMISED: the figures mean nothing\n");
  if (IsMachineBusy()) fmt::print("THE MACHINE IS BUSY: repeat when it is not\n");
  fmt::print("\n");
}

int Run(const BenchOptions& options) {
  // The last part is for the advances: half a window.
  const BenchEdges edges = DrawEdges(options, options.edges + options.edges / 2);
  PrintCircumstances(options, edges);
  Report report(stdout);
  report.PrintHeading();
  for (const Benchmark& benchmark : kBenchmarks) {
    if (benchmark.name.find(options.only) == std::string_view::npos) continue;
    benchmark.run({options, edges, report});
  }
  fmt::print("\nload at the end: {}\n", LoadText());
  if (!options.json_path.empty()) {
    const Status written = WriteJson(report.rows(), options.json_path);
    if (!written.ok()) {
      fmt::print(stderr, "sash_bench: {}\n", written.error().message);
      return 1;
    }
  }
  if (report.wrong() > 0) fmt::print(stderr, "sash_bench: {} wrong answers\n", report.wrong());
  return report.wrong() > 0 ? 1 : 0;
}

}  // namespace
}  // namespace sash::bench

int main(int argc, char** argv) {
  const auto arguments = std::span(argv, static_cast<std::size_t>(argc)).subspan(1);
  const auto options = sash::bench::ParseBenchOptions(arguments);
  if (!options.ok()) {
    fmt::print(stderr, "sash_bench: {}\n", options.error().message);
    return 2;
  }
  if (options.value().help) {
    fmt::print("{}", sash::bench::BenchUsage());
    return 0;
  }
  return sash::bench::Run(options.value());
}
