#include "windows/slide/command_queue.h"

#include <string>
#include <utility>

namespace sash {
namespace {

Error Stopped() { return {ErrorCode::kUnavailable, "the engine has stopped"}; }

}  // namespace

std::future<Status> CommandQueue::Submit(Command command) {
  std::promise<Status> answer;
  std::future<Status> future = answer.get_future();
  const std::lock_guard lock(mutex_);
  if (closed_) {
    answer.set_value(Stopped());
  } else if (waiting_.size() == kMostWaiting) {
    answer.set_value(Error{ErrorCode::kOverloaded,
                           std::to_string(kMostWaiting) + " commands are waiting already"});
  } else {
    waiting_.push_back({std::move(command), std::move(answer)});
  }
  return future;
}

void CommandQueue::Execute() {
  std::vector<Waiting> taken;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(waiting_);
  }
  for (Waiting& waiting : taken) waiting.answer.set_value(waiting.command());
}

void CommandQueue::Close() {
  std::vector<Waiting> refused;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    refused.swap(waiting_);
  }
  for (Waiting& waiting : refused) waiting.answer.set_value(Stopped());
}

}  // namespace sash
