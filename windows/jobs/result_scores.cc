#include "windows/jobs/result_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "windows/base/allocated_bytes.h"
#include "windows/base/finite_weight.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/whole_rows.h"

namespace sash {

double ResultScores::ScoreOf(VertexId vertex) const {
  const auto found = std::ranges::lower_bound(ids, vertex);
  if (found == ids.end() || *found != vertex) return std::numeric_limits<double>::quiet_NaN();
  return scores[static_cast<std::size_t>(found - ids.begin())];
}

std::size_t ResultScores::bytes() const {
  return sizeof(ResultScores) + AllocatedBytes(ids) + AllocatedBytes(scores);
}

double ScoreIn(const WholeVector& whole, VertexId vertex) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (!whole.scores.empty()) return whole.scores[vertex];
  if (!whole.counts.empty()) return static_cast<double>(whole.counts[vertex]);
  if (whole.weights.empty()) return kNone;
  return IsFinite(whole.weights[vertex]) ? whole.weights[vertex].AsDouble() : kNone;
}

std::shared_ptr<const ResultScores> ScoresOf(const CompletedRun& run) {
  const Provenance& from = run.result->provenance;
  auto scores = std::make_shared<ResultScores>();
  scores->job = run.result->job;
  scores->window = from.window;
  scores->window_end = from.window_end;
  scores->accepted = from.accepted;
  scores->end = run.advance->end;
  scores->vertices = from.vertices;
  const ResultTable table = DescribeResult(*run.result);
  if (!table.lists.front().has_values) {
    scores->error = table.error;
    return scores;
  }
  const std::span<const VertexId> vertices = VerticesOf(run);
  scores->ids.reserve(vertices.size());
  scores->scores.reserve(vertices.size());
  for (const VertexId vertex : vertices) {
    const double score = ScoreIn(*run.whole, vertex);
    if (std::isnan(score)) continue;
    scores->ids.push_back(vertex);
    scores->scores.push_back(score);
  }
  if (!scores->ids.empty()) scores->pin = run.advance->ids;
  return scores;
}

}  // namespace sash
