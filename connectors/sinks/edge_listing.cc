#include "connectors/sinks/edge_listing.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace sash {
namespace {

struct Target {
  std::uint32_t rank = 0;  // position of its key in key order
  std::string_view type;
  Weight weight;
};

// Orders weights by value; of equal values the integer comes first, so that the order is total.
bool Before(const Target& a, const Target& b) {
  if (a.rank != b.rank) return a.rank < b.rank;
  if (a.type != b.type) return a.type < b.type;
  if (a.weight < b.weight) return true;
  if (b.weight < a.weight) return false;
  return a.weight.is_integer() && !b.weight.is_integer();
}

void WriteKey(VertexId id, const VertexDictionary& keys, JsonText& json) {
  if (keys.kind() == KeyKind::kInteger) {
    json.Integer(keys.IntegerOf(id));
  } else {
    json.Text(keys.TextOf(id));
  }
}

template <typename Graph>
void WriteEdgesOf(const Graph& graph, const VertexDictionary& keys, JsonText& json) {
  // Keys are compared only to sort the vertices; edges are then ordered by the ranks of the keys.
  std::vector<VertexId> by_key(graph.vertices().begin(), graph.vertices().end());
  std::ranges::sort(by_key, [&](VertexId a, VertexId b) { return keys.KeyLess(a, b); });
  std::vector<std::uint32_t> ranks(graph.id_limit());
  for (std::size_t i = 0; i < by_key.size(); ++i) ranks[by_key[i]] = static_cast<VertexId>(i);
  std::vector<Target> row;
  for (const VertexId source : by_key) {
    row.clear();
    for (const auto& neighbor : graph.weighted_out(source)) {
      row.push_back({ranks[neighbor.vertex], keys.types().WordOf(neighbor.type), neighbor.weight});
    }
    std::ranges::sort(row, Before);
    for (const Target& target : row) {
      json.BeginObject().Key("source");
      WriteKey(source, keys, json);
      json.Key("target");
      WriteKey(by_key[target.rank], keys, json);
      json.Key("weight").WeightValue(target.weight);
      if (!target.type.empty()) json.Key("type").Text(target.type);
      json.EndObject();
    }
  }
}

}  // namespace

void WriteEdges(const WindowView& view, const VertexDictionary& keys, JsonText& json) {
  json.BeginArray();
  VisitView(view, [&](const auto& graph) { WriteEdgesOf(graph, keys, json); });
  json.EndArray();
}

}  // namespace sash
