#include "windows/jobs/ranking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "windows/jobs/first_listed.h"
#include "windows/jobs/rounded_score.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/sssp.h"

namespace sash {
namespace {

struct Candidate {
  double score;  // rounded
  VertexId vertex;
};

// LeastListed() of value_of(v); copies no values when all vertices are listed.
double LeastListedOf(std::span<const VertexId> vertices, std::size_t count, const auto& value_of) {
  std::vector<double> values;
  if (count < vertices.size()) {
    values.reserve(vertices.size());
    for (const VertexId v : vertices) values.push_back(value_of(v));
  }
  return LeastListed(std::move(values), count);
}

}  // namespace

std::vector<VertexId> HavingScore(std::span<const VertexId> vertices,
                                  const std::vector<double>& scores) {
  std::vector<VertexId> having;
  std::ranges::copy_if(vertices, std::back_inserter(having),
                       [&](VertexId v) { return !std::isnan(scores[v]); });
  return having;
}

std::vector<RankedVertex> TopByScore(std::span<const VertexId> vertices,
                                     const std::vector<double>& scores, std::size_t count,
                                     const VertexDictionary& keys) {
  const double least = LeastListedOf(vertices, count, [&](VertexId v) { return scores[v]; });
  std::vector<Candidate> candidates;
  for (const VertexId v : vertices) {
    if (scores[v] >= least) candidates.push_back({RoundedScore(scores[v]), v});
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

std::vector<RatedVertex> TopByRating(std::span<const VertexId> vertices,
                                     const std::vector<double>& scores,
                                     const std::vector<double>& others, std::size_t count,
                                     const VertexDictionary& keys) {
  std::vector<RankedVertex> ranked = TopByScore(vertices, scores, count, keys);
  std::vector<RatedVertex> top;
  top.reserve(ranked.size());
  for (RankedVertex& row : ranked) {
    const double other = others[*keys.Find(row.key)];
    top.push_back({std::move(row.key), row.rank, row.score, other});
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

std::vector<VertexId> NearestFirst(std::span<const VertexId> vertices,
                                   const std::vector<std::int32_t>& depths, std::size_t count,
                                   const VertexDictionary& keys) {
  std::vector<VertexId> reached;
  for (const VertexId v : vertices) {
    if (depths[v] != kUnreached) reached.push_back(v);
  }
  KeepFirst(reached, count, [&](VertexId a, VertexId b) {
    return depths[a] != depths[b] ? depths[a] < depths[b] : keys.KeyLess(a, b);
  });
  return reached;
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

std::vector<CountedVertex> TopByCount(std::span<const VertexId> vertices,
                                      const std::vector<std::uint64_t>& counts, std::size_t count,
                                      const VertexDictionary& keys) {
  std::uint64_t least = 0;  // the least count that is listed
  if (count < vertices.size()) {
    std::vector<std::uint64_t> all;
    all.reserve(vertices.size());
    for (const VertexId v : vertices) all.push_back(counts[v]);
    const auto nth = all.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::nth_element(all, nth, std::greater<>());
    least = *nth;
  }
  std::vector<VertexId> candidates;
  for (const VertexId v : vertices) {
    if (counts[v] >= least) candidates.push_back(v);
  }
  KeepFirst(candidates, count, [&](VertexId a, VertexId b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : keys.KeyLess(a, b);
  });
  std::vector<CountedVertex> top;
  top.reserve(candidates.size());
  for (const VertexId v : candidates) top.push_back({keys.KeyOf(v), top.size() + 1, counts[v]});
  return top;
}

std::uint64_t RankByCount(std::span<const VertexId> vertices,
                          const std::vector<std::uint64_t>& counts, VertexId vertex,
                          const VertexDictionary& keys) {
  const auto before = std::ranges::count_if(vertices, [&](VertexId v) {
    return counts[v] != counts[vertex] ? counts[v] > counts[vertex] : keys.KeyLess(v, vertex);
  });
  return static_cast<std::uint64_t>(before) + 1;
}

std::vector<DistantVertex> TopByDistance(std::span<const VertexId> vertices,
                                         const std::vector<double>& distances, std::size_t count,
                                         const VertexDictionary& keys) {
  std::vector<Candidate> candidates;
  for (const VertexId v : vertices) {
    if (distances[v] < kUnreachedDistance) candidates.push_back({RoundedScore(distances[v]), v});
  }
  KeepFirst(candidates, count, [&](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score < b.score : keys.KeyLess(a.vertex, b.vertex);
  });
  std::vector<DistantVertex> top;
  top.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    top.push_back({keys.KeyOf(candidate.vertex), top.size() + 1, distances[candidate.vertex]});
  }
  return top;
}

std::uint64_t RankByDistance(std::span<const VertexId> vertices,
                             const std::vector<double>& distances, VertexId vertex,
                             const VertexDictionary& keys) {
  const double distance = RoundedScore(distances[vertex]);
  const auto before = std::ranges::count_if(vertices, [&](VertexId v) {
    const double other = RoundedScore(distances[v]);
    return other != distance ? other < distance : keys.KeyLess(v, vertex);
  });
  return static_cast<std::uint64_t>(before) + 1;
}

std::vector<VertexId> GreatestFirst(std::span<const VertexId> vertices,
                                    const std::vector<double>& values, std::size_t count,
                                    const VertexDictionary& keys) {
  constexpr double kLast = -std::numeric_limits<double>::infinity();
  const auto value_of = [&](VertexId v) { return std::isnan(values[v]) ? kLast : values[v]; };
  const double least = LeastListedOf(vertices, count, value_of);
  std::vector<Candidate> candidates;
  for (const VertexId v : vertices) {
    const double value = value_of(v);
    if (value < least) continue;
    candidates.push_back({std::isfinite(value) ? RoundedScore(value) : value, v});
  }
  KeepFirst(candidates, count, [&](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : keys.KeyLess(a.vertex, b.vertex);
  });
  std::vector<VertexId> first;
  first.reserve(candidates.size());
  for (const Candidate& candidate : candidates) first.push_back(candidate.vertex);
  return first;
}

}  // namespace sash