#include "windows/jobs/kinds/external.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/check.h"
#include "windows/jobs/external_answer.h"
#include "windows/jobs/kernel_outputs.h"
#include "windows/jobs/key_order.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

constexpr std::uint64_t kRowBytes = 24;  // its ids, its score, and its place in an order

// values[place] of the vertex with this place in the order of keys, by id.
template <typename Value>
std::vector<Value> ById(const std::vector<Value>& values, const std::vector<VertexId>& by_place,
                        VertexId id_limit, Value missing) {
  SASH_CHECK(values.size() == by_place.size());
  std::vector<Value> by_id(id_limit, missing);
  for (std::size_t place = 0; place < values.size(); ++place) {
    by_id[by_place[place]] = values[place];
  }
  return by_id;
}

// The first rows: by score, greatest first, then by keys.
KernelRun RunOfRows(const ExternalAnswer& answer, const std::vector<VertexId>& by_place,
                    const RunSetting& setting) {
  const ExternalRows& rows = answer.rows;
  const auto id_of = [&](VertexId given) { return answer.by_place ? by_place[given] : given; };
  const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
    if (!rows.scores.empty() && rows.scores[a] != rows.scores[b]) {
      return rows.scores[a] > rows.scores[b];
    }
    const auto& [source_a, target_a] = rows.pairs[a];
    const auto& [source_b, target_b] = rows.pairs[b];
    if (source_a != source_b) return setting.keys.KeyLess(id_of(source_a), id_of(source_b));
    return target_a != target_b && setting.keys.KeyLess(id_of(target_a), id_of(target_b));
  };
  std::vector<std::uint32_t> order(rows.pairs.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  const std::size_t listed = std::min(order.size(), setting.job.top);
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(listed), is_before);
  ChangesOutput output{.since = std::nullopt, .pairs = order.size(), .first = {}};
  for (std::size_t i = 0; i < listed; ++i) {
    const auto& [source, target] = rows.pairs[order[i]];
    PairOfVertices& pair = output.first.emplace_back();
    pair.source = setting.keys.KeyOf(id_of(source));
    pair.target = setting.keys.KeyOf(id_of(target));
    if (!rows.scores.empty()) pair.score = rows.scores[order[i]];
  }
  return {.output = std::move(output)};
}

}  // namespace

ParameterRows<ExternalParameters> RowsOf(const ExternalParameters& /*parameters*/) {
  using Kind = ExternalParameters;
  return {
      {&Kind::returns,
       {"returns",
        "What a worker answers: scores - a number for each vertex; sets - for each vertex the set "
        "that it is in; rows - pairs of vertices, with a number each or without."}},
  };
}

// Both forms of the answer, and the order of keys while it is made.
JobTraits TraitsOf(const ExternalParameters& parameters) {
  const bool has_scores = parameters.returns == ExternalAnswers::kScores;
  JobTraits traits{.edge_bytes = 0, .id_bytes = 72, .has_scores = has_scores};
  if (parameters.returns == ExternalAnswers::kRows) {
    traits.run_bytes = kRowBytes * ExternalAnswer::kMostRows;
    traits.rows = JobTraits::Rows::kPairs;
    traits.row_bytes = sizeof(PairOfVertices);
  }
  return traits;
}

KernelRun RunKernel(const ExternalParameters& parameters, const RunSetting& setting) {
  return VisitView(setting.view, [&](const auto& graph) {
    setting.progress.Begin(RunPhase::kFinishing);
    const std::span<const VertexId> vertices = graph.vertices();
    SASH_CHECK(setting.answer != nullptr || vertices.empty());
    if (parameters.returns == ExternalAnswers::kRows) {
      if (setting.answer == nullptr) return RunOfRows({}, {}, setting);
      std::vector<VertexId> by_place;
      if (setting.answer->by_place) {
        by_place = OrderByKey(setting.view, setting.keys, {}).by_place;
      }
      return RunOfRows(*setting.answer, by_place, setting);
    }
    ExternalAnswer answer;
    if (setting.answer != nullptr) answer = *setting.answer;
    const bool is_of_sets = parameters.returns == ExternalAnswers::kSets;
    if (answer.by_place) {
      const KeyOrder order = OrderByKey(setting.view, setting.keys, {});
      constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
      if (is_of_sets) {
        answer.sets = ById(answer.sets, order.by_place, graph.id_limit(), std::uint32_t{0});
      } else {
        answer.scores = ById(answer.scores, order.by_place, graph.id_limit(), kNone);
      }
    }
    if (is_of_sets) return NumberedSetsRun(vertices, answer.sets, setting);
    return ScoredRun(vertices, std::move(answer.scores), std::nullopt, setting);
  });
}

ResultTable Describe(const ExternalParameters&, const RunResult& result) {
  if (const auto* sets = std::get_if<GroupsOutput>(&result.output)) return TableOf(*sets);
  if (const auto* rows = std::get_if<ChangesOutput>(&result.output)) {
    return {.figures = {{.name = "pairs",
                         .value = rows->pairs,
                         .said = ResultFigure::Said::kBeforeName,
                         .one = "pair"}},
            .lists = {{.name = "top_edges",
                       .rows = &rows->first,
                       .available = rows->first.size(),
                       .tells_scores = true}}};
  }
  return TableOf(std::get<ScoreOutput>(result.output), result.provenance.vertices);
}

}  // namespace sash
