// WorkQueue: work that any thread gives and one thread takes, in the order in which it was given.
//
// It has no lock: the thread that takes may have a low priority, so a thread that gives work
// must not wait for it.
//
// Thread safety: Push() and Stop() may be called from any thread, Take() from one thread. Drop()
// and the destructor are for the time when no thread calls Take() any more.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace sash {

class WorkQueue {
 public:
  using Work = std::function<void()>;

  WorkQueue() = default;
  ~WorkQueue() { Drop(); }
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  void Push(Work work);

  // Waits for work. Empty after Stop().
  Work Take();

  // Ends Take(). Work that is in the queue stays there.
  void Stop();

  // Destroys the work that is in the queue.
  void Drop();

 private:
  struct Item {
    Work work;
    Item* next = nullptr;
  };

  // Moves what was pushed to `oldest_`, which is null.
  void Fetch();

  std::atomic<Item*> newest_ = nullptr;  // `next` is the one that was pushed before
  std::atomic<std::uint32_t> changes_ = 0;
  std::atomic<bool> is_stopping_ = false;
  Item* oldest_ = nullptr;  // of the thread that takes; `next` is the one that was pushed after
};

}  // namespace sash
