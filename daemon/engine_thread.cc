#include "daemon/engine_thread.h"

#include <pthread.h>

#include <chrono>
#include <optional>
#include <utility>

namespace sash {
namespace {

constexpr std::chrono::milliseconds kTick{50};  // how late a window may be that a clock closes

}  // namespace

EngineThread::EngineThread(BatchQueue& queue, WindowEngine& engine,
                           std::function<void()> on_end_of_source,
                           std::function<void()> after_round)
    : queue_(queue),
      engine_(engine),
      on_end_of_source_(std::move(on_end_of_source)),
      after_round_(std::move(after_round)) {}

void EngineThread::Start() {
  thread_ = std::thread([this] { Run(); });
}

void EngineThread::Join() {
  if (thread_.joinable()) thread_.join();
}

void EngineThread::Run() {
  pthread_setname_np(pthread_self(), "engine");  // for who looks at threads: top -H, gdb
  while (!engine_.abandoned()) {
    const std::optional<EventBatch> batch = queue_.Pop(kTick);
    if (batch) {
      engine_.Process(*batch);
      if (batch->end_of_source && !engine_.abandoned()) on_end_of_source_();
    } else if (queue_.closed()) {
      break;
    } else {
      engine_.Tick();
    }
    if (!engine_.abandoned()) after_round_();
  }
  engine_.Finish();
}

}  // namespace sash
