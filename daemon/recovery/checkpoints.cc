#include "daemon/recovery/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>
#include <variant>

#include "connectors/codec/mapping_text.h"
#include "connectors/kafka/topic_choice.h"
#include "daemon/log/log_events.h"

namespace sash {
namespace {

constexpr std::chrono::seconds kProgressEvery{2};

}  // namespace

Result<std::unique_ptr<Recovery>> Checkpoints::Open(const RecoveryConfig& config,
                                                    Surroundings surroundings) {
  Result<std::unique_ptr<PosixFolder>> folder = PosixFolder::Open(config.path);
  if (!folder) return std::move(folder).error().Within("state.path");
  return std::unique_ptr<Recovery>(
      new Checkpoints(config, std::move(folder).value(), std::move(surroundings)));
}

Checkpoints::Checkpoints(const RecoveryConfig& config, std::unique_ptr<PosixFolder> folder,
                         Surroundings surroundings)
    : around_(std::move(surroundings)),
      mapping_(MappingText(around_.source.format, around_.source.time.dedupe_within)),
      rebuilds_(config.rebuilds),
      folder_(std::move(folder)),
      store_(*folder_, around_.keys, around_.partitions),
      writer_(config.interval, {store_, around_.clock, around_.log,
                                [this](const EngineState& state) {
                                  durable_state_ = state.journal;
                                  durable_advances_ = state.advances;
                                  around_.commit(state.rewind);
                                },
                                around_.make_durable}),
      journal_(*folder_),
      opened_(around_.clock.Steady()),
      watch_(around_.log) {}

Status Checkpoints::Recover(WindowEngine& engine, const std::vector<WindowSpec>& windows) {
  rounds_.emplace(JournalledEngine::Surroundings{.engine = engine,
                                                 .journal = journal_,
                                                 .partitions = around_.partitions,
                                                 .log = around_.log,
                                                 .keys = around_.keys.kind(),
                                                 .with_times = around_.with_times,
                                                 .horizon = around_.horizon});
  const Result<std::string> of_others = WhyOfOtherEdges();
  if (!of_others) return of_others.error();
  if (!of_others.value().empty()) return StartOver(of_others.value());
  Result<std::optional<SavedCheckpoint>> found =
      SavedCheckpoint::Find(*folder_, around_.keys.kind());
  std::string why_not;
  if (!found) {
    if (found.error().code != ErrorCode::kCorruption) {
      Error error = std::move(found).error();
      error.code = ErrorCode::kUnavailable;  // of a newer version: not a fault of the configuration
      return std::move(error).Within("recover from " + folder_->path());
    }
    why_not = "is damaged: " + found.error().message;
  } else if (found.value()) {
    const Status fits = CheckFits(found.value()->state(), windows);
    const bool lacks_places = around_.needs_places && found.value()->state().lacks_places;
    if (fits.ok() && !lacks_places) return GoOn(*std::move(found).value(), engine);
    why_not = fits.ok() ? "lacks the places of events in the stream, which exported slices have"
                        : "belongs to other windows: " + fits.error().message;
  }
  return StartOver(why_not);
}

// Why windows must not go on from the checkpoint: its edges were made from records in another way
// than the configuration says, or come from topics that it does not name. Empty: they may. An error
// when a person has to decide.
Result<std::string> Checkpoints::WhyOfOtherEdges() const {
  const std::optional<SavedCheckpoint::Origin> origin = SavedCheckpoint::FindOrigin(*folder_);
  if (!origin) return std::string();
  std::string difference = MappingDifference(origin->mapping, mapping_);
  std::string digests =
      fmt::format("mapping {}, now {}", MappingDigest(origin->mapping), MappingDigest(mapping_));
  if (origin->mapping.empty()) {  // written by a version that did not store it
    difference.clear();
    digests.clear();
    if (origin->keys != around_.keys.kind()) {
      const bool strings = origin->keys == KeyKind::kString;
      difference = fmt::format("keys was {} and is {}", strings ? "string" : "integer",
                               strings ? "integer" : "string");
      digests = "its mapping is not stored";
    }
  }
  if (!difference.empty() && rebuilds_) {
    return fmt::format("was made from records in another way ({}: {})", digests, difference);
  }
  if (!difference.empty()) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("recover from {}: the checkpoint was made from records in another way than "
                    "source.format and source.time say now ({}: {}); go back to the former "
                    "ones, give another state.path, or set state.mapping_changed: rebuild to "
                    "read the windows again",
                    folder_->path(), digests, difference)};
  }
  if (const auto* kafka = std::get_if<KafkaSpec>(&around_.source.connector)) {
    const TopicChoice choice(*kafka);
    for (const TopicPartition& pair : origin->read) {
      if (choice.Takes(pair.topic)) continue;
      return fmt::format("holds edges of topic {}, which source.kafka.topics does not name",
                         pair.topic);
    }
  }
  if (origin->mapping.empty()) {
    around_.log.Log(
        process_events::kMappingNotNoted,
        fmt::format("recovery: the checkpoint in {} is from a version that did not store how "
                    "records became edges; it is used as if this had not changed",
                    folder_->path()));
  }
  return std::string();
}

EngineState Checkpoints::WithMapping(EngineState state) const {
  state.mapping = mapping_;
  return state;
}

Status Checkpoints::StartOver(const std::string& why_not) {
  if (why_not.empty()) {
    around_.log.Log(process_events::kNoCheckpoint,
                    fmt::format("recovery: there is no checkpoint in {} yet", folder_->path()));
  } else {
    around_.log.Log(process_events::kCheckpointUnusable,
                    fmt::format("recovery: the checkpoint in {} {}; windows are read again",
                                folder_->path(), why_not));
  }
  // Without a checkpoint the journal has nothing to follow, so all of it is dropped.
  journal_.Collect(std::numeric_limits<std::uint64_t>::max());
  return store_.Begin({});
}

void Checkpoints::NoteResume(const EngineState& state) {
  for (const PartitionState& partition : state.partitions) {
    if (!partition.next_offset) continue;
    ResumedPartition& resumed = resume_[partition.pair];
    resumed.next = partition.next_offset;
    resumed.newest = partition.newest;
    resumed.anchor = partition.anchor;
  }
}

// The rounds that are repeated begin with the records that they had the first time.
void Checkpoints::NoteAwaited(const JournalledRounds& rounds) {
  for (const auto& [pair, offset] : ReachedOffsets(rounds)) {
    std::int64_t& until = resume_[pair].awaited_until;
    until = std::max(until, offset);
  }
}

Status Checkpoints::GoOn(SavedCheckpoint checkpoint, WindowEngine& engine) {
  NoteResume(checkpoint.state());
  const std::uint64_t state = checkpoint.state().journal;
  const std::vector<SliceEntry> slices = checkpoint.slices();
  const std::uint64_t bytes = checkpoint.bytes();
  // A line now and then, because this can take long.
  SteadyTime said = around_.clock.Steady();
  around_.log.Log(
      process_events::kCheckpointFound,
      fmt::format("recovery: the checkpoint in {} is whole: {} slices, {} bytes, {:.3f} s",
                  folder_->path(), slices.size(), bytes, SecondsOpen()));
  const auto on_slice = [&](std::size_t read) {
    const SteadyTime now = around_.clock.Steady();
    if (now - said < kProgressEvery) return;
    said = now;
    around_.log.Log(process_events::kRecoveryProgress,
                    fmt::format("recovery: {} of {} slices are read, {:.3f} s", read, slices.size(),
                                SecondsOpen()));
  };
  if (Status restored =
          std::move(checkpoint).Restore(engine, around_.keys, around_.partitions, on_slice);
      !restored) {
    return std::move(restored).error().Within("recover from " + folder_->path());
  }
  Result<JournalledRounds> rounds = ReadJournal(*folder_, state);
  if (!rounds) return std::move(rounds).error().Within("recover from " + folder_->path());
  if (const std::string& remark = rounds.value().remark; !remark.empty()) {
    around_.log.Log(process_events::kJournalShort,
                    fmt::format("recovery: part of the journal was not read: {}", remark));
  }
  NoteAwaited(rounds.value());
  journal_.Resume(state, rounds.value());
  collected_state_ = durable_state_ = state;
  rounds_->Resume(std::move(rounds).value());
  recovery_seconds_ = SecondsOpen();
  around_.log.Log(process_events::kRecovered,
                  fmt::format("recovery: windows go on from the checkpoint in {}: {} slices, {} "
                              "bytes, {:.3f} s",
                              folder_->path(), slices.size(), bytes, recovery_seconds_),
                  {{"slices", slices.size()}, {"bytes", bytes}, {"seconds", recovery_seconds_}});
  return store_.Begin(slices);
}

double Checkpoints::SecondsOpen() const {
  return std::chrono::duration<double>(around_.clock.Steady() - opened_).count();
}

void Checkpoints::Round(std::optional<EventBatch> batch) {
  rounds_->Do(std::move(batch));
  CollectJournal();
  watch_.Look(journal_);
  if (!rounds_->is_settled() || !writer_.IsDue()) return;
  if (!rounds_->has_changed()) return writer_.NoteUnchanged();
  writer_.Offer(WithMapping(rounds_->Capture()));
}

// Drops the part of the journal that a newer, durable checkpoint covers.
void Checkpoints::CollectJournal() {
  const std::uint64_t durable = durable_state_;
  if (durable == collected_state_) return;
  collected_state_ = durable;
  journal_.Collect(durable);
}

void Checkpoints::Finish() {
  // Rounds that are not repeated yet are repeated after the next start.
  if (rounds_->is_live()) writer_.WriteLast(WithMapping(rounds_->Capture()));
}

std::optional<std::string> Checkpoints::not_ready() const {
  if (auto why = writer_.not_ready()) return why;
  return watch_.not_ready();
}

std::optional<CheckpointCounts> Checkpoints::Counts() const {
  const CheckpointFigures figures = writer_.figures();
  const SteadyTime newest = figures.newest.value_or(opened_);
  return CheckpointCounts{
      .checkpoints = figures.checkpoints,
      .failures = figures.failures,
      .seconds = figures.seconds,
      .written = figures.written,
      .bytes = figures.bytes,
      .waiting_slices = figures.waiting_slices,
      .age_seconds = std::chrono::duration<double>(around_.clock.Steady() - newest).count(),
      .recovery_seconds = recovery_seconds_};
}

}  // namespace sash
