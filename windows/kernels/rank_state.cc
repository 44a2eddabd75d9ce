#include "windows/kernels/rank_state.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "windows/base/parallel.h"

namespace sash {
namespace {

using Row = InRuns::Row;

LargeArray<double> WithZeros(const LargeArray<double>& numbers, std::size_t size) {
  LargeArray<double> longer(size);
  std::fill(std::copy(numbers.begin(), numbers.end(), longer.begin()), longer.end(), 0.0);
  return longer;
}

}  // namespace

double RankState::BaseOf(const InRuns& edges, int threads) const {
  const auto given_out =
      ParallelSum<double>(edges.block_count(), 1, threads, [&](std::size_t block, std::size_t) {
        double sum = 0;
        edges.ForEachRow(block, [&](Row row) { sum += given[row] * edges.out_degree(row); });
        return sum;
      });
  return (1 - damping * given_out) / static_cast<double>(edges.vertex_count());
}

void RankState::Follow(const InRuns& edges, int threads) {
  const std::size_t known = ranks.size();
  if (edges.row_limit() > known) given = WithZeros(given, edges.row_limit());
  const double now = BaseOf(edges, threads);
  const double raised = now - base;
  RankState next{.damping = damping,
                 .base = now,
                 .ranks = LargeArray<double>(edges.row_limit()),
                 .given = LargeArray<double>(edges.row_limit())};
  ParallelBlocks(edges.row_limit(), RowChanges::kBlock, threads,
                 [&](std::size_t block, std::size_t first, std::size_t last) {
                   const RowChanges::Sums sums = edges.SumNewest(block, given.data());
                   std::fill(next.ranks.begin() + first, next.ranks.begin() + last, 0.0);
                   std::fill(next.given.begin() + first, next.given.begin() + last, 0.0);
                   edges.ForEachRow(block, [&](Row row) {
                     const bool is_known = row < known && ranks[row] > 0;
                     next.ranks[row] =
                         (is_known ? ranks[row] + raised : now) + damping * sums[row - first];
                     if (edges.out_degree(row) > 0) next.given[row] = given[row];
                   });
                 });
  *this = std::move(next);
}

void RankState::Renumber(const InRuns& edges, const LargeArray<VertexId>& ids, VertexId id_limit) {
  LargeArray<Row> rows(id_limit);
  for (Row row = 0; row < ids.size(); ++row) {
    if (ids[row] < id_limit) rows[ids[row]] = row;
  }
  LargeArray<double> ranks_by_row(edges.row_limit());
  LargeArray<double> given_by_row(edges.row_limit());
  for (Row row = 0; row < edges.row_limit(); ++row) {
    const Row old = rows[edges.id(row)];
    ranks_by_row[row] = ranks[old];
    given_by_row[row] = given[old];
  }
  ranks = std::move(ranks_by_row);
  given = std::move(given_by_row);
}

}  // namespace sash
