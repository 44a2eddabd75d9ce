#include "windows/store/second_thread.h"

namespace sash {
namespace {

// Returns when `count` is no longer `old`.
void AwaitChange(const std::atomic<std::uint32_t>& count, std::uint32_t old) {
  constexpr int kLooks = 100;  // at the number, before it sleeps
  for (int i = 0; i < kLooks; ++i) {
    if (count.load(std::memory_order_acquire) != old) return;
    std::this_thread::yield();
  }
  count.wait(old, std::memory_order_acquire);
}

}  // namespace

SecondThread::~SecondThread() {
  if (!thread_.joinable()) return;
  Begin(nullptr, nullptr);
  thread_.join();
}

void SecondThread::Begin(Task task, const void* call) {
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  task_ = task;
  call_ = call;
  begun_.fetch_add(1, std::memory_order_release);
  begun_.notify_one();
}

void SecondThread::AwaitEnd() {
  const std::uint32_t begun = begun_.load(std::memory_order_relaxed);
  AwaitChange(ended_, begun - 1);
}

void SecondThread::Run() {
  for (std::uint32_t done = 0;; ++done) {
    AwaitChange(begun_, done);
    if (task_ == nullptr) return;
    task_(call_);
    ended_.store(done + 1, std::memory_order_release);
    ended_.notify_one();
  }
}

}  // namespace sash
