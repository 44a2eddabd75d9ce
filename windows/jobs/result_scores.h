// ResultScores: the scores of a result, without its view, for results that are compared with it.
//
// Thread safety: immutable.
//
// Invariants
//   (1) `ids` ascend. They have no vertex without a score.
//   (2) As long as it exists, an id in `ids` means the same key in every view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/ingest/id_pin.h"
#include "windows/jobs/run_result.h"

namespace sash {

struct ResultScores {
  std::string job;
  std::string window;
  EventTime window_end;
  std::optional<std::uint64_t> accepted;  // as in Provenance
  std::int64_t end = 0;                   // of the window, on its axis
  std::uint64_t vertices = 0;             // in the window
  std::vector<VertexId> ids;
  std::vector<double> scores;        // of `ids`
  std::shared_ptr<const IdPin> pin;  // null: there are no ids
  std::string error;                 // why there are no scores; empty: there are

  // NaN if the vertex has no score. O(log(ids)).
  double ScoreOf(VertexId vertex) const;
  std::size_t bytes() const;
};

// The score of a vertex of the run's window; NaN: it has none.
double ScoreIn(const WholeVector& whole, VertexId vertex);

// `run` is of a job with scores (HasScores()).
std::shared_ptr<const ResultScores> ScoresOf(const CompletedRun& run);

}  // namespace sash
