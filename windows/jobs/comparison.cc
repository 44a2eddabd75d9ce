#include "windows/jobs/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "windows/jobs/ranking.h"
#include "windows/jobs/rounded_score.h"

namespace sash {
namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();

double SurpriseOf(double score, const RunResult& result, double there) {
  if (result.baseline->results == 0) return kNotThere;
  const double before = std::isnan(there) ? 0 : there;
  const double divisor = before * result.baseline->vertices + 1;
  const double surprise = (score * static_cast<double>(result.provenance.vertices) + 1) / divisor;
  return divisor > 0 && std::isfinite(surprise) ? surprise : kNotThere;
}

// The scores of the baseline by id, for ids below `id_limit`.
std::vector<double> ScoresThere(const Baseline& baseline, VertexId id_limit) {
  std::vector<double> there(id_limit, kNotThere);
  for (const auto& each : baseline.results) {
    for (std::size_t i = 0; i < each->ids.size() && each->ids[i] < id_limit; ++i) {
      double& sum = there[each->ids[i]];
      sum = (std::isnan(sum) ? 0 : sum) + each->scores[i];
    }
  }
  const auto count = static_cast<double>(baseline.results.size());
  for (double& sum : there) sum /= count;
  return there;
}

// The vertices of the view that have a score.
std::vector<VertexId> ScoredIn(const WindowView& view, const WholeVector& whole) {
  std::vector<VertexId> scored;
  for (const VertexId v : VerticesOf(view)) {
    if (!std::isnan(ScoreIn(whole, v))) scored.push_back(v);
  }
  return scored;
}

// By id; NaN: none.
std::vector<double> Surprises(std::span<const VertexId> scored, const RunResult& result,
                              const WholeVector& whole) {
  std::vector<double> surprises(whole.baseline.size(), kNotThere);
  for (const VertexId v : scored) {
    surprises[v] = SurpriseOf(ScoreIn(whole, v), result, whole.baseline[v]);
  }
  return surprises;
}

void FillValues(const WholeVector& whole, VertexId v, RankedVertex& row) {
  row.score = whole.scores[v];
}
void FillValues(const WholeVector& whole, VertexId v, RatedVertex& row) {
  row.score = whole.scores[v];
  row.other = whole.others[v];
}
void FillValues(const WholeVector& whole, VertexId v, CountedVertex& row) {
  row.count = whole.counts[v];
}
void FillValues(const WholeVector& whole, VertexId v, WeighedVertex& row) {
  row.weight = whole.weights[v];
}

// The rows of an output that lists vertices with scores; null: it does not.
template <typename Output>
auto* RowsOfOutput(Output& output) {
  if constexpr (requires { output.top; } && !std::is_same_v<Output, GroupsOutput>) {
    using Row = typename std::decay_t<decltype(output.top)>::value_type;
    if constexpr (kHasScore<Row>) {
      return &output.top;
    } else {
      return static_cast<std::vector<RankedVertex>*>(nullptr);
    }
  } else {
    return static_cast<std::vector<RankedVertex>*>(nullptr);
  }
}

}  // namespace

void Compare(const JobSpec& job, const Baseline& baseline, const VertexDictionary& keys,
             const Advance& advance, RunResult& result, WholeVector& whole) {
  ResultBaseline& about = result.baseline.emplace();
  about.order = job.order;
  about.window = job.baseline->window.empty() ? job.window : job.baseline->window;
  about.results = baseline.results.size();
  about.missing = baseline.missing;
  if (!baseline.results.empty()) {
    const ResultScores& newest = *baseline.results.back();
    about.job = newest.job;
    about.window_end = newest.window_end;
    about.accepted = newest.accepted;
    for (const auto& each : baseline.results) about.vertices += static_cast<double>(each->vertices);
    about.vertices /= static_cast<double>(about.results);
    whole.compared_with = baseline.results.back();
  } else if (about.missing.empty()) {
    about.missing = "nothing to compare with is known";
  }
  const VertexId id_limit = VisitView(
      advance.view, [](const auto& graph) { return static_cast<VertexId>(graph.id_limit()); });
  whole.baseline = ScoresThere(baseline, id_limit);
  std::visit(
      [&](auto& output) {
        auto* const rows = RowsOfOutput(output);
        if (rows == nullptr) return;
        using Row = typename std::decay_t<decltype(*rows)>::value_type;
        if (IsBySurprise(result) && !rows->empty()) {
          *rows = RowsBySurprise<Row>(result, whole, advance.view, job.top, keys);
        }
        result.compared = CompareRows(*rows, result, whole, advance.view, keys);
      },
      result.output);
}

template <typename Row>
std::vector<ComparedRow> CompareRows(const std::vector<Row>& rows, const RunResult& result,
                                     const WholeVector& whole, const WindowView& view,
                                     const VertexDictionary& keys) {
  std::vector<ComparedRow> compared(rows.size(), {.score = kNotThere, .surprise = kNotThere});
  if (rows.empty() || result.baseline->results == 0) return compared;
  std::vector<double> now;
  std::vector<double> before;  // in the newest result of the baseline
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const VertexId v = *keys.Find(rows[i].key);
    now.push_back(ScoreIn(whole, v));
    before.push_back(whole.compared_with->ScoreOf(v));
    compared[i].score = whole.baseline[v];
    compared[i].surprise = SurpriseOf(now.back(), result, whole.baseline[v]);
  }
  std::vector<double> all;
  for (const VertexId v : VerticesOf(view)) all.push_back(ScoreIn(whole, v));
  const std::vector<std::uint64_t> ranks = RanksAmong(all, now);
  const std::vector<std::uint64_t> ranks_before = RanksAmong(whole.compared_with->scores, before);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    compared[i].rank = ranks_before[i];
    if (ranks_before[i] == 0) continue;
    compared[i].rank_change =
        static_cast<std::int64_t>(ranks_before[i]) - static_cast<std::int64_t>(ranks[i]);
  }
  return compared;
}

template <typename Row>
std::vector<Row> RowsBySurprise(const RunResult& result, const WholeVector& whole,
                                const WindowView& view, std::size_t count,
                                const VertexDictionary& keys) {
  const std::vector<VertexId> scored = ScoredIn(view, whole);
  const std::vector<double> surprises = Surprises(scored, result, whole);
  std::vector<Row> rows;
  for (const VertexId v : GreatestFirst(scored, surprises, count, keys)) {
    Row row{};
    row.key = keys.KeyOf(v);
    row.rank = rows.size() + 1;
    FillValues(whole, v, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::uint64_t RankBySurprise(const RunResult& result, const WholeVector& whole,
                             const WindowView& view, VertexId vertex,
                             const VertexDictionary& keys) {
  const std::vector<VertexId> scored = ScoredIn(view, whole);
  const std::vector<double> surprises = Surprises(scored, result, whole);
  const auto value_of = [&](VertexId v) {
    constexpr double kLast = -std::numeric_limits<double>::infinity();
    return std::isnan(surprises[v]) ? kLast : RoundedScore(surprises[v]);
  };
  const double asked = value_of(vertex);
  const auto before = std::ranges::count_if(scored, [&](VertexId v) {
    const double other = value_of(v);
    return other != asked ? other > asked : keys.KeyLess(v, vertex);
  });
  return static_cast<std::uint64_t>(before) + 1;
}

template std::vector<ComparedRow> CompareRows(const std::vector<RankedVertex>&, const RunResult&,
                                              const WholeVector&, const WindowView&,
                                              const VertexDictionary&);
template std::vector<RankedVertex> RowsBySurprise(const RunResult&, const WholeVector&,
                                                  const WindowView&, std::size_t,
                                                  const VertexDictionary&);
template std::vector<ComparedRow> CompareRows(const std::vector<RatedVertex>&, const RunResult&,
                                              const WholeVector&, const WindowView&,
                                              const VertexDictionary&);
template std::vector<RatedVertex> RowsBySurprise(const RunResult&, const WholeVector&,
                                                 const WindowView&, std::size_t,
                                                 const VertexDictionary&);
template std::vector<ComparedRow> CompareRows(const std::vector<CountedVertex>&, const RunResult&,
                                              const WholeVector&, const WindowView&,
                                              const VertexDictionary&);
template std::vector<CountedVertex> RowsBySurprise(const RunResult&, const WholeVector&,
                                                   const WindowView&, std::size_t,
                                                   const VertexDictionary&);
template std::vector<ComparedRow> CompareRows(const std::vector<WeighedVertex>&, const RunResult&,
                                              const WholeVector&, const WindowView&,
                                              const VertexDictionary&);
template std::vector<WeighedVertex> RowsBySurprise(const RunResult&, const WholeVector&,
                                                   const WindowView&, std::size_t,
                                                   const VertexDictionary&);

}  // namespace sash
