#include "windows/jobs/kept_vector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <variant>

#include "windows/base/allocated_bytes.h"
#include "windows/jobs/groups.h"
#include "windows/jobs/result_scores.h"
#include "windows/jobs/result_table.h"
#include "windows/jobs/rounded_score.h"
#include "windows/jobs/whole_rows.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/sssp.h"

namespace sash {
namespace {

// Adds the value of each vertex that has one (not NaN).
template <typename ValueOf>
void Fill(const CompletedRun& run, ValueOf value_of, KeptVector& to) {
  const std::span<const VertexId> vertices = VerticesOf(run);
  to.ids.reserve(vertices.size());
  to.values.reserve(vertices.size());
  for (const VertexId vertex : vertices) {
    const double value = value_of(vertex);
    if (std::isnan(value)) continue;
    to.ids.push_back(vertex);
    to.values.push_back(value);
  }
}

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

void FillDepths(const CompletedRun& run, KeptVector& to) {
  const std::vector<std::int32_t>& depths = run.whole->depths.front();
  to.is_whole = true;
  to.least_first = true;
  const auto depth = [&](VertexId v) -> double {
    return depths[v] == kUnreached ? kNoValue : depths[v];
  };
  Fill(run, depth, to);
}

void FillDistances(const CompletedRun& run, KeptVector& to) {
  const std::vector<double>& distances = run.whole->scores;
  to.least_first = true;
  Fill(
      run, [&](VertexId v) { return distances[v] < kUnreachedDistance ? distances[v] : kNoValue; },
      to);
}

void FillSizes(const CompletedRun& run, KeptVector& to) {
  const std::vector<VertexId>& groups = run.whole->groups;
  const GroupSizes counted = CountMembers(VerticesOf(run), groups);
  to.is_whole = true;
  to.is_of_sets = true;
  Fill(run, [&](VertexId v) { return static_cast<double>(counted.sizes[groups[v]]); }, to);
}

bool IsWhole(const WholeVector& whole) {
  if (!whole.counts.empty()) return true;
  return !whole.weights.empty() &&
         std::ranges::all_of(whole.weights, [](Weight each) { return each.is_integer(); });
}

}  // namespace

std::optional<KeptVector::Place> KeptVector::Find(VertexId vertex) const {
  const auto found = std::ranges::lower_bound(ids, vertex);
  if (found == ids.end() || *found != vertex) return std::nullopt;
  Place place{.value = values[static_cast<std::size_t>(found - ids.begin())]};
  if (is_of_sets) return place;
  const double sign = least_first ? -1 : 1;
  const double exact = sign * place.value;
  const double own = RoundedScore(exact);
  // Rounding is slow, and keeps the order: only values close to this one are rounded.
  const double surely = own + std::abs(own) * 2e-8;
  const auto better = [&](double each) {
    const double other = sign * each;
    return other > exact && (other > surely || RoundedScore(other) > own);
  };
  place.rank = 1 + static_cast<std::uint64_t>(std::ranges::count_if(values, better));
  return place;
}

std::size_t KeptVector::bytes() const {
  return sizeof(KeptVector) + AllocatedBytes(ids) + AllocatedBytes(values);
}

std::shared_ptr<const KeptVector> VectorOf(const CompletedRun& run) {
  auto kept = std::make_shared<KeptVector>();
  if (run.advance->ids != nullptr) kept->epoch = run.advance->ids->epoch();
  const ResultTable table = DescribeResult(*run.result);
  if (table.lists.empty() || !table.lists.front().has_values) return kept;
  const ResultList& list = table.lists.front();
  if (list.is_of_sets) {
    FillSizes(run, *kept);
  } else if (std::holds_alternative<const std::vector<ReachedVertex>*>(list.rows)) {
    FillDepths(run, *kept);
  } else if (std::holds_alternative<const std::vector<DistantVertex>*>(list.rows)) {
    FillDistances(run, *kept);
  } else {
    kept->is_whole = IsWhole(*run.whole);
    Fill(run, [&](VertexId v) { return ScoreIn(*run.whole, v); }, *kept);
  }
  return kept;
}

}  // namespace sash
