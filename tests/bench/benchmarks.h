// The benchmarks, each in a file of its own. A new one is a function here and a line in
// bench_main.cc.
#pragma once

#include "tests/bench/bench_edges.h"
#include "tests/bench/bench_options.h"
#include "tests/bench/report.h"

namespace sash::bench {

// What the benchmarks share. `edges` holds options.edges for the compared windows, followed by half
// as many for the advances.
struct Bench {
  const BenchOptions& options;
  const BenchEdges& edges;
  Report& report;
};

void RunAdvance(const Bench& bench);         // 600 slices compared with 60, and the rebuilt window
void RunHub(const Bench& bench);             // advances of streams that have one hub
void RunChain(const Bench& bench);           // advances over chains of duplicates
void RunThreeWindows(const Bench& bench);    // windows of one store
void RunFreeze(const Bench& bench);          // slides of 1 % and 10 % to publication
void RunPageRank(const Bench& bench);        // windows compared with the plain CSR
void RunLargePageRank(const Bench& bench);   // its own size: 65 M edges
void RunOwnKernel(const Bench& bench);       // PageRank as a plug-in and as a vertex program
void RunLargeOwnKernel(const Bench& bench);  // its own size: 79 M edges, as LiveJournal
void RunBfs(const Bench& bench);
void RunGraph500(const Bench& bench);      // 64 validated searches, in edges a second
void RunBfsFollow(const Bench& bench);     // over a slide, compared with a search from the sources
void RunStreamingBfs(const Bench& bench);  // the stream beside searches that follow it
void RunTrianglesFollow(const Bench& bench);  // over a slide, compared with a count from nothing
void RunShortFollow(const Bench& bench);      // likewise of strength and of components
void RunCurves(const Bench& bench);           // over the number of slices, for policies and shares
void RunSweep(const Bench& bench);            // over rates, duplicates and types
void RunAnswer(const Bench& bench);  // a slide and its ranks, compared with a full computation
void RunMemory(const Bench& bench);
void RunLayouts(const Bench& bench);       // linked and copied lists, compared with the plain CSR
void RunIngest(const Bench& bench);        // records of JSON and CSV to open slices
void RunDoor(const Bench& bench);          // wide records, Avro, arrays and envelopes
void RunWhere(const Bench& bench);         // a filter of two comparisons for each record
void RunChosenKeys(const Bench& bench);    // keys made to collide, compared with random ones
void RunResultJson(const Bench& bench);    // the JSON of a whole vector
void RunMixed(const Bench& bench);         // a log of adds and removals
void RunOneHop(const Bench& bench);        // neighbours in published and live windows
void RunSustained(const Bench& bench);     // the whole engine, jobs included, from memory
void RunInterference(const Bench& bench);  // a job and the stream, together and alone
void RunFrozen(const Bench& bench);        // advances beside the writer of frozen snapshots
void RunParquet(const Bench& bench);       // the same, of tables in Parquet
void RunFrozenWrite(const Bench& bench);   // a window as a frozen snapshot
void RunCheckpoint(const Bench& bench);    // a stream with checkpoints, compared with one without
void RunRecovery(const Bench& bench);      // from the folder of checkpoints to the first result

}  // namespace sash::bench
