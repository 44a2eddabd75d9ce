// WorkLanes: threads that make answers, so that the server's thread only reads and sends.
//
// Each lane is one thread with a queue of its own: what is asked of one lane waits for what was
// asked of it before, and for nothing else. So health is told whatever else is asked, and a list of
// a million rows holds up lists alone.
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
  kHealth,     // asks nobody
  kReadiness,  // asks every part, which may be writing to disk
  kMetrics,    // the one text of all metrics
  kQuick,      // what costs at most a page of rows
  kLarge,      // what may cost a look at every vertex, or very many rows
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
  // Finishes the work under way; what is still queued is dropped. Idempotent.
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
