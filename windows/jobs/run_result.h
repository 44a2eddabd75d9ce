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

namespace sash {

struct RankedVertex {
  VertexKey key;
  std::uint64_t rank = 0;  // position, from 1
  double score = 0;
};

struct ReachedVertex {
  VertexKey key;
  std::uint64_t rank = 0;  // position, from 1, nearest first
  std::int32_t depth = 0;
};

struct Traversal {
  std::optional<VertexKey> root;  // none: from all the roots together
  std::uint64_t reached = 0;
  std::vector<std::uint64_t> levels;  // vertices at each depth, the roots first
  std::vector<ReachedVertex> top;
};

struct PageRankOutput {
  std::vector<RankedVertex> top;
  double residual = 0;
};

struct BfsOutput {
  std::vector<Traversal> traversals;  // one, or with `separate` one a root
};

struct ShapeOutput {
  std::uint64_t pairs = 0;
  Weight weight = Weight::Integer(0);
};

using KernelOutput = std::variant<PageRankOutput, BfsOutput, ShapeOutput>;

struct RunResult {
  std::string job;
  std::string_view kernel;
  Provenance provenance;
  JobParameters parameters;
  int iterations = 0;
  bool converged = true;
  double seconds = 0;
  KernelOutput output;
};

// The score or depth of every vertex, by id. Only the newest result of a job keeps it.
struct WholeVector {
  std::vector<double> scores;                     // pagerank
  std::vector<std::vector<std::int32_t>> depths;  // bfs: as many as traversals
};

// A finished run with everything a sink may ask for; the view is pinned while it lives.
struct CompletedRun {
  std::shared_ptr<const RunResult> result;
  std::shared_ptr<const WholeVector> whole;
  AdvancePtr advance;
};

}  // namespace sash
