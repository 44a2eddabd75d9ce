#include "windows/jobs/plugin/plugin_answer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sash {
namespace {

std::string_view OutputName(std::uint32_t output) {
  static constexpr std::array<std::string_view, 5> kNames = {"nothing", "scores", "sets", "depths",
                                                             "edges"};
  return kNames.at(output);
}

VertexId LimitOf(const WindowView& view) {
  return VisitView(view, [](const auto& graph) { return VertexId{graph.id_limit()}; });
}

std::string OfVertex(std::string_view what, VertexId v, std::string_view is) {
  return "the " + std::string(what) + " of the vertex with id " + std::to_string(v) + " " +
         std::string(is);
}

}  // namespace

PluginComplaint PluginAnswerReader::WhyNotNow(std::uint32_t output) const {
  if (kernel_.table.output != output) {
    return "it gives " + std::string(OutputName(output)) + ", but says that it gives " +
           std::string(OutputName(kernel_.table.output));
  }
  if (answer_.is_given) return "it gives a second answer";
  return std::nullopt;
}

PluginComplaint PluginAnswerReader::WhyNot(std::uint32_t output, const void* values,
                                           std::size_t count) const {
  if (PluginComplaint wrong = WhyNotNow(output)) return wrong;
  const VertexId limit = LimitOf(view_);
  if (count != limit) {
    return "it gives " + std::to_string(count) + " values, but there are " + std::to_string(limit) +
           " ids (id_limit)";
  }
  if (values == nullptr && count > 0)
    return "it gives no array of " + std::string(OutputName(output));
  return std::nullopt;
}

PluginComplaint PluginAnswerReader::TakeScores(const double* scores, const std::uint8_t* has,
                                               std::size_t count) {
  if (PluginComplaint wrong = WhyNot(SASH_SCORES, scores, count)) return wrong;
  answer_.scores.assign(count, std::numeric_limits<double>::quiet_NaN());
  for (const VertexId v : VerticesOf(view_)) {
    if (has != nullptr && has[v] == 0) continue;
    if (!std::isfinite(scores[v])) {
      return OfVertex("score", v, std::isnan(scores[v]) ? "is NaN" : "is infinite");
    }
    answer_.scores[v] = scores[v];
  }
  answer_.is_given = true;
  return std::nullopt;
}

PluginComplaint PluginAnswerReader::TakeSets(const std::uint32_t* sets, std::size_t count) {
  if (PluginComplaint wrong = WhyNot(SASH_SETS, sets, count)) return wrong;
  answer_.sets.assign(count, 0);
  for (const VertexId v : VerticesOf(view_)) {
    if (sets[v] >= count) {
      return OfVertex("set", v,
                      "is " + std::to_string(sets[v]) + "; it must be below id_limit (" +
                          std::to_string(count) + ")");
    }
    answer_.sets[v] = sets[v];
  }
  answer_.is_given = true;
  return std::nullopt;
}

PluginComplaint PluginAnswerReader::TakeDepths(const std::int32_t* depths, std::size_t count) {
  if (PluginComplaint wrong = WhyNot(SASH_DEPTHS, depths, count)) return wrong;
  answer_.depths.assign(count, -1);
  for (const VertexId v : VerticesOf(view_)) {
    if (depths[v] < -1) {
      return OfVertex("depth", v, "is " + std::to_string(depths[v]) + "; it must be at least -1");
    }
    answer_.depths[v] = depths[v];
  }
  answer_.is_given = true;
  return std::nullopt;
}

PluginComplaint PluginAnswerReader::TakeEdges(const sash_id* sources, const sash_id* targets,
                                              std::size_t count) {
  if (PluginComplaint wrong = WhyNotNow(SASH_EDGES)) return wrong;
  if (count > 0 && (sources == nullptr || targets == nullptr)) return "it gives no array of edges";
  const std::uint64_t most = std::uint64_t{LimitOf(view_)} * LimitOf(view_);
  if (count > most) {
    return "it gives " + std::to_string(count) + " edges, more than there are pairs of vertices";
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (const VertexId v : {sources[i], targets[i]}) {
      if (HasEdge(view_, v)) continue;
      return "edge " + std::to_string(i) + " names the id " + std::to_string(v) +
             ", which is not in the window";
    }
    answer_.edges.emplace_back(sources[i], targets[i]);
  }
  answer_.is_given = true;
  return std::nullopt;
}

PluginComplaint PluginAnswerReader::TakeFigure(const char* name, double value) {
  const std::string_view given = name == nullptr ? std::string_view() : std::string_view(name);
  const auto found = std::ranges::find(kernel_.figures, given);
  if (found == kernel_.figures.end()) {
    return "it gives the figure '" + std::string(given) +
           "', which it does not declare in `figures`";
  }
  if (!std::isfinite(value)) return "its figure '" + std::string(given) + "' is not finite";
  answer_.figures[static_cast<std::size_t>(found - kernel_.figures.begin())] = value;
  return std::nullopt;
}

}  // namespace sash
