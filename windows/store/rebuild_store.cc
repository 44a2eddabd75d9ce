#include "windows/store/rebuild_store.h"

#include <vector>

#include "windows/store/visible_edges.h"

namespace sash {

PublishedView RebuildStore::Publish(VertexId id_limit) {
  const std::vector<std::shared_ptr<const Slice>> slices(slices_.begin(), slices_.end());
  const auto graph =
      std::make_shared<const CsrGraph>(VisibleEdges(slices, duplicates_, id_limit), id_limit);
  published_bytes_ = graph->bytes();
  return {graph, graph->edge_count(), graph->vertices().size()};
}

std::size_t RebuildStore::bytes() const {
  std::size_t total = published_bytes_;
  for (const auto& slice : slices_) total += slice->bytes();
  return total;
}

}  // namespace sash
