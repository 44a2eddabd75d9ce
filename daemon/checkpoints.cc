#include "daemon/checkpoints.h"

#include <fmt/format.h>

#include <utility>

namespace sash {

Result<std::unique_ptr<Checkpoints>> Checkpoints::Open(const RecoveryConfig& config,
                                                       Surroundings surroundings) {
  Result<std::unique_ptr<PosixFolder>> folder = PosixFolder::Open(config.path);
  if (!folder) return std::move(folder).error().Within("state.path");
  return std::unique_ptr<Checkpoints>(
      new Checkpoints(config, std::move(folder).value(), std::move(surroundings)));
}

Checkpoints::Checkpoints(const RecoveryConfig& config, std::unique_ptr<PosixFolder> folder,
                         Surroundings surroundings)
    : around_(std::move(surroundings)),
      folder_(std::move(folder)),
      store_(*folder_, around_.keys, around_.partitions),
      writer_(config.interval,
              {store_, around_.clock, around_.log, around_.commit, around_.make_refusals_durable}),
      opened_(around_.clock.Steady()) {}

Status Checkpoints::Recover(WindowEngine& engine, const std::vector<WindowSpec>& windows) {
  Result<std::optional<SavedCheckpoint>> found =
      SavedCheckpoint::Find(*folder_, around_.keys.kind());
  std::string why_not;
  if (!found) {
    if (found.error().code != ErrorCode::kCorruption) {
      return std::move(found).error().Within("recover from " + folder_->path());
    }
    why_not = "is damaged: " + found.error().message;
  } else if (found.value()) {
    const Status fits = CheckFits(found.value()->state(), windows);
    if (fits.ok()) return GoOn(*std::move(found).value(), engine);
    why_not = "is one of other windows: " + fits.error().message;
  }
  if (why_not.empty()) {
    around_.log.Log(LogSeverity::kInfo,
                    fmt::format("recovery: there is no checkpoint in {} yet", folder_->path()));
  } else {
    around_.log.Log(LogSeverity::kWarning,
                    fmt::format("recovery: the checkpoint in {} {}; windows are read again",
                                folder_->path(), why_not));
  }
  return store_.Begin({});
}

Status Checkpoints::GoOn(SavedCheckpoint checkpoint, WindowEngine& engine) {
  for (const PartitionState& partition : checkpoint.state().partitions) {
    if (!partition.next_offset) continue;
    positions_.offsets[partition.pair.topic][partition.pair.partition] = *partition.next_offset;
  }
  const std::vector<SliceEntry> slices = checkpoint.slices();
  const std::uint64_t bytes = checkpoint.bytes();
  if (Status restored = std::move(checkpoint).Restore(engine, around_.keys, around_.partitions);
      !restored) {
    return std::move(restored).error().Within("recover from " + folder_->path());
  }
  recovery_seconds_ = std::chrono::duration<double>(around_.clock.Steady() - opened_).count();
  around_.log.Log(LogSeverity::kInfo,
                  fmt::format("recovery: windows go on from the checkpoint in {}: {} slices, {} "
                              "bytes, {:.3f} s",
                              folder_->path(), slices.size(), bytes, recovery_seconds_));
  return store_.Begin(slices);
}

CheckpointCounts Checkpoints::Counts() const {
  const CheckpointFigures figures = writer_.figures();
  CheckpointCounts counts{.checkpoints = figures.checkpoints,
                          .failures = figures.failures,
                          .seconds = figures.seconds,
                          .written = figures.written,
                          .bytes = figures.bytes,
                          .waiting_slices = figures.waiting_slices,
                          .age_seconds = {},
                          .recovery_seconds = recovery_seconds_};
  const SteadyTime newest = figures.newest.value_or(opened_);
  counts.age_seconds = std::chrono::duration<double>(around_.clock.Steady() - newest).count();
  return counts;
}

}  // namespace sash
