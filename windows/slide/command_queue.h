// CommandQueue: what other threads want the engine thread to do between two batches.
//
// Thread safety: Submit() and Close() may be called from any thread; Execute() belongs to the engine
// thread.
//
// Invariants
//   (1) Every command is answered exactly once: executed, or refused with a reason.
//   (2) Commands are executed in the order in which they came, and never under the lock.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <mutex>
#include <vector>

#include "windows/base/result.h"
#include "windows/base/thread_annotations.h"

namespace sash {

class CommandQueue {
 public:
  using Command = std::function<Status()>;

  static constexpr std::size_t kMostWaiting = 64;  // more are refused

  CommandQueue() = default;
  CommandQueue(const CommandQueue&) = delete;
  CommandQueue& operator=(const CommandQueue&) = delete;
  ~CommandQueue() { Close(); }

  // The future is ready once the engine thread has executed the command, or at once if refused.
  std::future<Status> Submit(Command command);

  void Execute();

  // Refuses what waits and what comes.
  void Close();

 private:
  struct Waiting {
    Command command;
    std::promise<Status> answer;
  };

  std::mutex mutex_;
  std::vector<Waiting> waiting_ SASH_GUARDED_BY(mutex_);
  bool closed_ SASH_GUARDED_BY(mutex_) = false;
};

}  // namespace sash
