#include "windows/ingest/slice_tail.h"

#include <limits>
#include <utility>

#include "windows/base/allocated_bytes.h"
#include "windows/base/check.h"

namespace sash {

void SliceTail::Show(TailEvents events, std::vector<TailId> ids) {
  SASH_CHECK(events.size() < std::numeric_limits<std::uint32_t>::max() - shown_);
  for (TailId& id : ids) id.event += shown_;
  shown_ += static_cast<std::uint32_t>(events.size());
  bytes_ += events.bytes() + AllocatedBytes(ids);
  const MutexLock lock(arrived_mutex_);
  arrived_.push_back({std::move(events), std::move(ids)});
}

void SliceTail::Index(TailEvents events) const {
  auto& [sources, targets, removed] = by_vertex_;
  std::uint32_t number = indexed_;
  for (const PartitionLog::Edge& edge : events.edges()) {
    if (events.OperationAt(number - indexed_) == Operation::kRemoveVertex) {
      removed.Add(edge.source, number++);
      continue;
    }
    sources.Add(edge.source, number);
    targets.Add(edge.target, number++);
  }
  batches_.push_back({indexed_, std::move(events)});
  indexed_ = number;
}

std::size_t SliceTail::IndexBytes() const {
  std::size_t bytes = ids_.bytes() + AllocatedBytes(batches_);
  for (const VertexEvents& events : by_vertex_) bytes += events.bytes();
  return bytes;
}

// Takes over what was shown since the last reader.
void SliceTail::IndexArrived() const {
  std::vector<Arrived> arrived;
  {
    const MutexLock lock(arrived_mutex_);
    arrived.swap(arrived_);
  }
  if (arrived.empty()) return;
  for (Arrived& each : arrived) {
    bytes_ -= AllocatedBytes(each.ids);
    if (each.events.size() > 0) Index(std::move(each.events));
    for (const TailId& id : each.ids) ids_.Add(id);
  }
  const std::size_t bytes = IndexBytes();
  bytes_ += bytes - index_bytes_;
  index_bytes_ = bytes;
}

}  // namespace sash
