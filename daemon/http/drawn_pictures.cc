#include "daemon/http/drawn_pictures.h"

#include <algorithm>

namespace sash {

std::optional<std::string> DrawnPictures::Find(const ResultPtr& result,
                                               const Extent& extent) const {
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find_if(drawn_, [&](const Drawn& each) {
    return each.extent == extent && each.result.lock() == result;
  });
  if (found == drawn_.end()) return std::nullopt;
  return found->json;
}

void DrawnPictures::Keep(const ResultPtr& result, const Extent& extent, const std::string& json) {
  if (json.size() > kLargest) return;
  const MutexLock lock(mutex_);
  drawn_.push_back({result, extent, json});
  if (drawn_.size() > kKept) drawn_.pop_front();
}

}  // namespace sash
