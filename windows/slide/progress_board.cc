#include "windows/slide/progress_board.h"

#include <algorithm>
#include <utility>

namespace sash {

const WindowStanding* StreamStanding::Find(const std::string& window) const {
  const auto found = std::ranges::find(windows, window, &WindowStanding::name);
  return found == windows.end() ? nullptr : &*found;
}

void ProgressBoard::Update(StreamStanding& standing) {
  const MutexLock lock(mutex_);
  std::swap(standing_, standing);
}

StreamStanding ProgressBoard::Read() const {
  const MutexLock lock(mutex_);
  return standing_;
}

}  // namespace sash
