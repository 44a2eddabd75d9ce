#include "windows/store/multiversioned_view.h"

#include <algorithm>

#include "windows/base/check.h"

namespace sash {

std::span<const VertexId> MultiversionedView::vertices() const {
  std::call_once(listed_, [this] {
    vertices_.reserve(vertex_count_);
    const VertexTable::Version& out = out_.heads();
    const VertexTable::Version& in = in_.heads();
    const std::size_t pages = std::max(out.page_count(), in.page_count());
    for (std::size_t page = 0; page < pages; ++page) {
      const bool no_out = page >= out.page_count() || out.is_zero_page(page);
      const bool no_in = page >= in.page_count() || in.is_zero_page(page);
      if (no_out && no_in) continue;
      const auto first = static_cast<VertexId>(page * VertexTable::kPageSize);
      for (VertexId v = first; v < first + VertexTable::kPageSize; ++v) {
        if (out_degree(v) > 0 || in_degree(v) > 0) vertices_.push_back(v);
      }
    }
    SASH_CHECK(vertices_.size() == vertex_count_);
  });
  return vertices_;
}

std::vector<Neighbor> MultiversionedView::Weighted(const ChainView& chain, VertexId v) {
  std::vector<Neighbor> neighbours;
  neighbours.reserve(chain.degree(v));
  const ChainView::List list = chain.list(v);
  for (auto i = list.begin(); i != list.end(); ++i) neighbours.push_back({*i, i.weight()});
  return neighbours;
}

}  // namespace sash
