#include "daemon/pipeline/engine_thread.h"

#include <pthread.h>

#include <chrono>
#include <optional>
#include <utility>

namespace sash {
namespace {

constexpr std::chrono::milliseconds kTick{50};  // most delay of a window that a clock closes

}  // namespace

EngineThread::EngineThread(BatchQueue& queue, WindowEngine& engine, Round round,
                           std::function<void()> on_end_of_source)
    : queue_(queue),
      engine_(engine),
      round_(std::move(round)),
      on_end_of_source_(std::move(on_end_of_source)) {}

void EngineThread::Start() {
  thread_ = std::thread([this] { Run(); });
}

void EngineThread::Join() {
  if (thread_.joinable()) thread_.join();
}

void EngineThread::Run() {
  pthread_setname_np(pthread_self(), "engine");  // for tools that list threads: top -H, gdb
  while (!engine_.abandoned()) {
    std::optional<EventBatch> batch = queue_.Pop(kTick);
    if (!batch && queue_.closed()) break;
    const bool is_end = batch && batch->end_of_source;
    round_(std::move(batch));
    if (is_end && !engine_.abandoned()) on_end_of_source_();
  }
  engine_.Finish();
}

}  // namespace sash
