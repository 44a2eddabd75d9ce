#include "tests/bench/layouts/layout_stream.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "daemon/generate/random.h"

namespace sash::bench {
namespace {

struct KeyedEdge {
  std::uint64_t key = 0;
  std::size_t place = 0;
};

// The first copy of each pair, in the order of the stream.
BenchEdges FirstCopies(const BenchEdges& edges) {
  std::vector<KeyedEdge> keyed(edges.size());
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    keyed[i] = {static_cast<std::uint64_t>(edges.sources[i]) << 32 | edges.targets[i], i};
  }
  std::ranges::stable_sort(keyed, {}, &KeyedEdge::key);
  const auto copies = std::ranges::unique(keyed, {}, &KeyedEdge::key);
  keyed.erase(copies.begin(), copies.end());
  std::ranges::sort(keyed, {}, &KeyedEdge::place);
  BenchEdges first;
  first.id_limit = edges.id_limit;
  for (const KeyedEdge& edge : keyed) {
    first.sources.push_back(edges.sources[edge.place]);
    first.targets.push_back(edges.targets[edge.place]);
  }
  return first;
}

}  // namespace

BenchEdges LayoutStream::Live() const {
  const std::size_t first = slices.size() - length;
  std::vector<std::pair<VertexId, VertexId>> dead;
  for (const auto& now : deaths) {
    for (const Death& death : now) {
      if (death.slice >= first) dead.emplace_back(death.source, death.target);
    }
  }
  std::ranges::sort(dead);
  BenchEdges live;
  live.id_limit = id_limit;
  for (const auto& slice : std::span(slices).subspan(first)) {
    for (std::size_t i = 0; i < slice->size(); ++i) {
      const std::pair edge(slice->sources[i], slice->targets[i]);
      if (std::ranges::binary_search(dead, edge)) continue;
      live.sources.push_back(edge.first);
      live.targets.push_back(edge.second);
    }
  }
  return live;
}

bool LayoutStream::has_deaths() const {
  return std::ranges::any_of(deaths, [](const auto& now) { return !now.empty(); });
}

std::vector<std::shared_ptr<const Slice>> LayoutStream::SlicesWithRemovals() const {
  if (!has_deaths()) return slices;
  std::vector<std::shared_ptr<const Slice>> with;
  for (std::size_t s = 0; s < slices.size(); ++s) {
    auto slice = std::make_shared<Slice>();
    slice->id = slices[s]->id;
    slice->begin = slices[s]->begin;
    slice->end = slices[s]->end;
    const auto append = [&](VertexId source, VertexId target, Operation operation) {
      slice->sources.push_back(source);
      slice->targets.push_back(target);
      slice->operations.push_back(operation);
    };
    for (const Death& death : deaths[s]) append(death.source, death.target, Operation::kRemove);
    for (std::size_t i = 0; i < slices[s]->size(); ++i) {
      append(slices[s]->sources[i], slices[s]->targets[i], Operation::kAdd);
    }
    slice->weights = WeightColumn(slice->size(), WeightColumn::Kind::kOnes);
    with.push_back(std::move(slice));
  }
  return with;
}

LayoutStream KeepStream(const BenchEdges& edges, std::size_t length) {
  LayoutStream stream;
  const std::size_t count = length + length / 2;
  stream.slices = CutIntoSlices(edges, 0, edges.size(), count);
  stream.deaths.resize(count);
  stream.length = length;
  stream.id_limit = edges.id_limit;
  return stream;
}

LayoutStream DyingStream(const BenchEdges& edges, std::size_t length, double share,
                         std::uint64_t seed) {
  LayoutStream stream = KeepStream(FirstCopies(edges), length);
  Xoshiro256 random(seed);
  const Chance dies(share);
  for (std::size_t s = 0; s < stream.slices.size(); ++s) {
    const Slice& slice = *stream.slices[s];
    for (std::size_t i = 0; i < slice.size(); ++i) {
      if (!random.Happens(dies)) continue;
      const std::size_t at = s + 1 + random.Below(length - 1);
      if (at >= stream.slices.size()) continue;
      stream.deaths[at].push_back({slice.sources[i], slice.targets[i], s});
    }
  }
  return stream;
}

}  // namespace sash::bench
