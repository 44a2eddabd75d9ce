// Checkpoints: what `recovery: checkpoint` adds to the process: where the last one ended, it goes on,
// and while it runs it keeps the next ones.
//
// Thread safety: Recover(), Start(), Finish() belong to the owner, Round(), BeforeAdvance() and Add()
// to the engine thread, Delivered() to whoever flushes the sinks, the rest to any.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "connectors/kafka/kafka_spec.h"
#include "daemon/config/config.h"
#include "daemon/metrics/daemon_metrics.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/thread_annotations.h"
#include "windows/durable/checkpoint_writer.h"
#include "windows/durable/journal.h"
#include "windows/durable/journalled_engine.h"
#include "windows/durable/posix_folder.h"
#include "windows/durable/saved_checkpoint.h"
#include "windows/slide/window_engine.h"

namespace sash {

class Checkpoints {
 public:
  // All outlive it.
  struct Surroundings {
    VertexDictionary& keys;
    PartitionTable& partitions;
    const Clock& clock;
    EventLog& log;
    // Called in the writer's thread, both. Before a state is written: refused records are safe.
    std::function<void(const RewindPoint&)> commit;
    std::function<Status()> make_refusals_durable;
  };

  // An error when the folder cannot be used at all.
  // `with_times`: the records do not tell when their events happened.
  static Result<std::unique_ptr<Checkpoints>> Open(const RecoveryConfig& config, bool with_times,
                                                   Surroundings surroundings);

  // The engine, which has seen nothing yet, goes on from the checkpoint in the folder. When there is
  // none, a damaged one, or one of other windows, it begins anew, which is said: the windows are then
  // read again from the commits. An error when it must not be lost unseen: one of a newer format, or
  // of other keys, or one that cannot be read now.
  Status Recover(WindowEngine& engine, const std::vector<WindowSpec>& windows);

  // How the partitions are read on; empty when the engine begins anew.
  const std::map<TopicPartition, ResumedPartition>& resume() const { return resume_; }

  void Start() { writer_.Start(); }
  void Stop() { writer_.Stop(); }  // before what commits
  void Add(ClosedSlice slice) { writer_.Add(std::move(slice)); }
  // What the source read, or nothing, and then perhaps a state.
  void Round(std::optional<EventBatch> batch);
  // Before anybody hears of an advance.
  void BeforeAdvance() { journal_.Write(); }
  void Delivered(std::uint64_t advances) { writer_.Delivered(advances); }

  // After Stop(). The engine has stopped between two batches, and all its results are safe: one more
  // checkpoint.
  void Finish();

  std::optional<std::string> not_ready() const;
  CheckpointCounts Counts() const;

 private:
  Checkpoints(const RecoveryConfig& config, bool with_times, std::unique_ptr<PosixFolder> folder,
              Surroundings surroundings);

  void NoteResume(const EngineState& state);
  void NoteAwaited(const JournalledRounds& rounds);
  Status GoOn(SavedCheckpoint checkpoint, WindowEngine& engine);
  Status BeginAnew(const std::string& why_not);
  void NoteJournal();
  double SecondsOpen() const;

  const Surroundings around_;
  const bool with_times_;
  const std::unique_ptr<PosixFolder> folder_;
  CheckpointStore store_;
  std::atomic<std::uint64_t> durable_state_ = 0;  // EngineState::journal; the writer sets it
  CheckpointWriter writer_;
  Journal journal_;  // the engine thread's, once it runs
  std::optional<JournalledEngine> rounds_;
  std::uint64_t collected_state_ = 0;
  std::map<TopicPartition, ResumedPartition> resume_;
  double recovery_seconds_ = 0;
  const SteadyTime opened_;

  mutable std::mutex mutex_;
  std::optional<std::string> journal_failure_ SASH_GUARDED_BY(mutex_);
  JournalFigures journal_figures_ SASH_GUARDED_BY(mutex_);
};

}  // namespace sash
