#include "windows/kernels/following/component_forest.h"

#include <algorithm>

namespace sash {

void ComponentForest::Begin(std::vector<VertexId> roots, std::vector<std::int32_t> depths) {
  constexpr std::int32_t kMostStep = 1 << 12;
  names_ = std::move(roots);
  levels_ = std::move(depths);
  parents_.assign(names_.size(), kNoVertex);
  places_.assign(names_.size(), {});
  children_from_.assign(names_.size(), kMostLevel);
  sizes_.assign(names_.size(), 0);
  components_ = 0;
  std::int32_t deepest = 0;
  for (const std::int32_t depth : levels_) deepest = std::max(deepest, depth);
  step_ = std::clamp(kMostLevel / 4 / (deepest + 1), 1, kMostStep);
  for (VertexId v = 0; v < names_.size(); ++v) {
    if (names_[v] == kNoVertex) continue;
    levels_[v] *= step_;
    ++sizes_[names_[v]];
    if (names_[v] != v) continue;
    parents_[v] = v;
    ++components_;
  }
  const auto greatest = std::ranges::max_element(sizes_);
  greatest_ = components_ > 0 ? static_cast<VertexId>(greatest - sizes_.begin()) : kNoVertex;
}

}  // namespace sash
