#include "windows/jobs/ranking.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "windows/kernels/bfs.h"

namespace sash {
namespace {

struct Candidate {
  double score;  // rounded
  VertexId vertex;
};

// The `count` first of `candidates` by `before`, in order.
template <typename T, typename Before>
void KeepFirst(std::vector<T>& candidates, std::size_t count, const Before& before) {
  count = std::min(count, candidates.size());
  const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::partial_sort(candidates, middle, before);
  candidates.resize(count);
}

// A score that at least `count` vertices reach: nothing below it, rounding aside, can be listed.
double Threshold(std::span<const VertexId> vertices, const std::vector<double>& scores,
                 std::size_t count) {
  if (count >= vertices.size()) return 0;
  std::vector<double> all;
  all.reserve(vertices.size());
  for (const VertexId v : vertices) all.push_back(scores[v]);
  const auto nth = all.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::nth_element(all, nth, std::greater<>());
  constexpr double kRoundingSlack = 1e-8;
  return *nth * (1 - kRoundingSlack);
}

}  // namespace

double RoundedScore(double score) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), score,
                                 std::chars_format::scientific, 8);
  double rounded = score;
  std::from_chars(text.data(), end.ptr, rounded);
  return rounded;
}

std::vector<RankedVertex> TopByScore(std::span<const VertexId> vertices,
                                     const std::vector<double>& scores, std::size_t count,
                                     const VertexDictionary& keys) {
  const double threshold = Threshold(vertices, scores, count);
  std::vector<Candidate> candidates;
  for (const VertexId v : vertices) {
    if (scores[v] >= threshold) candidates.push_back({RoundedScore(scores[v]), v});
  }
  KeepFirst(candidates, count, [&](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : keys.KeyLess(a.vertex, b.vertex);
  });
  std::vector<RankedVertex> top;
  top.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    top.push_back({keys.KeyOf(candidate.vertex), top.size() + 1, scores[candidate.vertex]});
  }
  return top;
}

std::uint64_t RankByScore(std::span<const VertexId> vertices, const std::vector<double>& scores,
                          VertexId vertex, const VertexDictionary& keys) {
  const double score = RoundedScore(scores[vertex]);
  const auto before = std::ranges::count_if(vertices, [&](VertexId v) {
    const double other = RoundedScore(scores[v]);
    return other != score ? other > score : keys.KeyLess(v, vertex);
  });
  return static_cast<std::uint64_t>(before) + 1;
}

std::vector<ReachedVertex> TopByDepth(std::span<const VertexId> vertices,
                                      const std::vector<std::int32_t>& depths, std::size_t count,
                                      const VertexDictionary& keys) {
  std::vector<VertexId> reached;
  for (const VertexId v : vertices) {
    if (depths[v] != kUnreached) reached.push_back(v);
  }
  KeepFirst(reached, count, [&](VertexId a, VertexId b) {
    return depths[a] != depths[b] ? depths[a] < depths[b] : keys.KeyLess(a, b);
  });
  std::vector<ReachedVertex> top;
  top.reserve(reached.size());
  for (const VertexId v : reached) top.push_back({keys.KeyOf(v), top.size() + 1, depths[v]});
  return top;
}

std::uint64_t RankByDepth(std::span<const VertexId> vertices,
                          const std::vector<std::int32_t>& depths, VertexId vertex,
                          const VertexDictionary& keys) {
  const auto before = std::ranges::count_if(vertices, [&](VertexId v) {
    if (depths[v] == kUnreached) return false;
    return depths[v] != depths[vertex] ? depths[v] < depths[vertex] : keys.KeyLess(v, vertex);
  });
  return static_cast<std::uint64_t>(before) + 1;
}

}  // namespace sash
