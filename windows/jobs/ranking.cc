#include "windows/jobs/ranking.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "windows/base/finite_weight.h"
#include "windows/base/radix_sort.h"
#include "windows/kernels/bfs.h"
#include "windows/kernels/sssp.h"

namespace sash {
namespace {

struct Candidate {
  double score;  // rounded
  VertexId vertex;
};

// A weight as results compare it: an integer is exactly `number` + `rest`; another is rounded.
struct WeightCandidate {
  double number;
  std::int32_t rest;
  VertexId vertex;
};

WeightCandidate CandidateOf(Weight weight, VertexId vertex) {
  if (!weight.is_integer()) return {RoundedScore(weight.AsDouble()), 0, vertex};
  const double number = weight.AsDouble();
  const WideInteger rest = weight.integer() - static_cast<WideInteger>(number);
  return {number, static_cast<std::int32_t>(rest), vertex};
}

bool IsBefore(const WeightCandidate& a, const WeightCandidate& b, const VertexDictionary& keys) {
  if (a.number != b.number) return a.number > b.number;
  return a.rest != b.rest ? a.rest > b.rest : keys.KeyLess(a.vertex, b.vertex);
}

// The beginning of a key, in the order of keys: most keys differ in it.
struct Prefixed {
  std::uint64_t prefix;
  VertexId vertex;
};

std::uint64_t PrefixOf(VertexId v, const VertexDictionary& keys) {
  if (keys.kind() == KeyKind::kInteger) {
    return static_cast<std::uint64_t>(keys.IntegerOf(v)) ^ std::uint64_t{1} << 63;
  }
  const std::string_view text = keys.TextOf(v);
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < sizeof(prefix); ++i) {
    prefix = prefix << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0u);
  }
  return prefix;
}

// The first `count` of `candidates` by `before`, in order.
template <typename T, typename Before>
void KeepFirst(std::vector<T>& candidates, std::size_t count, const Before& before) {
  count = std::min(count, candidates.size());
  const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::partial_sort(candidates, middle, before);
  candidates.resize(count);
}

constexpr double kRoundingSlack = 1e-8;

// A number that at least `count` finite weights reach. Lower weights, rounding aside, are not
// listed.
double LeastListed(std::span<const VertexId> vertices, const std::vector<Weight>& weights,
                   std::size_t count) {
  std::vector<double> all;
  all.reserve(vertices.size());
  for (const VertexId v : vertices) {
    if (IsFinite(weights[v])) all.push_back(weights[v].AsDouble());
  }
  if (count >= all.size()) return std::numeric_limits<double>::lowest();
  const auto nth = all.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::nth_element(all, nth, std::greater<>());
  return *nth - kRoundingSlack * std::abs(*nth);
}

// A score that at least `count` vertices reach. Lower scores, rounding aside, are not listed.
double Threshold(std::span<const VertexId> vertices, const std::vector<double>& scores,
                 std::size_t count) {
  if (count >= vertices.size()) return 0;
  std::vector<double> all;
  all.reserve(vertices.size());
  for (const VertexId v : vertices) all.push_back(scores[v]);
  const auto nth = all.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::nth_element(all, nth, std::greater<>());
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

std::vector<WeighedVertex> TopByWeight(std::span<const VertexId> vertices,
                                       const std::vector<Weight>& weights, std::size_t count,
                                       const VertexDictionary& keys) {
  const double least = LeastListed(vertices, weights, count);
  const auto is_listed = [&](VertexId v) {
    return IsFinite(weights[v]) && weights[v].AsDouble() >= least;
  };
  std::vector<WeightCandidate> candidates;
  candidates.reserve(static_cast<std::size_t>(std::ranges::count_if(vertices, is_listed)));
  for (const VertexId v : vertices) {
    if (is_listed(v)) candidates.push_back(CandidateOf(weights[v], v));
  }
  KeepFirst(candidates, count, [&](const WeightCandidate& a, const WeightCandidate& b) {
    return IsBefore(a, b, keys);
  });
  std::vector<WeighedVertex> top;
  top.reserve(candidates.size());
  for (const WeightCandidate& candidate : candidates) {
    top.push_back({keys.KeyOf(candidate.vertex), top.size() + 1, weights[candidate.vertex]});
  }
  return top;
}

std::uint64_t RankByWeight(std::span<const VertexId> vertices, const std::vector<Weight>& weights,
                           VertexId vertex, const VertexDictionary& keys) {
  const WeightCandidate asked = CandidateOf(weights[vertex], vertex);
  const auto before = std::ranges::count_if(vertices, [&](VertexId v) {
    return IsFinite(weights[v]) && IsBefore(CandidateOf(weights[v], v), asked, keys);
  });
  return static_cast<std::uint64_t>(before) + 1;
}

std::vector<VertexId> GreatestFirst(std::span<const VertexId> vertices,
                                    const std::vector<double>& values, std::size_t count,
                                    const VertexDictionary& keys) {
  constexpr double kLast = -std::numeric_limits<double>::infinity();
  const auto value_of = [&](VertexId v) { return std::isnan(values[v]) ? kLast : values[v]; };
  double least = kLast;
  if (count < vertices.size()) {
    std::vector<double> all;
    all.reserve(vertices.size());
    for (const VertexId v : vertices) all.push_back(value_of(v));
    const auto nth = all.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::nth_element(all, nth, std::greater<>());
    if (std::isfinite(*nth)) least = *nth - kRoundingSlack * std::abs(*nth);
  }
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

std::vector<std::uint64_t> RanksAmong(std::span<const double> scores,
                                      std::span<const double> asked) {
  std::vector<double> limits;  // rounded, ascending, each once
  for (const double score : asked) {
    if (!std::isnan(score)) limits.push_back(RoundedScore(score));
  }
  std::ranges::sort(limits);
  const auto repeated = std::ranges::unique(limits);
  limits.erase(repeated.begin(), repeated.end());
  // below[i]: how many scores are greater than i limits. Rounding is slow, and matters only for a
  // score close to a limit.
  const auto is_close = [](double limit, double score) {
    return std::abs(limit - score) <= kRoundingSlack * std::abs(limit);
  };
  std::vector<std::uint64_t> below(limits.size() + 1);
  for (const double score : scores) {
    if (std::isnan(score)) continue;
    auto place = std::ranges::lower_bound(limits, score);
    const bool is_near = (place != limits.end() && is_close(*place, score)) ||
                         (place != limits.begin() && is_close(*std::prev(place), score));
    if (is_near) place = std::ranges::lower_bound(limits, RoundedScore(score));
    ++below[static_cast<std::size_t>(place - limits.begin())];
  }
  for (std::size_t i = limits.size(); i-- > 0;) below[i] += below[i + 1];
  std::vector<std::uint64_t> ranks;
  ranks.reserve(asked.size());
  for (const double score : asked) {
    if (std::isnan(score)) {
      ranks.push_back(0);
      continue;
    }
    const auto place = std::ranges::lower_bound(limits, RoundedScore(score)) - limits.begin();
    ranks.push_back(1 + below[static_cast<std::size_t>(place) + 1]);
  }
  return ranks;
}

std::vector<VertexId> ByKey(std::span<const VertexId> vertices, const VertexDictionary& keys) {
  std::vector<Prefixed> prefixed;
  prefixed.reserve(vertices.size());
  for (const VertexId v : vertices) prefixed.push_back({PrefixOf(v, keys), v});
  RadixSort(prefixed, [](const Prefixed& p) { return p.prefix; });
  for (auto begin = prefixed.begin(); begin != prefixed.end();) {
    const auto end = std::find_if(begin, prefixed.end(),
                                  [&](const Prefixed& p) { return p.prefix != begin->prefix; });
    if (end - begin > 1) {
      std::sort(begin, end, [&](const Prefixed& a, const Prefixed& b) {
        return keys.KeyLess(a.vertex, b.vertex);
      });
    }
    begin = end;
  }
  std::vector<VertexId> ordered;
  ordered.reserve(prefixed.size());
  for (const Prefixed& p : prefixed) ordered.push_back(p.vertex);
  return ordered;
}

}  // namespace sash
