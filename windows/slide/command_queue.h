// CommandQueue: commands from other threads, which the engine thread executes between two batches.
//
// Thread safety: any thread may call Submit() and Close(); Execute() belongs to the engine
// thread.
//
// Invariants
//   (1) Every command is answered exactly once: executed, taken back, or refused with a reason.
//   (2) Commands are executed in the order of their submission, and never under the lock.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "windows/base/mutex.h"
#include "windows/base/result.h"

namespace sash {

// The handle of a submitted command, for the thread that waits for its answer.
class PendingCommand {
 public:
  PendingCommand() = default;
  PendingCommand(std::future<Status> answer, std::shared_ptr<std::atomic<bool>> begun)
      : answer_(std::move(answer)), begun_(std::move(begun)) {}

  Status get() { return answer_.get(); }  // waits; call it once
  bool IsReadyIn(std::chrono::nanoseconds patience) const {
    return answer_.wait_for(patience) == std::future_status::ready;
  }
  bool IsReady() const { return IsReadyIn({}); }

  // True: the command will never be executed. False: its execution has begun.
  bool TakeBack() { return !begun_->exchange(true); }

 private:
  std::future<Status> answer_;
  std::shared_ptr<std::atomic<bool>> begun_;  // execution has begun, or it was taken back
};

class CommandQueue {
 public:
  using Command = std::function<Status()>;

  static constexpr std::size_t kMostWaiting = 64;  // more are refused

  CommandQueue() = default;
  CommandQueue(const CommandQueue&) = delete;
  CommandQueue& operator=(const CommandQueue&) = delete;
  ~CommandQueue() { Close(); }

  // The answer comes when the engine thread has executed the command, or at once if it is refused.
  PendingCommand Submit(Command command);

  void Execute();
  // The number of executed commands; for the engine thread.
  std::uint64_t executed() const { return executed_; }

  // Refuses the commands that wait and all later ones.
  void Close();

 private:
  struct Waiting {
    Command command;
    std::promise<Status> answer;
    std::shared_ptr<std::atomic<bool>> begun;
  };

  Mutex mutex_;
  std::vector<Waiting> waiting_ SASH_GUARDED_BY(mutex_);
  bool closed_ SASH_GUARDED_BY(mutex_) = false;
  std::uint64_t executed_ = 0;
};

}  // namespace sash
