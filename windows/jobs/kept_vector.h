// KeptVector: the values of all vertices in a result, without its view (jobs[].keep_vectors).
//
// Thread safety: immutable.
//
// Invariants
//   (1) It pins no id: an id in it means the key that it had in epoch() (VertexLifetimes). Whether
//       it still has that key is for the reader to check (WindowEngine::BornAfter()).
//   (2) `ids` ascend. They have no vertex without a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "windows/base/ids.h"
#include "windows/jobs/run_result.h"

namespace sash {

struct KeptVector {
  std::uint64_t epoch = 0;  // of the pin of the run's advance
  std::vector<VertexId> ids;
  // For each of `ids`, the value that the list ranks by (a score, depth or distance; for sets the
  // size of the vertex's set). Integers beyond 2^53 are rounded.
  std::vector<double> values;
  bool is_whole = false;     // all values are integers by nature
  bool is_of_sets = false;   // equal values may belong to one set: there are no ranks
  bool least_first = false;  // the least value has rank 1

  struct Place {
    double value = 0;
    std::optional<std::uint64_t> rank{};  // 1 + the vertices with a better value; none: of sets
  };
  // Nothing if the vertex has no value. O(ids); values are compared as ranks do (RoundedScore()).
  std::optional<Place> Find(VertexId vertex) const;

  std::size_t bytes() const;
};

// The run must be of a job that has such vectors (HasVectors() in kinds.h). O(vertices).
std::shared_ptr<const KeptVector> VectorOf(const CompletedRun& run);

}  // namespace sash
