#include "windows/slide/command_queue.h"

#include <string>
#include <utility>

namespace sash {
namespace {

Error Stopped() { return {ErrorCode::kUnavailable, "the engine has stopped"}; }

}  // namespace

PendingCommand CommandQueue::Submit(Command command) {
  std::promise<Status> answer;
  const auto begun = std::make_shared<std::atomic<bool>>(false);
  PendingCommand pending(answer.get_future(), begun);
  const MutexLock lock(mutex_);
  if (closed_) {
    answer.set_value(Stopped());
  } else if (waiting_.size() == kMostWaiting) {
    answer.set_value(Error{ErrorCode::kOverloaded,
                           std::to_string(kMostWaiting) + " commands are waiting already"});
  } else {
    waiting_.push_back({std::move(command), std::move(answer), begun});
  }
  return pending;
}

void CommandQueue::Execute() {
  std::vector<Waiting> taken;
  {
    const MutexLock lock(mutex_);
    taken.swap(waiting_);
  }
  for (Waiting& waiting : taken) {
    if (waiting.begun->exchange(true)) {
      waiting.answer.set_value(Error{ErrorCode::kUnavailable, "the command was taken back"});
    } else {
      ++executed_;
      waiting.answer.set_value(waiting.command());
    }
  }
}

void CommandQueue::Close() {
  std::vector<Waiting> refused;
  {
    const MutexLock lock(mutex_);
    closed_ = true;
    refused.swap(waiting_);
  }
  for (Waiting& waiting : refused) waiting.answer.set_value(Stopped());
}

}  // namespace sash
