#include "windows/store/multiversioned_store.h"

#include <algorithm>

#include "windows/base/check.h"

namespace sash {
namespace {

VertexId IdLimit(const Slice& slice) {
  VertexId limit = 0;
  for (const VertexId v : slice.sources) limit = std::max(limit, v + 1);
  for (const VertexId v : slice.targets) limit = std::max(limit, v + 1);
  return limit;
}

// How many vertices have no edge but those of `table`, which is in `own`: they enter or leave the
// window with it.
std::size_t CountAlone(const EdgeTable& table, const FragmentChain& own,
                       const FragmentChain& other) {
  std::size_t alone = 0;
  for (std::uint32_t f = 0; f < table.fragment_count(); ++f) {
    const VertexId v = table.vertex(f);
    if (own.degree(v) == table.length(f) && other.degree(v) == 0) ++alone;
  }
  return alone;
}

}  // namespace

void MultiversionedStore::Add(std::shared_ptr<const Slice> slice) {
  const VertexId limit = IdLimit(*slice);
  out_.Add(*slice, EdgeDirection::kOut, limit);
  vertex_count_ += CountAlone(out_.newest(), out_, in_);
  in_.Add(*slice, EdgeDirection::kIn, limit);
  vertex_count_ += CountAlone(in_.newest(), in_, out_);
  edge_count_ += slice->size();
}

void MultiversionedStore::AgeOutOldest() {
  edge_count_ -= out_.oldest().edge_count();
  vertex_count_ -= CountAlone(out_.oldest(), out_, in_);
  out_.AgeOutOldest();
  vertex_count_ -= CountAlone(in_.oldest(), in_, out_);
  in_.AgeOutOldest();
}

PublishedView MultiversionedStore::Publish(VertexId id_limit) {
  const auto view = std::make_shared<const MultiversionedView>(
      out_.Publish(), in_.Publish(), id_limit, edge_count_, vertex_count_);
  return {view, edge_count_, vertex_count_};
}

std::size_t MultiversionedStore::bytes() const {
  return out_.table_bytes() + out_.vertex_bytes() + in_.table_bytes() + in_.vertex_bytes();
}

}  // namespace sash
