// SecondThread: does a thing for its owner while the owner does another.
//
// It begins when it is first needed, and sleeps when nothing came for some fifty microseconds: a
// thread of OpenMP would wait on its core for milliseconds, and one made for each call begins with
// cold caches.
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

  // Calls both, `second` in the other thread if that is `worth_it` (waking it can take longer than
  // 20 microseconds), and returns when both have returned. Neither throws.
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

  Task task_ = nullptr;  // null: end
  const void* call_ = nullptr;
  std::atomic<std::uint32_t> begun_ = 0;  // calls; likewise
  std::atomic<std::uint32_t> ended_ = 0;
  std::thread thread_;
};

}  // namespace sash
