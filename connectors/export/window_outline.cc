#include "connectors/export/window_outline.h"

#include <algorithm>
#include <utility>

namespace sash {
namespace {

// Counts edges, and notes kinds of weights and types.
template <typename Graph>
bool SurveyEdges(const Graph& graph, const std::stop_token& stop, WindowOutline& outline,
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
