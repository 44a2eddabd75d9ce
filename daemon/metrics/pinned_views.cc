#include "daemon/metrics/pinned_views.h"

#include <cstddef>

namespace sash {

void PinnedViews::Add(const AdvancePtr& advance, SteadyTime now) {
  const MutexLock lock(mutex_);
  std::vector<Published>& published = windows_[advance->provenance.window];
  std::erase_if(published, [](const Published& old) { return old.advance.expired(); });
  published.push_back({advance, now});
}

PinCount PinnedViews::Count(const std::string& window, SteadyTime now) const {
  const MutexLock lock(mutex_);
  PinCount count;
  const auto found = windows_.find(window);
  if (found == windows_.end()) return count;
  const std::vector<Published>& published = found->second;
  for (std::size_t i = 0; i + 1 < published.size(); ++i) {
    if (published[i].advance.expired()) continue;
    if (count.pinned == 0) count.oldest = now - published[i].at;
    ++count.pinned;
  }
  return count;
}

}  // namespace sash
