#include "windows/store/fragment_chain.h"

#include <limits>
#include <utility>

#include "windows/base/check.h"

namespace sash {

void FragmentChain::Add(const Slice& slice, EdgeDirection direction, VertexId id_limit) {
  if (tables_.empty()) first_slice_ = slice.id.value;
  SASH_CHECK(slice.id.value == first_slice_ + tables_.size());
  heads_.Reserve(id_limit);
  auto table = std::make_shared<EdgeTable>(slice, direction);
  for (std::uint32_t f = 0; f < table->fragment_count(); ++f) {
    FragmentHead& head = heads_.At(table->vertex(f));
    if (head.degree > 0) {
      const std::uint64_t back = slice.id.value - head.slice;
      SASH_CHECK(back <= std::numeric_limits<std::uint32_t>::max());
      table->Link(f, {static_cast<std::uint32_t>(back), head.fragment});
    }
    SASH_CHECK(head.degree <= std::numeric_limits<std::uint32_t>::max() - table->length(f));
    head = {slice.id.value, f, head.degree + table->length(f)};
  }
  table_bytes_ += table->bytes();
  tables_.push_back(std::move(table));
}

void FragmentChain::AgeOutOldest() {
  const EdgeTable& oldest = *tables_.front();
  for (std::uint32_t f = 0; f < oldest.fragment_count(); ++f) {
    FragmentHead& head = heads_.At(oldest.vertex(f));
    SASH_CHECK(head.degree >= oldest.length(f));
    head.degree -= oldest.length(f);
    if (head.degree == 0) head = FragmentHead();
  }
  table_bytes_ -= oldest.bytes();
  tables_.pop_front();
  ++first_slice_;
}

ChainView FragmentChain::Publish() {
  ChainView view;
  view.heads_ = heads_.Publish();
  view.tables_.assign(tables_.begin(), tables_.end());
  view.first_slice_ = first_slice_;
  return view;
}

}  // namespace sash
