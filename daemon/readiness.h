// Readiness: whether the process is ready, and the reasons why not, from all its parts.
//
// Thread safety: NotReady() may be called from any thread, the rest belongs to the main thread.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/http/event_feed.h"
#include "daemon/memory/memory_keeping.h"
#include "daemon/pipeline/pipeline.h"

namespace sash {

class Readiness {
 public:
  // All arguments outlive it. The pipeline is built when it is asked.
  Readiness(const Config& config, const Pipeline& pipeline, const MemoryKeeping& memory,
            EventFeed& events)
      : config_(config), pipeline_(pipeline), memory_(memory), events_(events) {}

  // Why nothing can be read now; empty when ready.
  std::vector<std::string> NotReady() const;
  std::vector<std::string> Notes() const;  // ApiSurroundings::notes

  // Tells subscribers of the events whether the process is ready, if that has changed.
  void Tell();

  // Called once everything has started: until then the process is not ready.
  void SayStarted() { started_ = true; }
  void SayStopping();

 private:
  const Config& config_;
  const Pipeline& pipeline_;
  const MemoryKeeping& memory_;
  EventFeed& events_;
  std::string told_;  // as it was last sent, without figures
  std::atomic<bool> started_ = false;
  std::atomic<bool> stopping_ = false;
};

}  // namespace sash
