#include "windows/jobs/path_step.h"

#include "windows/jobs/edges_between.h"

namespace sash {
namespace {

// Adds the edges from one vertex to another to a step.
class StepFinder {
 public:
  explicit StepFinder(const TypeTable& types) : types_(types) {}

  void Read(const auto& graph, VertexId source, VertexId target) {
    ForEachEdgeBetween(graph, source, target, [&](const Neighbor& edge) { Offer(source, edge); });
  }

  const PathStep& step() const { return step_; }

 private:
  void Offer(VertexId source, const Neighbor& target) {
    if (step_.edges++ == 0 || IsBefore(source, target)) {
      step_.source = source;
      step_.target = target;
    }
  }

  bool IsBefore(VertexId source, const Neighbor& target) const {
    const Neighbor& held = step_.target;
    if (target.weight < held.weight) return true;
    if (held.weight < target.weight || source != step_.source) return false;
    if (target.type != held.type) return types_.WordOf(target.type) < types_.WordOf(held.type);
    return target.weight.is_integer() && !held.weight.is_integer();
  }

  const TypeTable& types_;
  PathStep step_;
};

PathStep StepIn(const auto& graph, VertexId from, VertexId to, FollowedEdges follow,
                const TypeTable& types) {
  StepFinder finder(types);
  if (follow != FollowedEdges::kIn) finder.Read(graph, from, to);
  if (follow != FollowedEdges::kOut) finder.Read(graph, to, from);
  return finder.step();
}

}  // namespace

PathStep StepOf(const WindowView& view, VertexId from, VertexId to, FollowedEdges follow,
                const TypeTable& types) {
  return VisitView(
      view, [&](const auto& graph) { return StepIn(graph, from, to, follow, types); });
}

PathStep StepOf(const LiveView& view, VertexId from, VertexId to, FollowedEdges follow,
                const TypeTable& types) {
  return StepIn(view, from, to, follow, types);
}

}  // namespace sash
