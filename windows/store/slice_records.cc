#include "windows/store/slice_records.h"

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

}  // namespace

void SliceRecords::Add(const Slice& slice, bool keeps_sums) {
  SASH_CHECK(slice.id.value <= EdgeBlock::kMostSlices);
  const SliceNumber number = NumberOf(slice);
  SASH_CHECK(records_.empty() ? !has_slices_ || number > newest_ : number == newest_ + 1);
  has_slices_ = true;
  newest_ = number;
  SliceRecord& record = records_.emplace_back();
  record.number = number;
  if (keeps_sums) {
    record.out.KeepSums();
    record.in.KeepSums();
  }
  use_ += record.memory();
  id_limit_ = std::max(id_limit_, IdLimit(slice));
}

void SliceRecords::Complete(std::size_t count, std::pmr::memory_resource* memory) {
  for (std::size_t i = records_.size() - count; i < records_.size(); ++i) {
    SliceRecord& record = records_[i];
    record.out.Complete(memory);
    record.in.Complete(memory);
    use_.touched += record.out.table_bytes() + record.in.table_bytes();
  }
}

void SliceRecords::DropOldest() {
  use_ -= records_.front().memory();
  records_.pop_front();
}

MemoryUse SliceRecords::CountMemory() const {
  MemoryUse use;
  for (const SliceRecord& record : records_) use += record.memory();
  return use;
}

}  // namespace sash
