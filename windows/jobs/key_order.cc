#include "windows/jobs/key_order.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "windows/base/radix_sort.h"

namespace sash {
namespace {

// The beginning of a key as a number in the same order, so that most comparisons read no key.
struct KeyBeginning {
  std::uint64_t beginning = 0;
  VertexId vertex = 0;
};

std::uint64_t BeginningOf(std::string_view text) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text.data(), std::min(text.size(), sizeof bytes));
  return __builtin_bswap64(bytes);  // little-endian: the first byte becomes the highest
}

std::uint64_t BeginningOf(std::int64_t number) {
  return static_cast<std::uint64_t>(number) ^ (std::uint64_t{1} << 63);
}

KeyBeginning BeginningOf(VertexId v, const VertexDictionary& keys) {
  const bool is_text = keys.kind() == KeyKind::kString;
  return {is_text ? BeginningOf(keys.TextOf(v)) : BeginningOf(keys.IntegerOf(v)), v};
}

template <typename Graph>
std::vector<KeyBeginning> BeginningsOf(const Graph& graph, const VertexDictionary& keys,
                                       const std::stop_token& stop) {
  constexpr VertexId kBetweenStops = 1 << 16;
  std::vector<KeyBeginning> all;
  for (VertexId v = 0; v < graph.id_limit(); ++v) {
    if (v % kBetweenStops == 0 && stop.stop_requested()) break;
    if (graph.out_degree(v) == 0 && graph.in_degree(v) == 0) continue;
    all.push_back(BeginningOf(v, keys));
  }
  return all;
}

void SortByKey(std::vector<KeyBeginning>& all, const VertexDictionary& keys) {
  RadixSort(all, [](const KeyBeginning& key) { return key.beginning; });
  if (keys.kind() == KeyKind::kString) {
    for (auto first = all.begin(); first != all.end();) {
      const auto last = std::find_if(
          first, all.end(), [&](const auto& key) { return key.beginning != first->beginning; });
      std::sort(first, last,
                [&](const auto& a, const auto& b) { return keys.KeyLess(a.vertex, b.vertex); });
      first = last;
    }
  }
}

}  // namespace

KeyOrder OrderByKey(const WindowView& view, const VertexDictionary& keys,
                    const std::stop_token& stop) {
  std::vector<KeyBeginning> all =
      VisitView(view, [&](const auto& graph) { return BeginningsOf(graph, keys, stop); });
  SortByKey(all, keys);
  KeyOrder order;
  order.by_place.reserve(all.size());
  order.places.resize(VisitView(view, [](const auto& graph) { return graph.id_limit(); }));
  for (const KeyBeginning& key : all) {
    order.places[key.vertex] = static_cast<std::uint32_t>(order.by_place.size());
    order.by_place.push_back(key.vertex);
  }
  return order;
}

std::vector<VertexId> ByKey(std::span<const VertexId> vertices, const VertexDictionary& keys) {
  std::vector<KeyBeginning> all;
  all.reserve(vertices.size());
  for (const VertexId v : vertices) all.push_back(BeginningOf(v, keys));
  SortByKey(all, keys);
  std::vector<VertexId> ordered;
  ordered.reserve(all.size());
  for (const KeyBeginning& key : all) ordered.push_back(key.vertex);
  return ordered;
}

}  // namespace sash
