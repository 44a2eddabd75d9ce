#include "daemon/letters/partition_reading.h"

#include <algorithm>
#include <utility>

namespace sash {

std::optional<PartitionReading::Lost> PartitionReading::Reach(std::int64_t offset) {
  std::string why = std::exchange(unreadable_, {});
  const std::int64_t before = std::min(offset, end_);
  if (why.empty() || before <= next_) return std::nullopt;
  return Lost{std::exchange(next_, before), before - 1, std::move(why)};
}

void PartitionReading::BeginAt(std::int64_t begin) {
  if (begin > next_) unreadable_.clear();
  next_ = std::max(next_, begin);
}

}  // namespace sash
