// KeptEngine: an engine that reads slides from memory, with checkpoints and journal like sashd, or
// without.
//
// Thread safety: belongs to one thread; its checkpoint writer has its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "daemon/recovery/checkpoints.h"
#include "tests/bench/engine_parts.h"
#include "tests/support/kept_log.h"
#include "tests/support/manual_clock.h"
#include "windows/slide/window_engine.h"

namespace sash::bench {

// A folder for the checkpoints of one measurement; removed on destruction.
class StateFolder {
 public:
  StateFolder();
  ~StateFolder();
  StateFolder(const StateFolder&) = delete;
  StateFolder& operator=(const StateFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class KeptEngine {
 public:
  // With a window of `slides` slides. `path`: the folder of checkpoints; empty: none are kept.
  KeptEngine(int slides, std::string path);
  ~KeptEngine();

  // Continues from the state in the folder, if there is one; then the stream begins.
  Status Begin();
  // From now on checkpoints are written.
  void Start() { checkpoints_->Start(); }

  void Round(EventBatch batch);
  // Advances the clock by one second.
  void PassSlide() { clock_.Advance(kSlideSeconds); }

  // Waits until this number of checkpoints and every slice are durable. False: that failed.
  bool AwaitCheckpoints(std::uint64_t count) const;
  // Writes a last checkpoint of the current state.
  void Finish();

  // Null before the first advance.
  const AdvancePtr& newest() const { return newest_; }
  CheckpointCounts counts() const { return *checkpoints_->Counts(); }

 private:
  static constexpr std::chrono::seconds kSlideSeconds{1};

  const std::string path_;
  const int slides_;
  ManualClock clock_;
  KeptLog log_;
  const SourceConfig source_;  // the same in every run
  EngineParts parts_{clock_};
  std::unique_ptr<Recovery> checkpoints_;
  std::unique_ptr<WindowEngine> engine_;
  AdvancePtr newest_;
};

}  // namespace sash::bench
