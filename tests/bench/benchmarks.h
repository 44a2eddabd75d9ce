// The benchmarks, each in a file of its own. A new one is a function here and a line in
// bench_main.cc.
#pragma once

#include "tests/bench/bench_edges.h"
#include "tests/bench/bench_options.h"
#include "tests/bench/report.h"

namespace sash::bench {

// What the benchmarks share. `edges` holds options.edges for the compared windows and, behind them,
// half as many for the advances.
struct Bench {
  const BenchOptions& options;
  const BenchEdges& edges;
  Report& report;
};

void RunAdvance(const Bench& bench);        // 600 slices over 60, and the rebuilt window
void RunHub(const Bench& bench);            // advances of streams that have one hub
void RunChain(const Bench& bench);          // advances over chains of duplicates
void RunThreeWindows(const Bench& bench);   // windows of one store
void RunFreeze(const Bench& bench);         // slides of 1 % and 10 % to publication
void RunPageRank(const Bench& bench);       // windows against the plain CSR
void RunLargePageRank(const Bench& bench);  // of its own size: 65 M edges
void RunBfs(const Bench& bench);
void RunBfsFollow(const Bench& bench);  // over a slide, against from the sources
void RunCurves(const Bench& bench);  // over the number of slices, for policies and shares
void RunAnswer(const Bench& bench);  // a slide and its ranks, against starting from nothing
void RunMemory(const Bench& bench);
void RunLayouts(const Bench& bench);       // linking and copying lists, against the plain CSR
void RunIngest(const Bench& bench);        // records of JSON and CSV to open slices
void RunChosenKeys(const Bench& bench);    // keys made to collide, against random ones
void RunSustained(const Bench& bench);     // the whole engine, jobs included, from memory
void RunInterference(const Bench& bench);  // a job and the stream, beside each other and alone
void RunCheckpoint(const Bench& bench);    // a stream with checkpoints, against one without
void RunRecovery(const Bench& bench);      // from the folder of checkpoints to the first answer

}  // namespace sash::bench
