#include "windows/kernels/rows/rank_state.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "windows/base/parallel.h"

namespace sash {
namespace {

using Row = InRuns::Row;

void GrowWithZeros(LargeArray<double>& numbers, std::size_t size) {
  const std::size_t known = numbers.size();
  if (size <= known) return;
  numbers.Grow(size);
  std::fill(numbers.begin() + known, numbers.end(), 0.0);
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
  GrowWithZeros(ranks, edges.row_limit());
  GrowWithZeros(given, edges.row_limit());
  const double now = BaseOf(edges, threads);
  const double raised = now - std::exchange(base, now);
  ParallelBlocks(edges.block_count(), 1, threads, [&](std::size_t block, std::size_t, std::size_t) {
    const RowChanges::Sums sums = edges.SumNewest(block, given.data());
    const Row first = edges.FirstRow(block);
    Row next = first;
    const auto clear = [&](Row end) {
      for (; next < end; ++next) ranks[next] = 0;
    };
    edges.ForEachRow(block, [&](Row row) {
      clear(row);
      ranks[row] = (ranks[row] > 0 ? ranks[row] + raised : now) + damping * sums[row - first];
      next = row + 1;
    });
    clear(edges.FirstRow(block + 1));
  });
  // Only after all lookups of `given`: a row without out-edges has given nothing.
  ParallelBlocks(edges.block_count(), 1, threads, [&](std::size_t block, std::size_t, std::size_t) {
    for (Row row = edges.FirstRow(block); row < edges.FirstRow(block + 1); ++row) {
      if (edges.out_degree(row) == 0) given[row] = 0;
    }
  });
}

void RankState::Renumber(const InRuns& edges, std::span<const VertexId> ids, VertexId id_limit,
                         int threads) {
  LargeArray<Row> rows(id_limit);
  for (Row row = 0; row < ids.size(); ++row) {
    if (ids[row] < id_limit) rows[ids[row]] = row;
  }
  LargeArray<double> ranks_by_row(edges.row_limit());
  LargeArray<double> given_by_row(edges.row_limit());
  ParallelBlocks(edges.block_count(), 1, threads, [&](std::size_t block, std::size_t, std::size_t) {
    edges.ForEachRow(block, [&](Row row) {
      const Row old = rows[edges.id(row)];
      ranks_by_row[row] = ranks[old];
      given_by_row[row] = given[old];
    });
  });
  ranks = std::move(ranks_by_row);
  given = std::move(given_by_row);
}

}  // namespace sash
