// Checkpoints: `recovery: checkpoint`. The process goes on from the last checkpoint and writes new
// ones while it runs.
//
// Thread safety: that of Recovery.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/recovery/journal_watch.h"
#include "daemon/recovery/recovery.h"
#include "windows/durable/checkpoint_writer.h"
#include "windows/durable/journal.h"
#include "windows/durable/journalled_engine.h"
#include "windows/durable/posix_folder.h"
#include "windows/durable/saved_checkpoint.h"

namespace sash {

class Checkpoints final : public Recovery {
 public:
  // Returns an error when the folder cannot be used at all.
  static Result<std::unique_ptr<Recovery>> Open(const RecoveryConfig& config,
                                                Surroundings surroundings);

  Status Recover(WindowEngine& engine, const std::vector<WindowSpec>& windows) override;

  void Start() override { writer_.Start(); }
  void Stop() override { writer_.Stop(); }
  bool keeps_slices() const override { return true; }
  void Add(ClosedSlice slice) override { writer_.Add(std::move(slice)); }
  void Round(std::optional<EventBatch> batch) override;
  void BeforeAdvance() override { journal_.Write(); }
  // The position is committed when the next checkpoint is durable.
  void Delivered(std::uint64_t advances, const RewindPoint&) override {
    writer_.Delivered(advances);
  }
  std::uint64_t durable_advances() const override { return durable_advances_; }
  // Writes one more checkpoint.
  void Finish() override;

  std::optional<std::string> not_ready() const override;
  std::optional<CheckpointCounts> Counts() const override;
  JournalFigures Journalled() const override { return watch_.figures(); }

 private:
  Checkpoints(const RecoveryConfig& config, std::unique_ptr<PosixFolder> folder,
              Surroundings surroundings);

  void NoteResume(const EngineState& state);
  void NoteAwaited(const JournalledRounds& rounds);
  Status GoOn(SavedCheckpoint checkpoint, WindowEngine& engine);
  Status StartOver(const std::string& why_not);
  Result<std::string> WhyOfOtherEdges() const;
  EngineState WithMapping(EngineState state) const;
  void CollectJournal();
  double SecondsOpen() const;

  const Surroundings around_;
  const std::string mapping_;  // MappingText()
  const bool rebuilds_;
  const std::unique_ptr<PosixFolder> folder_;
  CheckpointStore store_;
  std::atomic<std::uint64_t> durable_state_ = 0;  // EngineState::journal; the writer sets it
  std::atomic<std::uint64_t> durable_advances_ = 0;
  CheckpointWriter writer_;
  Journal journal_;  // belongs to the engine thread once that runs
  std::optional<JournalledEngine> rounds_;
  std::uint64_t collected_state_ = 0;
  double recovery_seconds_ = 0;
  const SteadyTime opened_;
  JournalWatch watch_;
};

}  // namespace sash
