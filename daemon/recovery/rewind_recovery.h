// RewindRecovery: `recovery: replay` for windows that are cut by clocks or arrival: a journal on
// disk records where they were cut, for reading them again. The events are only in the topic.
//
// Thread safety: that of Recovery.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/recovery/journal_watch.h"
#include "daemon/recovery/recovery.h"
#include "windows/durable/posix_folder.h"
#include "windows/durable/rewind_journal.h"
#include "windows/durable/rewinding_engine.h"

namespace sash {

// The journal's folder within the folder of the state.
std::string RewindFolder(const std::string& state_path);

class RewindRecovery final : public Recovery {
 public:
  // Returns an error when the folder cannot be used at all.
  static Result<std::unique_ptr<Recovery>> Open(const RecoveryConfig& config,
                                                Surroundings surroundings);

  Status Recover(WindowEngine& engine, const std::vector<WindowSpec>& windows) override;
  void Round(std::optional<EventBatch> batch) override;
  void BeforeAdvance() override { journal_.journal().Write(); }
  void Delivered(std::uint64_t advances, const RewindPoint& point) override;
  std::optional<std::string> not_ready() const override { return watch_.not_ready(); }
  JournalFigures Journalled() const override { return watch_.figures(); }

 private:
  RewindRecovery(const RecoveryConfig& config, std::unique_ptr<PosixFolder> folder,
                 Surroundings surroundings);

  void NoteResume(const RewindBeginning& beginning);

  const Surroundings around_;
  const std::unique_ptr<PosixFolder> folder_;
  RewindJournal journal_;
  std::optional<RewindingEngine> rounds_;
  JournalWatch watch_;
};

}  // namespace sash
