#include "connectors/export/window_outline.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sash {
namespace {

// Counts edges, and notes kinds of weights and types.
template <typename Graph>
bool SurveyEdges(const Graph& graph, const std::stop_token& stop, WindowOutline& outline,
                 std::vector<bool>& used) {
  constexpr VertexId kBetweenStops = 4096;
  Weight first;
  bool is_same = true;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
  for (VertexId v = 0; v < graph.id_limit(); ++v) {  // the order of lists in memory
    if (v % kBetweenStops == 0 && stop.stop_requested()) return false;
    if (graph.out_degree(v) == 0) continue;
    for (const auto& neighbor : graph.weighted_out(v)) {
      if (outline.edges++ == 0) first = neighbor.weight;
      is_same = is_same && neighbor.weight == first;
      if (neighbor.weight.is_integer()) {
        least = std::min(least, neighbor.weight.integer());
        greatest = std::max(greatest, neighbor.weight.integer());
      } else {
        outline.has_reals = true;
      }
      used[neighbor.type] = true;
    }
  }
  if (is_same) outline.only_weight = first;
  if (least <= greatest) {
    outline.least_integer = least;
    outline.greatest_integer = greatest;
  }
  return true;
}

void ListTypes(const std::vector<bool>& used, const TypeTable& types, WindowOutline& outline) {
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

Result<WindowOutline> OutlineOf(const WindowView& view, const VertexDictionary& keys,
                                const std::stop_token& stop) {
  WindowOutline outline{.kind = keys.kind(), .order = OrderByKey(view, keys, stop)};
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
