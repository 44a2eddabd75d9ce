#include "daemon/recovery/rewind_recovery.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "daemon/log/log_events.h"

namespace sash {

std::string RewindFolder(const std::string& state_path) { return state_path + "/rewind"; }

Result<std::unique_ptr<Recovery>> RewindRecovery::Open(const RecoveryConfig& config,
                                                       Surroundings surroundings) {
  std::error_code failed;
  std::filesystem::create_directory(config.path, failed);  // a missing folder is reported below
  Result<std::unique_ptr<PosixFolder>> folder = PosixFolder::Open(RewindFolder(config.path));
  if (!folder) return std::move(folder).error().Within("state.path");
  return std::unique_ptr<Recovery>(
      new RewindRecovery(config, std::move(folder).value(), std::move(surroundings)));
}

RewindRecovery::RewindRecovery(const RecoveryConfig& config, std::unique_ptr<PosixFolder> folder,
                               Surroundings surroundings)
    : around_(std::move(surroundings)),
      folder_(std::move(folder)),
      journal_(*folder_, config.interval),
      watch_(around_.log) {}

Status RewindRecovery::Recover(WindowEngine& engine, const std::vector<WindowSpec>& windows) {
  rounds_.emplace(JournalledEngine::Surroundings{.engine = engine,
                                                 .journal = journal_.journal(),
                                                 .partitions = around_.partitions,
                                                 .log = around_.log,
                                                 .keys = around_.keys.kind(),
                                                 .with_times = around_.with_times,
                                                 .horizon = around_.horizon},
                  journal_, around_.keys);
  std::string why_not;
  Result<std::optional<RewindBeginning>> found =
      journal_.Find(around_.keys.kind(), windows, around_.partitions, why_not);
  if (!found) return std::move(found).error().Within("recover from " + folder_->path());
  if (!found.value()) {
    if (!why_not.empty()) {
      around_.log.Log(process_events::kJournalUnusable,
                      fmt::format("recovery: the journal in {} cannot be used: {}; clocks and "
                                  "arrival decide again",
                                  folder_->path(), why_not));
    }
    return Ok{};
  }
  const JournalledRounds& rounds = found.value()->rounds;
  if (!rounds.remark.empty()) {
    around_.log.Log(process_events::kJournalShort,
                    fmt::format("recovery: part of the journal was not read: {}", rounds.remark));
  }
  around_.log.Log(process_events::kJournalFound,
                  fmt::format("recovery: windows are read again according to the journal in {}: "
                              "{} rounds",
                              folder_->path(), rounds.rounds.size()),
                  {{"rounds", rounds.rounds.size()}});
  NoteResume(*found.value());
  rounds_->Resume(*std::move(found).value());
  return Ok{};
}

void RewindRecovery::NoteResume(const RewindBeginning& beginning) {
  for (const PartitionState& partition : beginning.state.partitions) {
    if (!partition.next_offset) continue;
    const std::int64_t reached = beginning.reached.at(partition.pair);
    resume_[partition.pair] = {.next = partition.next_offset,
                               .newest = partition.newest,
                               .awaited_until = reached,
                               .anchor = partition.anchor,
                               .reached = reached};
  }
}

void RewindRecovery::Round(std::optional<EventBatch> batch) {
  rounds_->Do(std::move(batch));
  watch_.Look(journal_.journal(), journal_.failure());
}

void RewindRecovery::Delivered(std::uint64_t, const RewindPoint& point) {
  journal_.Delivered(point, around_.committed());
  around_.commit(point);
}

}  // namespace sash
