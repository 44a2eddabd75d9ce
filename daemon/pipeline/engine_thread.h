// EngineThread: the one thread that moves the windows.
//
// Thread safety: Start() and the destructor belong to the owner.
#pragma once

#include <functional>
#include <optional>
#include <thread>

#include "windows/ingest/batch_queue.h"
#include "windows/slide/window_engine.h"

namespace sash {

class EngineThread {
 public:
  // A round of the engine: with the batch that the source read, or without one when there was none
  // for a while.
  using Round = std::function<void(std::optional<EventBatch>)>;

  // `on_end_of_source` is called in the engine thread, after the last window was handed to the
  // jobs.
  EngineThread(BatchQueue& queue, WindowEngine& engine, Round round,
               std::function<void()> on_end_of_source);
  ~EngineThread() { Join(); }

  void Start();

  // Waits until the queue, which must be closed, has been drained, or the engine was abandoned.
  void Join();

 private:
  void Run();

  BatchQueue& queue_;
  WindowEngine& engine_;
  const Round round_;
  const std::function<void()> on_end_of_source_;
  std::thread thread_;
};

}  // namespace sash
