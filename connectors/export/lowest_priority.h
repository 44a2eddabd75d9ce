// Priorities of threads whose work may wait for other work.
//
// Such a thread can be interrupted for a long time at any place, also while it holds a lock. So it
// shares no lock with a thread that must not wait for it.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

namespace sash {

// Every other thread that can run comes before the calling thread.
inline void TakeLowestPriority() {
  constexpr int kLowest = 19;
  const sched_param none{};
  (void)pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
  (void)setpriority(PRIO_PROCESS, 0, kLowest);  // on Linux: of this thread
}

// Other threads come before the calling thread, but on a busy machine it still gets a small share:
// for work that somebody waits for.
inline void TakeLowPriority() {
  constexpr int kLowest = 19;
  (void)setpriority(PRIO_PROCESS, 0, kLowest);
}

}  // namespace sash
