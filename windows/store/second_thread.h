// SecondThread: runs one function for its owner while the owner runs another.
//
// The thread is started when it is first needed, and sleeps when it has had no call for about 50
// microseconds. A thread of OpenMP would wait on its core for milliseconds, and a thread made for
// each call begins with cold caches.
//
// Thread safety: belongs to one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace sash {

class SecondThread {
 public:
  SecondThread() = default;
  SecondThread(const SecondThread&) = delete;
  SecondThread& operator=(const SecondThread&) = delete;
  ~SecondThread();

  // Calls both functions and returns when both have returned. If `worth_it`, the other thread calls
  // `second`; waking it can take longer than 20 microseconds. Neither function may throw.
  template <typename First, typename Second>
  void CallBoth(bool worth_it, const First& first, const Second& second) {
    if (!worth_it) {
      first();
      second();
      return;
    }
    Begin([](const void* call) { (*static_cast<const Second*>(call))(); }, &second);
    first();
    AwaitEnd();
  }

 private:
  using Task = void (*)(const void*);

  void Begin(Task task, const void* call);
  void AwaitEnd();
  void Run();

  Task task_ = nullptr;  // null: the thread ends
  const void* call_ = nullptr;
  std::atomic<std::uint32_t> begun_ = 0;  // calls, the one that ends the thread included
  std::atomic<std::uint32_t> ended_ = 0;  // of these
  std::thread thread_;
};

}  // namespace sash
