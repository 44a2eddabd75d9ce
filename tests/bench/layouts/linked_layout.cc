#include "tests/bench/layouts/linked_layout.h"

#include <algorithm>

#include "windows/base/check.h"

namespace sash::bench {

template <bool kEdgesDie>
void LinkedLayout<kEdgesDie>::Add(const Slice& slice, Direction direction, VertexId id_limit,
                                  std::span<const Death> deaths) {
  SASH_CHECK(kEdgesDie || deaths.empty());
  const std::uint64_t now = slice.id.value;
  if (tables_.empty()) first_slice_ = now;
  SASH_CHECK(now == first_slice_ + tables_.size() && tables_.size() < kAlive);
  heads_.Reserve(id_limit);
  for (const OwnedDeath& death : ByOwner(deaths, direction)) Kill(death, now);

  auto table = std::make_shared<Table>(slice, direction);
  for (std::uint32_t f = 0; f < table->edges.fragment_count(); ++f) {
    Head& head = heads_.At(table->edges.vertex(f));
    if (head.degree > 0) {
      table->older[f] = {static_cast<std::uint32_t>(now - head.slice), head.fragment};
    }
    head = {now, f, head.degree + table->edges.length(f)};
  }
  tables_.push_back(std::move(table));
}

template <bool kEdgesDie>
void LinkedLayout<kEdgesDie>::Kill(const OwnedDeath& death, std::uint64_t now) {
  Table& table = *tables_[death.slice - first_slice_];
  const std::uint32_t fragment = table.edges.LowerBound(death.owner);
  if (table.deaths.empty()) table.deaths.assign(table.edges.edge_count(), kAlive);
  std::uint16_t& died = table.deaths[table.edges.SlotOf(fragment, death.neighbour)];
  SASH_CHECK(died == kAlive);
  died = static_cast<std::uint16_t>(now - death.slice);
  Head& head = heads_.At(death.owner);
  if (--head.degree == 0) head = Head();
}

template <bool kEdgesDie>
void LinkedLayout<kEdgesDie>::AgeOutOldest() {
  const Table& oldest = *tables_.front();
  for (std::uint32_t f = 0; f < oldest.edges.fragment_count(); ++f) {
    std::uint32_t live = oldest.edges.length(f);
    if (kEdgesDie && !oldest.deaths.empty()) {
      const auto slots = oldest.deaths.begin();
      live = static_cast<std::uint32_t>(
          std::count(slots + oldest.edges.begin(f), slots + oldest.edges.end(f), kAlive));
      if (live == 0) continue;
    }
    Head& head = heads_.At(oldest.edges.vertex(f));
    head.degree -= live;
    if (head.degree == 0) head = Head();
  }
  tables_.pop_front();
  ++first_slice_;
}

template <bool kEdgesDie>
typename LinkedLayout<kEdgesDie>::View LinkedLayout<kEdgesDie>::Publish() {
  View view;
  view.heads_ = heads_.Publish();
  view.tables_.assign(tables_.begin(), tables_.end());
  view.first_slice_ = first_slice_;
  return view;
}

template <bool kEdgesDie>
std::size_t LinkedLayout<kEdgesDie>::bytes() const {
  std::size_t bytes = heads_.bytes();
  for (const auto& table : tables_) {
    bytes += table->edges.bytes() + table->older.capacity() * sizeof(Link) +
             table->deaths.capacity() * sizeof(table->deaths[0]);
  }
  return bytes;
}

template class LinkedLayout<false>;
template class LinkedLayout<true>;

}  // namespace sash::bench
