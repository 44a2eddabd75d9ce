// EngineListener: what a window engine reports to.
//
// Thread safety: called in the engine thread.
#pragma once

#include "windows/jobs/advance.h"
#include "windows/slide/engine_state.h"

namespace sash {

class EngineListener {
 public:
  // A window has moved. May wait: that is how jobs hold the stream back.
  virtual void OnAdvance(AdvancePtr advance) = 0;

  // What a window published last before a restart, made again as it was, for jobs that compare
  // results (EngineSurroundings::compared). It comes before what follows it. Must not wait.
  virtual void OnRecalled(const AdvancePtr&) {}

  // Whether closed slices are kept; the same for the life of the engine.
  virtual bool keeps_slices() const { return false; }
  // A slice has closed, and is kept. It comes before the windows that hold it are published. Must
  // not wait.
  virtual void OnSlice(ClosedSlice) {}

 protected:
  ~EngineListener() = default;
};

}  // namespace sash
