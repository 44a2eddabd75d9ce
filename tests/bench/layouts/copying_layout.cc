#include "tests/bench/layouts/copying_layout.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash::bench {
namespace {

// Removes the dying edges from the slots from `first` on.
void RemoveFrom(std::vector<VertexId>& slots, std::uint32_t first,
                std::span<const OwnedDeath> dying) {
  const auto begin = slots.begin() + first;
  if (dying.size() == 1) {
    slots.erase(std::remove(begin, slots.end(), dying.front().neighbour), slots.end());
  } else if (!dying.empty()) {
    const auto dies = [&](VertexId u) {
      return std::ranges::binary_search(dying, u, {}, &OwnedDeath::neighbour);
    };
    slots.erase(std::remove_if(begin, slots.end(), dies), slots.end());
  }
}

}  // namespace

std::uint32_t CopyingLayout::Table::LowerBound(VertexId v) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(vertices, v) - vertices.begin());
}

std::size_t CopyingLayout::Table::bytes() const {
  return sizeof(Table) + vertices.capacity() * 4 + starts.capacity() * 4 +
         neighbours.capacity() * 4 + own.capacity() * 4 + older.capacity() * sizeof(Link);
}

void CopyingLayout::Add(const Slice& slice, Direction direction, VertexId id_limit,
                        std::span<const Death> deaths) {
  const std::uint64_t now = slice.id.value;
  if (tables_.empty()) first_slice_ = now;
  SASH_CHECK(now == first_slice_ + tables_.size());
  heads_.Reserve(id_limit);
  const std::vector<OwnedDeath> owned = ByOwner(deaths, direction);
  const SliceTable fresh(slice, direction);

  auto table = std::make_shared<Table>();
  std::size_t dead = 0;
  std::uint32_t f = 0;
  while (f < fresh.fragment_count() || dead < owned.size()) {
    VertexId v = kNoVertex;
    if (f < fresh.fragment_count()) v = fresh.vertex(f);
    if (dead < owned.size()) v = std::min(v, owned[dead].owner);
    const std::size_t first_dead = dead;
    while (dead < owned.size() && owned[dead].owner == v) ++dead;
    std::span<const VertexId> added;
    if (f < fresh.fragment_count() && fresh.vertex(f) == v) added = fresh.row(f++);
    Append(v, added, std::span(owned).subspan(first_dead, dead - first_dead), now, *table);
  }
  table->starts.push_back(static_cast<std::uint32_t>(table->neighbours.size()));
  table->vertices.shrink_to_fit();
  table->starts.shrink_to_fit();
  table->neighbours.shrink_to_fit();
  table->own.shrink_to_fit();
  table->older.shrink_to_fit();
  tables_.push_back(std::move(table));
}

void CopyingLayout::Append(VertexId v, std::span<const VertexId> added,
                           std::span<const OwnedDeath> dying, std::uint64_t now, Table& table) {
  for (const OwnedDeath& death : dying) {
    Table& born = *tables_[death.slice - first_slice_];
    --born.own[born.LowerBound(v)];
  }
  Head& head = heads_.At(v);
  SASH_CHECK(head.degree >= dying.size());
  const auto added_count = static_cast<std::uint32_t>(added.size());
  const auto degree = head.degree - static_cast<std::uint32_t>(dying.size()) + added_count;
  if (degree == 0) {
    head = Head();
    return;
  }
  const auto begin = static_cast<std::uint32_t>(table.neighbours.size());
  table.neighbours.insert(table.neighbours.end(), added.begin(), added.end());
  Link older;
  if (head.degree > 0) {
    if (!dying.empty() || degree <= policy_.at_most || degree >= policy_.at_least) {
      VisitRuns(head, [&](std::span<const VertexId> run) {
        table.neighbours.insert(table.neighbours.end(), run.begin(), run.end());
      });
      RemoveFrom(table.neighbours, begin + added_count, dying);
      SASH_CHECK(table.neighbours.size() - begin == degree);
    } else {
      older = {static_cast<std::uint32_t>(now - head.slice), head.fragment};
    }
  }
  head = {now, static_cast<std::uint32_t>(table.vertices.size()), degree};
  table.vertices.push_back(v);
  table.starts.push_back(begin);
  table.own.push_back(added_count);
  table.older.push_back(older);
}

void CopyingLayout::AgeOutOldest() {
  const Table& oldest = *tables_.front();
  for (std::size_t f = 0; f < oldest.vertices.size(); ++f) {
    if (oldest.own[f] == 0) continue;
    Head& head = heads_.At(oldest.vertices[f]);
    head.degree -= oldest.own[f];
    if (head.degree == 0) head = Head();
  }
  tables_.pop_front();
  ++first_slice_;
}

CopyingLayout::View CopyingLayout::Publish() {
  View view;
  view.heads_ = heads_.Publish();
  view.tables_.assign(tables_.begin(), tables_.end());
  view.first_slice_ = first_slice_;
  return view;
}

std::size_t CopyingLayout::bytes() const {
  std::size_t bytes = heads_.bytes();
  for (const auto& table : tables_) bytes += table->bytes();
  return bytes;
}

}  // namespace sash::bench
