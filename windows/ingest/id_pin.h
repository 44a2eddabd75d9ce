// IdPin: while it is held, every id that was in use when it was taken keeps its key.
//
// Thread safety: any thread may call PinBoard's functions and destroy an IdPin. What a thread does
// before it releases its reference to a pin happens before Oldest() stops counting that pin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "windows/base/mutex.h"

namespace sash {

// The epochs of the pins that are held.
class PinBoard {
 public:
  void Add(std::uint64_t epoch) {
    const MutexLock lock(mutex_);
    held_.insert(epoch);
  }
  void Remove(std::uint64_t epoch) {
    const MutexLock lock(mutex_);
    held_.erase(epoch);
  }
  std::optional<std::uint64_t> Oldest() const {
    const MutexLock lock(mutex_);
    if (held_.empty()) return std::nullopt;
    return *held_.begin();
  }
  std::size_t size() const {
    const MutexLock lock(mutex_);
    return held_.size();
  }

 private:
  mutable Mutex mutex_;
  std::set<std::uint64_t> held_ SASH_GUARDED_BY(mutex_);
};

// May outlive the VertexLifetimes that gave it.
class IdPin {
 public:
  IdPin(std::shared_ptr<PinBoard> board, std::uint64_t epoch)
      : board_(std::move(board)), epoch_(epoch) {
    board_->Add(epoch_);
  }
  IdPin(const IdPin&) = delete;
  IdPin& operator=(const IdPin&) = delete;
  ~IdPin() { board_->Remove(epoch_); }

  // The epoch that ended when the pin was taken.
  std::uint64_t epoch() const { return epoch_; }

 private:
  const std::shared_ptr<PinBoard> board_;
  const std::uint64_t epoch_;
};

}  // namespace sash
