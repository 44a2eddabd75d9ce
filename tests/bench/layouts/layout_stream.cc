#include "tests/bench/layouts/layout_stream.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "daemon/generate/random.h"
#include "windows/store/folded_slice.h"
#include "windows/store/visible_edges.h"

namespace sash::bench {
namespace {

struct KeyedEdge {
  std::uint64_t key = 0;
  std::size_t place = 0;
};

// The edges [begin, end), each pair once, with its copies as its weight.
std::shared_ptr<const Slice> WeighedSlice(const BenchEdges& edges, std::size_t begin,
                                          std::size_t end, std::uint64_t id) {
  std::map<std::pair<VertexId, VertexId>, std::int64_t> copies;
  for (std::size_t i = begin; i < end; ++i) ++copies[{edges.sources[i], edges.targets[i]}];
  auto slice = std::make_shared<Slice>();
  slice->id = SliceId{id};
  slice->begin = static_cast<Position>(id);
  slice->end = slice->begin + 1;
  slice->weights = WeightColumn(copies.size(), WeightColumn::Kind::kIntegers);
  for (const auto& [pair, count] : copies) {
    slice->weights.Set(slice->sources.size(), Weight::Integer(count));
    slice->sources.push_back(pair.first);
    slice->targets.push_back(pair.second);
  }
  return slice;
}

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
  std::vector<std::tuple<std::uint64_t, VertexId, VertexId>> dead;
  for (const auto& now : deaths) {
    for (const Death& death : now) {
      if (death.slice >= first) dead.emplace_back(death.slice, death.source, death.target);
    }
  }
  std::ranges::sort(dead);
  BenchEdges live;
  live.id_limit = id_limit;
  for (std::size_t s = first; s < slices.size(); ++s) {
    const Slice& slice = *slices[s];
    for (std::size_t i = 0; i < slice.size(); ++i) {
      const std::tuple edge(std::uint64_t{s}, slice.sources[i], slice.targets[i]);
      if (std::ranges::binary_search(dead, edge)) continue;
      live.sources.push_back(slice.sources[i]);
      live.targets.push_back(slice.targets[i]);
    }
  }
  return live;
}

std::shared_ptr<const CsrGraph> LayoutStream::WeighedGraph() const {
  return std::make_shared<const CsrGraph>(
      VisibleEdges(std::span(slices).last(length), DuplicatesPolicy::kWeigh, id_limit), id_limit);
}

bool LayoutStream::has_deaths() const {
  return std::ranges::any_of(deaths, [](const auto& now) { return !now.empty(); });
}

StoreSpec LayoutStream::store_spec() const {
  if (weighs) return {.duplicates = DuplicatesPolicy::kWeigh, .removals = false};
  return {.removals = has_deaths()};
}

std::vector<std::shared_ptr<const Slice>> LayoutStream::StoreSlices() const {
  if (weighs || !has_deaths()) return slices;
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

LayoutStream WeighStream(const BenchEdges& edges, std::size_t length) {
  LayoutStream stream;
  const std::size_t count = length + length / 2;
  stream.length = length;
  stream.id_limit = edges.id_limit;
  stream.weighs = true;
  stream.deaths.resize(count);
  std::unordered_map<PairKey, std::size_t> newest;  // the slice of the newest copy
  for (std::size_t s = 0; s < count; ++s) {
    stream.slices.push_back(
        WeighedSlice(edges, edges.size() * s / count, edges.size() * (s + 1) / count, s));
    const Slice& slice = *stream.slices.back();
    for (std::size_t i = 0; i < slice.size(); ++i) {
      const auto [copy, is_new] =
          newest.try_emplace(MakePairKey(slice.sources[i], slice.targets[i]), s);
      // A copy that ages out with this slice need not die.
      if (!is_new && copy->second + length > s) {
        stream.deaths[s].push_back({slice.sources[i], slice.targets[i], copy->second});
      }
      copy->second = s;
    }
  }
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
