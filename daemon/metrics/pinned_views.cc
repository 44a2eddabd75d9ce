#include "daemon/metrics/pinned_views.h"

#include <cstddef>
#include <utility>

namespace sash {
namespace {

// A graph of its own is gone with its view; a multiversioned one shares nearly all with the newest.
std::uint64_t OwnBytes(const WindowView& view) {
  const auto* graph = std::get_if<std::shared_ptr<const CsrGraph>>(&view);
  return graph != nullptr && *graph != nullptr ? (*graph)->bytes() : 0;
}

}  // namespace

void PinnedViews::Add(const AdvancePtr& advance, SteadyTime now) {
  const std::lock_guard lock(mutex_);
  std::vector<Published>& published = windows_[advance->provenance.window];
  std::erase_if(published, [](const Published& old) { return old.advance.expired(); });
  published.push_back({advance, now});
}

PinCount PinnedViews::Count(const std::string& window, SteadyTime now) const {
  std::vector<AdvancePtr> held;  // until the lock is gone: freeing one can take milliseconds
  const std::lock_guard lock(mutex_);
  PinCount count;
  const auto found = windows_.find(window);
  if (found == windows_.end()) return count;
  const std::vector<Published>& published = found->second;
  for (std::size_t i = 0; i + 1 < published.size(); ++i) {
    AdvancePtr advance = published[i].advance.lock();
    if (advance == nullptr) continue;
    if (count.pinned == 0) count.oldest = now - published[i].at;
    ++count.pinned;
    count.bytes += OwnBytes(advance->view);
    held.push_back(std::move(advance));
  }
  return count;
}

}  // namespace sash
