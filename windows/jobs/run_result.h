// RunResult: the result of one run of a job on one advance.
//
// Thread safety: immutable once delivered.
//
// Invariants
//   (1) A RunResult names vertices by key and holds no view, so it outlives its window at little
//       cost.
//   (2) A WholeVector is indexed by VertexId and means something only together with its advance.
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

// hits
struct RatingsOutput {
  std::vector<RatedVertex> top;
  double residual = 0;
  std::string error{};  // why nothing is ranked; empty: all vertices are
};

struct BfsOutput {
  std::vector<Traversal> traversals;  // one, or with `separate` one for each root
};

struct ShapeOutput {
  std::uint64_t pairs = 0;
  Weight weight = Weight::Integer(0);  // not finite when it overflowed
  std::uint64_t overflowed_edges = 0;  // edges whose weight is not finite
};

// Scores of vertices. Some vertices may have none (NaN in the whole vector).
struct ScoreOutput {
  struct Figure {
    std::string_view name;
    std::optional<double> value;  // none: it has no value in this window
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

// strength
struct SumsOutput {
  std::vector<WeighedVertex> top;
  std::uint64_t overflowed = 0;  // vertices whose sum is beyond the range of a double
};

// wcc, scc, cdlp: sets of vertices; the key of one vertex names each set
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
  std::uint64_t overflowed = 0;      // vertices whose distance is beyond the range of a double
  std::vector<DistantVertex> top;
};

// new_edges, vanished_edges
struct ChangesOutput {
  std::optional<EventTime> since;  // end of the earlier window; none: compared with an empty one
  std::uint64_t pairs = 0;
  // By source, then target; for an external job by score, greatest first, then by source and
  // target.
  std::vector<PairOfVertices> first;
};

struct CyclesOutput {
  std::optional<EventTime> since;  // as for ChangesOutput
  std::uint64_t entered = 0;       // edges
  std::uint64_t cycles = 0;
  std::uint64_t steps = 0;
  bool is_truncated = false;           // there may be more cycles
  bool is_forgotten = false;           // in time order: the slices of the window are not known
  std::vector<CycleOfVertices> first;  // each begins with an edge that entered, by its key; in time
                                       // order it ends with that edge
};

struct PathsOutput {
  std::uint64_t reached = 0;          // of `to`
  std::uint64_t negative_edges = 0;   // by weight; when there are any, there are no paths
  std::vector<PathOfVertices> first;  // the nearest ends first
};

struct EdgeFeaturesOutput {
  std::optional<EventTime> since;  // as for ChangesOutput
  std::uint64_t entered = 0;       // edges
  std::uint64_t steps = 0;
  std::vector<FeaturesOfPair> first;  // by source, then target
};

using KernelOutput =
    std::variant<PageRankOutput, RatingsOutput, BfsOutput, ShapeOutput, ScoreOutput, CountOutput,
                 SumsOutput, GroupsOutput, DistancesOutput, ChangesOutput, CyclesOutput,
                 PathsOutput, EdgeFeaturesOutput>;

// A figure whose name is not known before a plug-in is loaded.
struct NamedFigure {
  std::string name{};
  std::optional<double> value{};  // none: the run did not give it
};

// The starting point of a run.
enum class RunMode : std::uint8_t {
  kFull,         // the window alone
  kWarm,         // the previous run's result
  kIncremental,  // the same, and the edges that have come and left since
};

// What a result of a job with a baseline was compared with.
struct ResultBaseline {
  ListOrder order = ListOrder::kScore;  // of the rows
  std::string job{};                    // whose results these are
  std::string window{};
  EventTime window_end{};                   // of the newest of these results
  std::optional<std::uint64_t> accepted{};  // likewise; windows by events
  std::size_t results = 0;                  // how many; 0: none, and `missing` says why
  double vertices = 0;                      // in their windows; of several: the mean
  std::string missing{};
};

struct RunResult {
  std::string job;
  std::string_view kernel;
  Provenance provenance;
  JobParameters parameters;
  RunMode mode = RunMode::kFull;
  int iterations = 0;
  bool converged = true;
  // For a full run that was compared with a warm one: the L1 distance of their ranks, or the number
  // of vertices whose depths, counts, sums or sets differ.
  std::optional<double> drift{};
  bool fell_back = false;  // the drift was too large: the job stops starting warm
  // Requested by a user, beside the due runs. Sinks have every due result once, so they do not take
  // this one.
  bool triggered = false;
  // A reader asked for it on an earlier advance. Others get it only if the reader says so
  // (ResultSink::DeliverPast()).
  bool past = false;
  double seconds = 0;
  RunPhases phases;  // of these seconds: preparing, computing, finishing
  KernelOutput output;
  std::vector<NamedFigure> figures{};        // of a plug-in, of the whole window
  std::optional<ResultBaseline> baseline{};  // none: the job has no baseline
  std::vector<ComparedRow> compared{};       // of the rows of the list, if there is a baseline
};

struct ResultScores;  // jobs/result_scores.h

// The values of all vertices, by id. Only the newest result of a job keeps it.
struct WholeVector {
  // ScoreOutput, pagerank, hits (none if nothing is ranked); sssp: distances
  std::vector<double> scores;
  std::vector<double> others;                     // hits: the scores that give no rank
  std::vector<std::vector<std::int32_t>> depths;  // bfs: one for each traversal
  std::vector<std::uint64_t> counts;              // triangles, kcore, degree, fanout
  std::vector<Weight> weights;                    // strength; not finite: beyond doubles
  std::vector<VertexId> groups;                   // wcc, scc, cdlp: the vertex that names the set
  // With a baseline: the scores there (NaN: none), and the newest result that is part of it.
  std::vector<double> baseline{};
  std::shared_ptr<const ResultScores> compared_with{};
};

struct TrackedState;  // jobs/tracked_state.h

// The history of a job that starts warm.
struct WarmHistory {
  int warm_runs = 0;  // since the last full run
  bool is_trusted = true;
  double full_change = 0;  // pagerank: L1, of the last iteration of the last full run
  std::shared_ptr<TrackedState> tracked{};  // of the newest run of the job; null: not kept
};

// A finished run with everything that a sink may need. It pins the view.
struct CompletedRun {
  std::shared_ptr<const RunResult> result;
  std::shared_ptr<const WholeVector> whole;
  AdvancePtr advance;
  std::optional<WarmHistory> warm{};
  // The job's result before this one, also from before a restart. Null if this is the first, or if
  // RunDelivery::IsCompared is false for the job.
  std::shared_ptr<const RunResult> before{};
};

}  // namespace sash
