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
  windows_.push_back({spec, nullptr, nullptr, nullptr});
}

void WindowBoard::Remove(std::string_view window) {
  std::optional<WindowStatus> removed;
  std::shared_ptr<const IdPin> pin;
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find_if(
      windows_, [&](const WindowStatus& status) { return status.spec.name == window; });
  if (found == windows_.end()) return;
  removed = std::move(*found);
  windows_.erase(found);
  pin = TakeUnneededPin();
}

void WindowBoard::SetNewest(std::string_view window, AdvancePtr advance) {
  const MutexLock lock(mutex_);
  for (WindowStatus& status : windows_) {
    if (status.spec.name == window) status.newest.swap(advance);
  }
}

AdvancePtr WindowBoard::Newest(std::string_view window) const {
  const MutexLock lock(mutex_);
  for (const WindowStatus& status : windows_) {
    if (status.spec.name == window) return status.newest;
  }
  return nullptr;
}

void WindowBoard::SetLive(std::string_view window, LiveWindowPtr live) {
  const MutexLock lock(mutex_);
  for (WindowStatus& status : windows_) {
    if (status.spec.name == window) status.live.swap(live);
  }
}

void WindowBoard::SetHistory(std::string_view window,
                             std::shared_ptr<const WindowHistory> history) {
  std::shared_ptr<const IdPin> pin;
  const MutexLock lock(mutex_);
  for (WindowStatus& status : windows_) {
    if (status.spec.name == window) status.history.swap(history);
  }
  pin = TakeUnneededPin();
}

std::shared_ptr<const IdPin> WindowBoard::TakeUnneededPin() {
  return HasHistory() ? nullptr : std::exchange(pin_, nullptr);
}

bool WindowBoard::HasHistory() const {
  return std::ranges::any_of(windows_,
                             [](const WindowStatus& status) { return status.history != nullptr; });
}

bool WindowBoard::NeedsPin() const {
  const MutexLock lock(mutex_);
  return HasHistory();
}

void WindowBoard::SetPin(std::shared_ptr<const IdPin> pin) {
  const MutexLock lock(mutex_);
  pin_.swap(pin);
}

std::shared_ptr<const IdPin> WindowBoard::Pin() const {
  const MutexLock lock(mutex_);
  return pin_;
}

void WindowBoard::SetStores(std::vector<StoreStatus> stores) {
  const MutexLock lock(mutex_);
  stores_.swap(stores);
}

}  // namespace sash
