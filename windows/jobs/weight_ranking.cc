#include "windows/jobs/weight_ranking.h"

#include <algorithm>

#include "windows/base/finite_weight.h"
#include "windows/jobs/first_listed.h"
#include "windows/jobs/rounded_score.h"

namespace sash {
namespace {

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

std::vector<double> FiniteNumbers(std::span<const VertexId> vertices,
                                  const std::vector<Weight>& weights) {
  std::vector<double> numbers;
  numbers.reserve(vertices.size());
  for (const VertexId v : vertices) {
    if (IsFinite(weights[v])) numbers.push_back(weights[v].AsDouble());
  }
  return numbers;
}

}  // namespace

std::vector<WeighedVertex> TopByWeight(std::span<const VertexId> vertices,
                                       const std::vector<Weight>& weights, std::size_t count,
                                       const VertexDictionary& keys) {
  const double least = LeastListed(FiniteNumbers(vertices, weights), count);
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

}  // namespace sash
