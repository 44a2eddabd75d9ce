// Comparison: a result beside its baseline, which is an earlier result or the mean of several.
//
// Surprise is (score * vertices + 1) / (baseline score * its vertices + 1). A vertex that the
// baseline lacks has the score 0 there. Without a baseline, or if the divisor is not above 0, the
// surprise is undefined.
//
// Thread safety: pure functions; the run must stay pinned meanwhile.
//
// Invariants
//   (1) Ids are compared: those of the run and of each result of the baseline mean the same keys
//       (ResultScores (2)).
//   (2) Nothing depends on ids, on threads, or on how ties are listed: ranks count the vertices
//       with a greater score, rounded to nine significant digits.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/result_scores.h"
#include "windows/jobs/result_table.h"

namespace sash {

// The results that a run is compared with.
struct Baseline {
  std::vector<std::shared_ptr<const ResultScores>> results{};  // all have scores; oldest first
  std::string missing{};                                       // why there are none
};

// Completes a run of `job`, which has a baseline: `result` and `whole` hold the answer of the
// kernel, and get the comparison. `job.order` decides which rows the result lists.
void Compare(const JobSpec& job, const Baseline& baseline, const VertexDictionary& keys,
             const Advance& advance, RunResult& result, WholeVector& whole);

// The comparison of each row of a run with a baseline. O(vertices * log(rows)).
template <typename Row>
std::vector<ComparedRow> CompareRows(const std::vector<Row>& rows, const RunResult& result,
                                     const WholeVector& whole, const WindowView& view,
                                     const VertexDictionary& keys);

// The first `count` rows by surprise, and the position of a vertex in that order, from 1.
template <typename Row>
std::vector<Row> RowsBySurprise(const RunResult& result, const WholeVector& whole,
                                const WindowView& view, std::size_t count,
                                const VertexDictionary& keys);
std::uint64_t RankBySurprise(const RunResult& result, const WholeVector& whole,
                             const WindowView& view, VertexId vertex, const VertexDictionary& keys);

// Whether a result lists its rows by surprise. Without a baseline it lists them by score.
inline bool IsBySurprise(const RunResult& result) {
  return result.baseline && result.baseline->order == ListOrder::kSurprise &&
         result.baseline->results > 0;
}

}  // namespace sash
