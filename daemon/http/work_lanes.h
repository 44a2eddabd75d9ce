// WorkLanes: the threads that make answers, so that the server's thread only reads and sends.
//
// Each lane is one thread with its own queue: a request waits only for earlier requests of the same
// lane. So health checks are always answered, and a list of a million rows delays only other lists.
//
// Thread safety: Post() may be called from any thread; Start() and Stop() belong to the owner.
//
// Invariants
//   (1) Neither a lane nor a caller of Post() waits for another lane, also if that lane is
//       interrupted: the thread of kDownloads has a low priority (nice 19).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

#include "daemon/http/work_queue.h"

namespace sash {

enum class WorkLane : std::uint8_t {
  kHealth,     // needs no other part
  kReadiness,  // asks every part; a part may be writing to disk
  kMetrics,    // the text of all metrics
  kQuick,      // costs at most a page of rows
  kLarge,      // may read every vertex, or very many rows
  kDownloads,  // reads files, without locks that other threads need
};
inline constexpr std::size_t kWorkLanes = 6;

class WorkLanes {
 public:
  using Work = WorkQueue::Work;  // must not throw

  WorkLanes() = default;
  ~WorkLanes() { Stop(); }
  WorkLanes(const WorkLanes&) = delete;
  WorkLanes& operator=(const WorkLanes&) = delete;

  void Start();
  // Finishes the work in progress and drops queued work. Idempotent.
  void Stop();

  void Post(WorkLane lane, Work work) {
    lanes_[static_cast<std::size_t>(lane)].queue.Push(std::move(work));
  }

 private:
  struct Lane {
    WorkQueue queue;
    std::thread thread;
  };

  static void Run(WorkQueue& queue);

  std::array<Lane, kWorkLanes> lanes_;
};

}  // namespace sash
