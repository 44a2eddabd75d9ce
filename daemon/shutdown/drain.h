// Drain: how the process ends. What has been read is applied, and what was due is delivered, as far
// as the deadline allows; after the end of a finite source every run is awaited.
//
// Thread safety: belongs to the main thread.
#pragma once

#include <chrono>

#include "daemon/memory/memory_keeping.h"
#include "daemon/pipeline/pipeline.h"
#include "daemon/shutdown/service_notifier.h"
#include "daemon/shutdown/shutdown_guard.h"
#include "daemon/shutdown/stop_request.h"
#include "windows/base/event_log.h"

namespace sash {

// What shows the process to people and programs, as far as the end of the process concerns it.
class ShownProcess {
 public:
  virtual void SayStopping() = 0;  // from now on the process is not ready
  virtual void Stop() = 0;

 protected:
  ~ShownProcess() = default;
};

struct DrainedParts {
  Pipeline& pipeline;
  ShownProcess& interfaces;
  MemoryKeeping& memory;
  ServiceNotifier& notifier;
  StopRequest& stop;
  EventLog& log;
};

class Drain {
 public:
  // `deadline` is how long it may take, but after the end of a source.
  Drain(DrainedParts parts, std::chrono::nanoseconds deadline)
      : parts_(parts), deadline_(deadline) {}

  // The exit code.
  int Run(StopRequest::Cause cause);

 private:
  void SayWhy(StopRequest::Cause cause);
  bool RefusedTooMany();
  void CutShort();
  void SayCutShort();
  bool WriteWhatIsLeft();
  bool DeliverWhatIsLeft(const ShutdownGuard& guard);

  const DrainedParts parts_;
  const std::chrono::nanoseconds deadline_;
};

}  // namespace sash
