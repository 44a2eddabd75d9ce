// RunResult: what one run of a job on one advance produced.
//
// Thread safety: immutable once delivered.
//
// Invariants
//   (1) A RunResult names vertices by key and holds no view: it outlives its window cheaply.
//   (2) A WholeVector is indexed by VertexId and only means something beside the advance it is
//   from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "windows/ingest/vertex_key.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/job_spec.h"
#include "windows/jobs/result_rows.h"
#include "windows/kernels/progress.h"

namespace sash {

struct Traversal {
  std::optional<VertexKey> root;  // none: from all the roots together
  std::uint64_t reached = 0;
  std::vector<std::uint64_t> levels;  // vertices at each depth, the roots first
  std::vector<ReachedVertex> top;
};

struct PageRankOutput {
  std::vector<RankedVertex> top;
  double residual = 0;
  std::optional<std::uint64_t> absent_sources{};  // with sources: how many are not in the window
  std::string error{};                            // why nothing is ranked; empty: all vertices are
};

struct BfsOutput {
  std::vector<Traversal> traversals;  // one, or with `separate` one a root
};

struct ShapeOutput {
  std::uint64_t pairs = 0;
  Weight weight = Weight::Integer(0);  // not finite when it overflowed
  std::uint64_t overflowed_edges = 0;  // whose weight is not finite
};

// Scores of vertices, of which some may have none (NaN in the whole vector).
struct ScoreOutput {
  struct Figure {
    std::string_view name;
    std::optional<double> value;  // none: it has none in this window
  };
  std::vector<RankedVertex> top;
  std::optional<std::uint64_t> scored{};  // how many vertices have a score; none: all have
  std::optional<Figure> figure{};         // of the whole window
};

// triangles, kcore, degree, fanout
struct CountOutput {
  struct Figure {
    std::string_view name;
    std::uint64_t value = 0;
  };
  std::vector<CountedVertex> top;
  std::optional<Figure> figure;  // of the whole window: "triangles", "degeneracy"
};

// wcc, cdlp: sets of vertices, each going by the key of one vertex
struct GroupsOutput {
  std::string_view one;   // what a set is called: "component"
  std::string_view many;  // "components"
  std::uint64_t groups = 0;
  std::vector<CountedVertex> top;  // the largest, with the number of their members
};

// sssp
struct DistancesOutput {
  std::uint64_t reached = 0;
  std::uint64_t negative_edges = 0;  // when there are any, there are no distances
  std::uint64_t overflowed = 0;      // vertices whose distance is beyond the doubles
  std::vector<DistantVertex> top;
};

// new_edges, vanished_edges
struct ChangesOutput {
  std::optional<EventTime> since;  // end of the window compared with; none: with an empty one
  std::uint64_t pairs = 0;
  std::vector<PairOfVertices> first;  // by source, then target
};

using KernelOutput = std::variant<PageRankOutput, BfsOutput, ShapeOutput, ScoreOutput, CountOutput,
                                  GroupsOutput, DistancesOutput, ChangesOutput>;

// What a run began with.
enum class RunMode : std::uint8_t {
  kFull,         // the window alone
  kWarm,         // what the run before found
  kIncremental,  // that, and the edges that have come and left since
};

struct RunResult {
  std::string job;
  std::string_view kernel;
  Provenance provenance;
  JobParameters parameters;
  RunMode mode = RunMode::kFull;
  int iterations = 0;
  bool converged = true;
  // Of a full run that a warm one was held against: the L1 distance of their ranks, or how many
  // vertices have another depth.
  std::optional<double> drift{};
  bool fell_back = false;  // it was too large: the job starts warm no more
  // Asked for by somebody, beside what the job was due on: sinks, which have every due result once,
  // do not take it.
  bool triggered = false;
  // Delivered in a life before (Advance::recalled_for): only who compares takes it.
  bool recalled = false;
  double seconds = 0;
  RunPhases phases;  // of these seconds: preparing, computing, finishing
  KernelOutput output;
};

// What a kernel says of every vertex, by id. Only the newest result of a job keeps it.
struct WholeVector {
  // ScoreOutput, pagerank (none if nothing is ranked); sssp: distances
  std::vector<double> scores;
  std::vector<std::vector<std::int32_t>> depths;  // bfs: as many as traversals
  std::vector<std::uint64_t> counts;              // triangles, kcore, degree, fanout
  std::vector<VertexId> groups;                   // wcc, cdlp: whose key the set goes by
};

struct TrackedRanks;  // jobs/tracked_ranks.h

// What a job that starts warm knows of its runs so far.
struct WarmHistory {
  int warm_runs = 0;  // since the last full run
  bool is_trusted = true;
  double full_change = 0;  // pagerank: L1, of the last iteration of the last full run
  std::shared_ptr<TrackedRanks> tracked{};  // of the newest run of the job; null: none is
};

// A finished run with everything a sink may ask for; the view is pinned while it lives.
struct CompletedRun {
  std::shared_ptr<const RunResult> result;
  std::shared_ptr<const WholeVector> whole;
  AdvancePtr advance;
  std::optional<WarmHistory> warm{};
};

}  // namespace sash
