#include "windows/store/multiversioned_view.h"

#include "windows/base/check.h"

namespace sash {

std::span<const VertexId> MultiversionedView::vertices() const {
  std::call_once(listed_, [this] {
    vertices_.reserve(vertex_count_);
    const DegreeTable::Version& degrees = parts_.degrees;
    for (std::size_t page = 0; page < degrees.page_count(); ++page) {
      if (degrees.out.is_zero_page(page) && degrees.in.is_zero_page(page)) continue;
      const DegreeTable::Array::Page& outs = degrees.out.page(page);
      const DegreeTable::Array::Page& ins = degrees.in.page(page);
      for (std::uint32_t i = 0; i < ListPage::kVertices; ++i) {
        const auto v = static_cast<VertexId>(page * ListPage::kVertices + i);
        if ((outs[i] | ins[i]) != 0) vertices_.push_back(v);
      }
    }
    SASH_CHECK(vertices_.size() == vertex_count_);
    counted_.Set(counted_.bytes() + AllocatedBytes(vertices_));
  });
  return vertices_;
}

}  // namespace sash
