#include "windows/store/edges_by_slice.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "windows/base/weight_column.h"

namespace sash {
namespace {

// An edge that passes, and the place of its slice among the parts.
struct CopiedEdge {
  std::size_t part = 0;
  VertexId source = 0;
  VertexId target = 0;
  TypeNumber type = kNoType;
  Weight weight{};
};

// For lists that do not say when edges were born: by the places of all edges, source after source.
std::vector<SliceNumber> BirthsOf(StoreEdges& edges, VertexId id_limit) {
  std::vector<std::size_t> next(id_limit);
  std::size_t size = 0;
  for (VertexId v = 0; v < id_limit; ++v) {
    next[v] = size;
    size += edges.out().alive(v);
  }
  std::vector<SliceNumber> births(size);
  SliceRecords& records = edges.records();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const SliceNumber number = records.at(i).number;
    records.at(i).out.ForEachAlive(
        [](VertexId) {},
        [&](VertexId v, std::uint32_t count) {
          std::fill_n(births.begin() + static_cast<std::ptrdiff_t>(next[v]), count, number);
          next[v] += count;
        });
  }
  return births;
}

void Fill(std::span<const CopiedEdge> edges, Slice& part) {
  WeightColumn::Kind weights = WeightColumn::Kind::kOnes;
  TypeNumber greatest = kNoType;
  for (const CopiedEdge& edge : edges) {
    weights = std::max(weights, WeightColumn::KindOf(edge.weight));
    greatest = std::max(greatest, edge.type);
  }
  part.weights = WeightColumn(edges.size(), weights);
  part.types = TypeColumn(edges.size(), WidthOf(greatest));
  part.sources.reserve(edges.size());
  part.targets.reserve(edges.size());
  for (const CopiedEdge& edge : edges) {
    part.weights.Set(part.sources.size(), edge.weight);
    part.types.Set(part.sources.size(), edge.type);
    part.sources.push_back(edge.source);
    part.targets.push_back(edge.target);
  }
}

}  // namespace

void CopyEdgesBySlice(const NumberedTypeFilters& filters,
                      const std::vector<std::shared_ptr<Slice>>& parts, StoreEdges& edges) {
  if (parts.empty()) return;
  const VertexId id_limit = edges.records().id_limit();
  const bool is_mortal = edges.out().is_mortal();
  std::vector<SliceNumber> births;
  if (!is_mortal) births = BirthsOf(edges, id_limit);
  const SliceNumber first = SliceRecords::NumberOf(*parts.front());
  std::vector<CopiedEdge> copied;
  std::size_t place = 0;
  for (VertexId source = 0; source < id_limit; ++source) {
    edges.out().ForEachAlive(source, [&](const SlotContent& edge) {
      const SliceNumber birth = is_mortal ? edge.birth : births[place++];
      if (birth < first || filters.Of(Operation::kAdd, edge.type) == 0) return;
      copied.push_back({birth - first, source, edge.neighbour, edge.type, edge.weight});
    });
  }
  births = {};
  std::ranges::stable_sort(copied, {}, &CopiedEdge::part);
  for (auto begin = copied.begin(); begin != copied.end();) {
    const auto end = std::find_if(begin, copied.end(),
                                  [&](const CopiedEdge& edge) { return edge.part != begin->part; });
    Fill({begin, end}, *parts[begin->part]);
    begin = end;
  }
}

}  // namespace sash
