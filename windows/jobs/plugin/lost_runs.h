// LostRuns: runs of plug-ins that go on although they were asked to stop. Their runners have given
// them up; the threads, and the windows that they read, are held until the plug-ins return.
//
// Thread safety: any thread may use it.
//
// Invariants
//   (1) A job has at most one lost run: while it is under way, further runs fail at once.
//   (2) The destructor waits for all of them, because they read what is destroyed after it.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "windows/base/clock.h"
#include "windows/base/mutex.h"
#include "windows/jobs/plugin/plugin_call.h"

namespace sash {

class LostRuns {
 public:
  // `patience`: how long a run may go on after it was asked to stop.
  explicit LostRuns(Duration patience = std::chrono::seconds(5)) : patience_(patience) {}
  ~LostRuns() { Await(); }
  LostRuns(const LostRuns&) = delete;
  LostRuns& operator=(const LostRuns&) = delete;

  Duration patience() const { return patience_; }

  void Keep(const std::string& job, std::shared_ptr<PluginCall> call, std::thread thread);
  bool IsUnderWay(std::string_view job);
  std::size_t under_way();
  void Await();

 private:
  struct LostRun {
    std::string job{};
    std::shared_ptr<PluginCall> call{};
    std::thread thread{};
  };

  void ForgetEnded() SASH_REQUIRES(mutex_);

  const Duration patience_;
  Mutex mutex_;
  std::list<LostRun> runs_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
