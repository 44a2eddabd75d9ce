#include "windows/slide/window_board.h"

#include <algorithm>
#include <utility>

namespace sash {

std::vector<WindowStatus> WindowBoard::Windows() const {
  const MutexLock lock(mutex_);
  return windows_;
}

std::optional<WindowStatus> WindowBoard::Find(std::string_view window) const {
  const MutexLock lock(mutex_);
  for (const WindowStatus& status : windows_) {
    if (status.spec.name == window) return status;
  }
  return std::nullopt;
}

std::vector<StoreStatus> WindowBoard::Stores() const {
  const MutexLock lock(mutex_);
  return stores_;
}

void WindowBoard::Put(const WindowSpec& spec) {
  const MutexLock lock(mutex_);
  for (WindowStatus& status : windows_) {
    if (status.spec.name != spec.name) continue;
    status.spec = spec;
    return;
  }
  windows_.push_back({spec, nullptr});
}

void WindowBoard::Remove(std::string_view window) {
  const MutexLock lock(mutex_);
  std::erase_if(windows_, [&](const WindowStatus& status) { return status.spec.name == window; });
}

void WindowBoard::SetNewest(std::string_view window, const AdvancePtr& advance) {
  const MutexLock lock(mutex_);
  for (WindowStatus& status : windows_) {
    if (status.spec.name == window) status.newest = advance;
  }
}

void WindowBoard::SetStores(std::vector<StoreStatus> stores) {
  const MutexLock lock(mutex_);
  stores_ = std::move(stores);
}

}  // namespace sash
