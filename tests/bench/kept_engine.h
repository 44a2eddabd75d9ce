// KeptEngine: an engine that reads slides from memory, with checkpoints and journal as sashd has
// them, or without.
//
// Thread safety: belongs to one thread, its own writer of checkpoints aside.
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

// A folder of its own for the checkpoints of one measurement, which goes with it.
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
  // With a window of so many slides. `path`: of the folder of checkpoints; empty: none are kept.
  KeptEngine(int slides, std::string path);
  ~KeptEngine();

  // Goes on from what is in the folder, if anything is; then the stream begins.
  Status Begin();
  // From now on checkpoints are written.
  void Start() { checkpoints_->Start(); }

  void Round(EventBatch batch);
  // A second has passed.
  void PassSlide() { clock_.Advance(kSlideSeconds); }

  // Waits until so many checkpoints and every slice are durable. False: that failed.
  bool AwaitCheckpoints(std::uint64_t count) const;
  // A last one, of the state as it is.
  void Finish();

  // Null before the first.
  const AdvancePtr& newest() const { return newest_; }
  CheckpointCounts counts() const { return *checkpoints_->Counts(); }

 private:
  static constexpr std::chrono::seconds kSlideSeconds{1};

  const std::string path_;
  const int slides_;
  ManualClock clock_;
  KeptLog log_;
  const SourceConfig source_;  // the same in every life
  EngineParts parts_{clock_};
  std::unique_ptr<Recovery> checkpoints_;
  std::unique_ptr<WindowEngine> engine_;
  AdvancePtr newest_;
};

}  // namespace sash::bench
