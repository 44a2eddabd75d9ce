// EngineThread: the one thread that moves the windows.
//
// Thread safety: Start() and the destructor belong to the owner.
#pragma once

#include <functional>
#include <thread>

#include "windows/ingest/batch_queue.h"
#include "windows/slide/window_engine.h"

namespace sash {

class EngineThread {
 public:
  // `on_end_of_source` is called in the engine thread, after the last window was handed to the
  // jobs; `after_round`, between two batches.
  EngineThread(BatchQueue& queue, WindowEngine& engine, std::function<void()> on_end_of_source,
               std::function<void()> after_round);
  ~EngineThread() { Join(); }

  void Start();

  // Waits until the queue, which must be closed, has been drained or the engine been abandoned.
  void Join();

 private:
  void Run();

  BatchQueue& queue_;
  WindowEngine& engine_;
  const std::function<void()> on_end_of_source_;
  const std::function<void()> after_round_;
  std::thread thread_;
};

}  // namespace sash
