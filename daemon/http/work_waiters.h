// WorkWaiters: requests for the work of external jobs that wait until there is some.
//
// Thread safety: Ask() and Look() may be called from any thread; Start() and Stop() belong to the
// owner.
//
// Invariants
//   (1) Every request is answered: with work, or with 204 when its time is over or at Stop().
//   (2) The request that came first for a job gets its work.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "daemon/http/http_message.h"
#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/jobs/work_desk.h"

namespace sash {

class WorkWaiters {
 public:
  static constexpr std::size_t kMost = 64;  // requests that wait

  explicit WorkWaiters(WorkDesk& desk) : desk_(desk) {}
  ~WorkWaiters() { Stop(); }

  // `answered` is called after each answer.
  void Start(std::function<void()> answered);
  void Stop();

  // Null: too many wait already. `lease`: see WorkDesk::Take().
  std::shared_ptr<PendingAnswer> Ask(const std::string& job, std::chrono::nanoseconds wait,
                                     std::optional<std::chrono::nanoseconds> lease);

  // There may be work.
  void Look();

 private:
  struct Waiter {
    std::string job;
    SteadyTime until;
    std::optional<std::chrono::nanoseconds> lease;
    std::shared_ptr<PendingAnswer> answer;
  };

  void Run(const std::stop_token& stop);
  // Whether it was answered.
  bool Serve(const Waiter& waiter, bool is_last);

  WorkDesk& desk_;
  std::function<void()> answered_{};

  Mutex mutex_;
  StoppableCondVar changed_;
  std::list<Waiter> waiters_ SASH_GUARDED_BY(mutex_);  // in the order in which they came
  std::size_t count_ SASH_GUARDED_BY(mutex_) = 0;      // those that are being served included
  bool is_asked_ SASH_GUARDED_BY(mutex_) = false;      // to look
  std::jthread thread_;
};

// The work as a worker gets it: 200, or 204 without any.
HttpResponse WorkAnswer(const std::optional<ExternalWork>& work);

}  // namespace sash
