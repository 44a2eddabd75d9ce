// EngineListener: receives the advances and slices of a window engine.
//
// Thread safety: called in the engine thread.
#pragma once

#include <cstdint>
#include <string>

#include "windows/jobs/advance.h"
#include "windows/slide/engine_state.h"

namespace sash {

class EngineListener {
 public:
  // A window has moved. May wait: so jobs slow the stream down.
  virtual void OnAdvance(AdvancePtr advance) = 0;

  // The advance that a window published last before a restart, rebuilt unchanged, for jobs that
  // compare results (EngineSurroundings::compared). Called before OnAdvance() of later advances.
  // Must not wait.
  virtual void OnRecalled(const AdvancePtr&) {}

  // Every window of the axis of `window` has moved to every end at or before `end`, a place on the
  // axis. Called often, for each window. Must not wait.
  virtual void OnAllPassed(const std::string& /*window*/, std::int64_t /*end*/) {}

  // Whether the listener keeps closed slices; never changes for one engine.
  virtual bool keeps_slices() const { return false; }
  // Whether closed slices of event time come with ClosedSlice::logs, and events keep their ids. It
  // goes with keeps_slices(), and never changes for one engine.
  virtual bool keeps_places() const { return false; }
  // A slice has closed; called only if keeps_slices(), and before windows that hold the slice are
  // published. Must not wait.
  virtual void OnSlice(ClosedSlice) {}

 protected:
  ~EngineListener() = default;
};

}  // namespace sash
