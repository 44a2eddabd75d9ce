// WorkLanes: the threads that make answers, so that the server's thread only reads and sends.
//
// Each lane is one thread with its own queue: a request waits only for earlier requests of the same
// lane. So health checks are always answered, and a list of a million rows delays only other lists.
//
// Thread safety: Post() may be called from any thread; Start() and Stop() belong to the owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <thread>

#include "windows/base/mutex.h"

namespace sash {

enum class WorkLane : std::uint8_t {
  kHealth,     // needs no other part
  kReadiness,  // asks every part; a part may be writing to disk
  kMetrics,    // the text of all metrics
  kQuick,      // costs at most a page of rows
  kLarge,      // may read every vertex, or very many rows
};
inline constexpr std::size_t kWorkLanes = 5;

class WorkLanes {
 public:
  using Work = std::function<void()>;  // must not throw

  WorkLanes() = default;
  ~WorkLanes() { Stop(); }
  WorkLanes(const WorkLanes&) = delete;
  WorkLanes& operator=(const WorkLanes&) = delete;

  void Start();
  // Finishes the work in progress and drops queued work. Idempotent.
  void Stop();

  void Post(WorkLane lane, Work work);

 private:
  struct Lane {
    Mutex mutex;
    CondVar changed;
    std::deque<Work> queue SASH_GUARDED_BY(mutex);
    bool stopping SASH_GUARDED_BY(mutex) = false;
    std::thread thread;
  };

  static void Run(Lane& lane);

  std::array<Lane, kWorkLanes> lanes_;
};

}  // namespace sash
