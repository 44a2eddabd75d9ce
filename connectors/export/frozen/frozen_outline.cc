#include "connectors/export/frozen/frozen_outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sash {
namespace {

constexpr std::uint64_t kMostInt32 = std::numeric_limits<std::int32_t>::max();

// Of positions up to `most`.
NpyType PositionType(std::uint64_t most) {
  return most <= kMostInt32 ? NpyType::kInt32 : NpyType::kInt64;
}

NpyType TypePlaceType(std::size_t words) {
  if (words <= 1 << 8) return NpyType::kUint8;
  return words <= 1 << 16 ? NpyType::kUint16 : NpyType::kInt32;
}

struct FrozenDirectionNames {
  std::string_view starts;
  std::string_view neighbours;
  std::string_view weights;
  std::string_view types;
};

FrozenDirection DirectionOf(const FrozenOutline& of, const FrozenDirectionNames& names) {
  return {{names.starts, PositionType(of.edges), of.vertices() + 1},
          {names.neighbours, NpyType::kInt32, of.edges},
          {names.weights, of.has_reals ? NpyType::kFloat64 : NpyType::kInt64, of.edges},
          {names.types, TypePlaceType(of.words.size()), of.has_types() ? of.edges : 0}};
}

// Counts edges, and notes kinds of weights and types.
template <typename Graph>
bool SurveyEdges(const Graph& graph, const std::stop_token& stop, FrozenOutline& outline,
                 std::vector<bool>& used) {
  constexpr std::size_t kBetweenStops = 4096;
  std::size_t read = 0;
  Weight first;
  bool is_same = true;
  for (const VertexId v : outline.order.by_place) {
    if (read++ % kBetweenStops == 0 && stop.stop_requested()) return false;
    for (const auto& neighbor : graph.weighted_out(v)) {
      if (outline.edges++ == 0) first = neighbor.weight;
      is_same = is_same && neighbor.weight == first;
      if (!neighbor.weight.is_integer()) outline.has_reals = true;
      used[neighbor.type] = true;
    }
  }
  if (is_same) outline.only_weight = first;
  return true;
}

void ListTypes(const std::vector<bool>& used, const TypeTable& types, FrozenOutline& outline) {
  std::vector<std::pair<std::string_view, TypeNumber>> words;
  for (TypeNumber type = 1; type < used.size(); ++type) {
    if (used[type]) words.emplace_back(types.WordOf(type), type);
  }
  std::ranges::sort(words);
  outline.words = {""};
  outline.type_places.assign(used.size(), 0);
  for (const auto& [word, type] : words) {
    outline.type_places[type] = static_cast<std::uint32_t>(outline.words.size());
    outline.words.push_back(word);
  }
}

}  // namespace

FrozenDirection FrozenOutline::out() const {
  return DirectionOf(*this,
                     {"out.indptr.npy", "out.indices.npy", "out.weights.npy", "out.types.npy"});
}

FrozenDirection FrozenOutline::in() const {
  return DirectionOf(*this, {"in.indptr.npy", "in.indices.npy", "in.weights.npy", "in.types.npy"});
}

NpyColumn FrozenOutline::integer_keys() const { return {"keys.npy", NpyType::kInt64, vertices()}; }

NpyColumn FrozenOutline::key_offsets() const {
  return {"keys.offsets.npy", PositionType(key_bytes), vertices() + 1};
}

NpyColumn FrozenOutline::key_texts() const {
  return {"keys.bytes.npy", NpyType::kUint8, key_bytes};
}

std::vector<NpyColumn> FrozenOutline::Columns() const {
  std::vector<NpyColumn> columns;
  for (const FrozenDirection& each : {out(), in()}) {
    columns.insert(columns.end(), {each.starts, each.neighbours, each.weights});
    if (has_types()) columns.push_back(each.types);
  }
  if (kind == KeyKind::kInteger) {
    columns.push_back(integer_keys());
  } else {
    columns.insert(columns.end(), {key_offsets(), key_texts()});
  }
  return columns;
}

std::uint64_t FrozenOutline::bytes() const {
  std::uint64_t bytes = 0;
  for (const NpyColumn& column : Columns()) bytes += InPages(column.bytes());
  return bytes;
}

Result<FrozenOutline> OutlineOf(const WindowView& view, const VertexDictionary& keys,
                                const std::stop_token& stop) {
  FrozenOutline outline{.kind = keys.kind(), .order = OrderByKey(view, keys, stop)};
  if (outline.vertices() > kMostInt32) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the window has {} vertices, and a frozen snapshot holds at most {}",
                             outline.vertices(), kMostInt32)};
  }
  std::vector<bool> used(keys.types().size() + 1);
  const bool whole =
      VisitView(view, [&](const auto& graph) { return SurveyEdges(graph, stop, outline, used); });
  if (!whole || stop.stop_requested()) return Error{ErrorCode::kUnavailable, "was stopped"};
  if (outline.kind == KeyKind::kString) {
    for (const VertexId v : outline.order.by_place) outline.key_bytes += keys.TextOf(v).size();
  }
  ListTypes(used, keys.types(), outline);
  return outline;
}

}  // namespace sash
