#include "windows/kernels/biased_pagerank.h"

#include <cmath>
#include <utility>

#include "windows/kernels/rows/rank_iterations.h"

namespace sash::biased_pagerank {
namespace {

// The value that SumRows() reads for the out-edges of a vertex of this rank; none for a sink.
std::optional<double> HandedOut(const InRuns& edges, InRuns::Row row, double rank) {
  const std::uint32_t degree = edges.out_degree(row);
  if (degree == 0) return std::nullopt;
  return rank / degree;
}

std::optional<double> HandedOut(const ShareRows& edges, ShareRows::Row row, double rank) {
  if (edges.is_sink(row)) return std::nullopt;
  return rank;
}

template <typename Edges>
class BiasedIteration {
 public:
  using Row = typename Edges::Row;

  BiasedIteration(const Edges& edges, const Beginnings& beginnings,
                  const BiasedPageRankOptions& options)
      : edges_(edges),
        beginnings_(beginnings),
        options_(options),
        ranks_(edges.row_limit()),
        parts_(edges.row_limit()),
        next_parts_(edges.row_limit()) {
    follows_ = SumOfBlocks(edges_, options_.threads, [&](std::size_t block) {
                 Pulled here;
                 edges_.ForEachRow(block, [&](Row row) {
                   ranks_[row] = beginning(row);
                   HandOut(row, parts_, here);
                 });
                 return here;
               }).handed_out;
  }

  // Returns the L1 change.
  double Next() {
    const double restart_share = 1 - options_.damping * follows_;
    const Pulled pulled = SumOfBlocks(edges_, options_.threads, [&](std::size_t block) {
      Pulled here;
      edges_.SumRows(block, parts_.data(), [&](Row row, double sum) {
        const double rank = restart_share * beginning(row) + options_.damping * sum;
        here.change += std::abs(rank - ranks_[row]);
        ranks_[row] = rank;
        HandOut(row, next_parts_, here);
      });
      return here;
    });
    follows_ = pulled.handed_out;
    std::swap(parts_, next_parts_);
    return pulled.change;
  }

  double rank(Row row) const { return ranks_[row]; }

 private:
  double beginning(Row row) const { return beginnings_.parts[edges_.id(row)]; }

  void HandOut(Row row, LargeArray<double>& parts, Pulled& pulled) {
    const std::optional<double> part = HandedOut(edges_, row, ranks_[row]);
    parts[row] = part.value_or(0);
    if (part) pulled.handed_out += ranks_[row];
  }

  const Edges& edges_;
  const Beginnings& beginnings_;
  const BiasedPageRankOptions& options_;
  // By row.
  LargeArray<double> ranks_;
  LargeArray<double> parts_;
  LargeArray<double> next_parts_;
  double follows_ = 0;
};

template <typename Edges>
void RunBiased(const Edges& edges, const Beginnings& beginnings,
               const BiasedPageRankOptions& options, BiasedPageRankResult& result) {
  BiasedIteration<Edges> iteration(edges, beginnings, options);
  const auto id_limit = static_cast<VertexId>(beginnings.parts.size());
  RunToTolerance(edges, iteration, id_limit, options, result);
}

}  // namespace

void Rank(const InRuns& edges, const Beginnings& beginnings, const BiasedPageRankOptions& options,
          BiasedPageRankResult& result) {
  RunBiased(edges, beginnings, options, result);
}

void Rank(const ShareRows& edges, const Beginnings& beginnings,
          const BiasedPageRankOptions& options, BiasedPageRankResult& result) {
  RunBiased(edges, beginnings, options, result);
}

}  // namespace sash::biased_pagerank
