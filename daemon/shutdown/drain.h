// Drain: how the process ends. Applies what has been read and delivers what was due, as far as the
// deadline allows; after the end of a finite source it waits for every run.
//
// Thread safety: belongs to the main thread.
#pragma once

#include <chrono>
#include <string>

#include "daemon/memory/memory_keeping.h"
#include "daemon/pipeline/pipeline.h"
#include "daemon/shutdown/service_notifier.h"
#include "daemon/shutdown/shutdown_guard.h"
#include "daemon/shutdown/stop_request.h"
#include "windows/base/event_log.h"

namespace sash {

// The part that shows the process to people and programs, reduced to what the shutdown needs.
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

// "end of the source: 9 records, 2 of them refused"
std::string EndOfSourceText(const Pipeline& pipeline);

class Drain {
 public:
  // `deadline` is how long it may take; it does not apply when the end of the source is the cause.
  // `source_ended`: a finite source had ended before the process was stopped.
  Drain(DrainedParts parts, std::chrono::nanoseconds deadline, bool source_ended)
      : parts_(parts), deadline_(deadline), source_ended_(source_ended) {}

  // Returns the exit code.
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
  const bool source_ended_;
};

}  // namespace sash
