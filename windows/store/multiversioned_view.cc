#include "windows/store/multiversioned_view.h"

#include "windows/base/check.h"

namespace sash {

std::span<const VertexId> MultiversionedView::vertices() const {
  std::call_once(listed_, [this] {
    vertices_.reserve(vertex_count_);
    for (std::size_t page = 0; page < parts_.degrees.page_count(); ++page) {
      if (parts_.degrees.is_zero_page(page)) continue;
      auto v = static_cast<VertexId>(page << ListPage::kBits);
      for (const Degrees& degrees : parts_.degrees.page(page)) {
        if (degrees.any()) vertices_.push_back(v);
        ++v;
      }
    }
    SASH_CHECK(vertices_.size() == vertex_count_);
    counted_.Set(counted_.bytes() + AllocatedBytes(vertices_));
  });
  return vertices_;
}

std::vector<Neighbor> MultiversionedView::Weighted(RunCursor runs) const {
  std::vector<Neighbor> neighbours;
  for (EdgeRun run; runs.Next(run);) {
    for (std::uint32_t slot = run.begin; slot < run.end; ++slot) {
      const ChainId chain = parts_.totals ? run.block->link(slot) : 0;
      neighbours.push_back({run.block->neighbour(slot),
                            chain == 0 ? run.block->weight(slot) : (*parts_.totals)[chain]});
    }
  }
  return neighbours;
}

}  // namespace sash
