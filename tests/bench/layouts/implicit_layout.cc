#include "tests/bench/layouts/implicit_layout.h"

#include <utility>

#include "windows/base/check.h"

namespace sash::bench {

void ImplicitLayout::Add(const Slice& slice, Direction direction, VertexId id_limit,
                         std::span<const Death> deaths) {
  SASH_CHECK(deaths.empty());
  if (layers_.empty()) first_slice_ = slice.id.value;
  SASH_CHECK(slice.id.value == first_slice_ + layers_.size());
  CompleteNewest();
  heads_.Reserve(id_limit);
  auto table = std::make_shared<const SliceTable>(slice, direction);
  for (std::uint32_t f = 0; f < table->fragment_count(); ++f) {
    Head& head = heads_.At(table->vertex(f));
    head = {static_cast<std::uint32_t>(slice.id.value), table->begin(f), table->length(f),
            head.degree + table->length(f)};
  }
  layers_.push_back({std::move(table), nullptr});
}

void ImplicitLayout::AgeOutOldest() {
  const SliceTable& oldest = *layers_.front().edges;
  for (std::uint32_t f = 0; f < oldest.fragment_count(); ++f) {
    Head& head = heads_.At(oldest.vertex(f));
    head.degree -= oldest.length(f);
    if (head.degree == 0) head = Head();
  }
  layers_.pop_front();
  ++first_slice_;
  if (!layers_.empty()) layers_.back().heads = nullptr;  // its degrees have changed
}

void ImplicitLayout::CompleteNewest() {
  if (layers_.empty() || layers_.back().heads) return;
  layers_.back().heads = std::make_shared<const Heads::Version>(heads_.Publish());
}

ImplicitLayout::View ImplicitLayout::Publish() {
  SASH_CHECK(!layers_.empty());
  CompleteNewest();
  View view;
  view.layers_.assign(layers_.begin(), layers_.end());
  view.first_slice_ = first_slice_;
  return view;
}

std::size_t ImplicitLayout::bytes() const {
  std::size_t bytes = heads_.bytes();
  for (std::size_t place = 0; place < layers_.size(); ++place) {
    bytes += layers_[place].edges->bytes() + layers_[place].heads->table_bytes();
    if (place + 1 == layers_.size()) continue;
    bytes += Heads::OwnPageBytes(*layers_[place].heads, *layers_[place + 1].heads);
  }
  return bytes;
}

}  // namespace sash::bench
