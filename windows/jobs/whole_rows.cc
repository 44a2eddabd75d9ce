#include "windows/jobs/whole_rows.h"

#include <cmath>
#include <optional>
#include <utility>

#include "windows/base/finite_weight.h"
#include "windows/jobs/comparison.h"
#include "windows/jobs/groups.h"
#include "windows/jobs/ranking.h"
#include "windows/jobs/reached_rows.h"
#include "windows/jobs/result_error.h"
#include "windows/jobs/weight_ranking.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/sssp.h"

namespace sash {
namespace {

template <typename Row>
bool FillBySurprise(const CompletedRun& run, const VertexDictionary& keys, std::size_t count,
                    std::vector<Row>& rows) {
  if (!IsBySurprise(*run.result)) return false;
  rows = RowsBySurprise<Row>(*run.result, *run.whole, run.advance->view, count, keys);
  return true;
}

// The cells of a vertex with a score, in a result with a baseline.
void AddComparison(const CompletedRun& run, VertexId vertex, const VertexDictionary& keys,
                   std::vector<VertexCell>& cells) {
  const RunResult& result = *run.result;
  const std::vector<RankedVertex> row = {{.key = keys.KeyOf(vertex)}};
  const ComparedRow compared =
      CompareRows(row, result, *run.whole, run.advance->view, keys).front();
  const auto number = [](double value) {
    return std::isnan(value) ? VertexCell::Value() : VertexCell::Value(value);
  };
  cells.push_back({"baseline_score", number(compared.score)});
  const bool is_ranked = compared.rank > 0;
  cells.push_back(
      {"baseline_rank", is_ranked ? VertexCell::Value(compared.rank) : VertexCell::Value()});
  cells.push_back(
      {"rank_change", is_ranked ? VertexCell::Value(compared.rank_change) : VertexCell::Value()});
  cells.push_back({"surprise", number(compared.surprise)});
  if (!IsBySurprise(result)) return;
  const std::uint64_t rank = RankBySurprise(result, *run.whole, run.advance->view, vertex, keys);
  for (VertexCell& cell : cells) {
    if (cell.name == "rank") cell.value = rank;
  }
}

struct Asked {
  const ResultList& list;
  const CompletedRun& run;
  const VertexId vertex;
  const VertexDictionary& keys;

  using Cells = std::vector<VertexCell>;

  Cells Valued(VertexCell::Value value, std::uint64_t rank) const {
    return {{list.value, std::move(value)}, {"rank", rank}};
  }
  Cells WithoutAsTooLarge() const {
    return Without(std::string("the ").append(list.value).append(" is").append(kBeyondDoubles));
  }
  Cells Without(std::string why = {}) const {
    Cells cells{{list.value}, {"rank"}};
    if (!why.empty()) cells.push_back({"error", std::move(why)});
    return cells;
  }

  Cells operator()(const std::vector<RankedVertex>*) const {
    const std::vector<double>& scores = run.whole->scores;
    if (std::isnan(scores[vertex])) return Without();
    return Valued(scores[vertex], RankByScore(VerticesOf(run), scores, vertex, keys));
  }

  Cells operator()(const std::vector<RatedVertex>*) const {
    const std::vector<double>& scores = run.whole->scores;
    Cells cells = Valued(scores[vertex], RankByScore(VerticesOf(run), scores, vertex, keys));
    cells.push_back({list.other, run.whole->others[vertex]});
    return cells;
  }

  Cells operator()(const std::vector<DistantVertex>*) const {
    const std::vector<double>& distances = run.whole->scores;
    const double distance = distances[vertex];
    if (std::isnan(distance)) return WithoutAsTooLarge();
    if (!(distance < kUnreachedDistance)) return Without();
    return Valued(distance, RankByDistance(VerticesOf(run), distances, vertex, keys));
  }

  Cells operator()(const std::vector<ReachedVertex>*) const {
    const std::vector<std::int32_t>& depths = run.whole->depths[list.traversal];
    Cells cells = depths[vertex] == kUnreached
                      ? Without()
                      : Valued(depths[vertex], RankByDepth(VerticesOf(run), depths, vertex, keys));
    if (!list.search->parents) return cells;
    const std::optional<VertexKey> parent =
        ParentKey({run.advance->view, *list.search, depths, keys}, vertex);
    cells.push_back({"parent", parent ? VertexCell::Value(*parent) : VertexCell::Value()});
    return cells;
  }

  // The set that the vertex is in, and that set's size and rank.
  Cells SetOf() const {
    const VertexId set = run.whole->groups[vertex];
    const GroupSizes counted = CountMembers(VerticesOf(run), run.whole->groups);
    Cells cells{{list.one, keys.KeyOf(set)}};
    for (VertexCell& cell :
         Valued(counted.sizes[set], RankByCount(counted.groups, counted.sizes, set, keys))) {
      cells.push_back(std::move(cell));
    }
    return cells;
  }

  Cells operator()(const std::vector<CountedVertex>*) const {
    if (list.is_of_sets) return SetOf();
    const std::vector<std::uint64_t>& counts = run.whole->counts;
    return Valued(counts[vertex], RankByCount(VerticesOf(run), counts, vertex, keys));
  }

  Cells operator()(const std::vector<WeighedVertex>*) const {
    const Weight weight = run.whole->weights[vertex];
    if (!IsFinite(weight)) return WithoutAsTooLarge();
    const std::uint64_t rank = RankByWeight(VerticesOf(run), run.whole->weights, vertex, keys);
    return weight.is_integer() ? Valued(weight.integer(), rank) : Valued(weight.AsDouble(), rank);
  }

  Cells operator()(const std::vector<PairOfVertices>*) const { return {}; }
  Cells operator()(const std::vector<CycleOfVertices>*) const { return {}; }
  Cells operator()(const std::vector<PathOfVertices>*) const { return {}; }
  Cells operator()(const std::vector<FeaturesOfPair>*) const { return {}; }
};

}  // namespace

std::span<const VertexId> VerticesOf(const CompletedRun& run) {
  return VerticesOf(run.advance->view);
}

void FillRows(const ResultList& list, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<RankedVertex>& rows) {
  if (FillBySurprise(run, keys, count, rows)) return;
  const std::span<const VertexId> vertices = VerticesOf(run);
  const std::vector<double>& scores = run.whole->scores;
  if (list.available == vertices.size()) {
    rows = TopByScore(vertices, scores, count, keys);
  } else {
    rows = TopByScore(HavingScore(vertices, scores), scores, count, keys);
  }
}

void FillRows(const ResultList& /*list*/, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<RatedVertex>& rows) {
  if (FillBySurprise(run, keys, count, rows)) return;
  rows = TopByRating(VerticesOf(run), run.whole->scores, run.whole->others, count, keys);
}

void FillRows(const ResultList& list, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<ReachedVertex>& rows) {
  constexpr int kThreads = 1;  // the thread of the runner or of a request
  rows = ReachedRows({run.advance->view, *list.search, run.whole->depths[list.traversal], keys},
                     count, kThreads);
}

void FillRows(const ResultList& /*list*/, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<DistantVertex>& rows) {
  rows = TopByDistance(VerticesOf(run), run.whole->scores, count, keys);
}

void FillRows(const ResultList& list, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<CountedVertex>& rows) {
  if (FillBySurprise(run, keys, count, rows)) return;
  if (!list.is_of_sets) {
    rows = TopByCount(VerticesOf(run), run.whole->counts, count, keys);
    return;
  }
  const GroupSizes counted = CountMembers(VerticesOf(run), run.whole->groups);
  rows = TopByCount(counted.groups, counted.sizes, count, keys);
}

void FillRows(const ResultList& /*list*/, const CompletedRun& run, const VertexDictionary& keys,
              std::size_t count, std::vector<WeighedVertex>& rows) {
  if (FillBySurprise(run, keys, count, rows)) return;
  rows = TopByWeight(VerticesOf(run), run.whole->weights, count, keys);
}

std::vector<VertexCell> CellsOf(const ResultList& list, const std::string& error,
                                const CompletedRun& run, VertexId vertex,
                                const VertexDictionary& keys) {
  const Asked asked{list, run, vertex, keys};
  if (!list.has_values) return asked.Without(error);
  std::vector<VertexCell> cells = std::visit(asked, list.rows);
  if (list.compared != nullptr && !std::isnan(ScoreIn(*run.whole, vertex))) {
    AddComparison(run, vertex, keys, cells);
  }
  return cells;
}

}  // namespace sash
