// Recovery: how the windows are restored after a restart (configuration: recovery), as the rest of
// the process sees it. While the process runs, it stores what the next start will need.
//
// Thread safety: Recover(), Start(), Finish() belong to the owner, Round(), BeforeAdvance() and
// Add() to the engine thread, Delivered() to the thread that flushes the sinks, the rest to any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "connectors/kafka/kafka_spec.h"
#include "daemon/config/config.h"
#include "daemon/metrics/daemon_metrics.h"
#include "windows/base/clock.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"
#include "windows/slide/window_engine.h"

namespace sash {

class Recovery {
 public:
  // All of these outlive the recovery.
  struct Surroundings {
    VertexDictionary& keys;
    PartitionTable& partitions;
    const Clock& clock;
    EventLog& log;
    // Called in the thread that calls Delivered(), or in a thread of the recovery.
    std::function<void(const RewindPoint&)> commit;
    std::function<std::vector<RewindPosition>()> committed;  // the newest commit that is known
    // Makes durable what a state of the engine counts as done: refused records, exported slices.
    std::function<Status()> make_durable;
    const SourceConfig& source;
    bool with_times = false;         // the records do not say when their events happened
    bool needs_places = false;       // of the events in open slices (EngineState::lacks_places)
    ReadHorizon* horizon = nullptr;  // of the source; may be null
  };

  virtual ~Recovery() = default;

  // Finds the point from which `engine`, which has seen nothing yet, can go on. If there is no
  // state, or it is damaged or belongs to other windows, the engine starts from scratch, and this
  // is logged. Returns an error when the existing state must not be ignored: it has a newer format,
  // or cannot be read now. kInvalidArgument: the configuration makes edges from records in another
  // way, and does not allow them to be read again.
  virtual Status Recover(WindowEngine& engine, const std::vector<WindowSpec>& windows) = 0;

  // Where to resume reading each partition; empty when the engine starts from scratch.
  const std::map<TopicPartition, ResumedPartition>& resume() const { return resume_; }

  virtual void Start() {}
  virtual void Stop() {}  // before the part that commits
  virtual bool keeps_slices() const { return false; }
  virtual void Add(ClosedSlice) {}  // if keeps_slices()
  // The records that the source read in this round, or none.
  virtual void Round(std::optional<EventBatch> batch) = 0;
  // Called before an advance is published.
  virtual void BeforeAdvance() = 0;
  // All results up to this advance are safe; `point` is its rewind point.
  virtual void Delivered(std::uint64_t advances, const RewindPoint& point) = 0;
  // The newest advance that the state on disk covers: a restart repeats no result up to it. For
  // recoveries that keep slices.
  virtual std::uint64_t durable_advances() const { return 0; }
  // Called after Stop(), when the engine has stopped between two batches and all its results are
  // safe.
  virtual void Finish() {}

  virtual std::optional<std::string> not_ready() const = 0;
  virtual std::optional<CheckpointCounts> Counts() const { return std::nullopt; }
  virtual JournalFigures Journalled() const = 0;

 protected:
  std::map<TopicPartition, ResumedPartition> resume_;
};

// Whether `recovery: replay` keeps a journal in the folder of the state: if windows are cut by
// clocks or arrival, and whenever that folder is configured.
bool KeepsJournal(const Config& config);

// The recovery that the configuration asks for; null when nothing has to be kept. An error when the
// folder of the state cannot be used.
Result<std::unique_ptr<Recovery>> OpenRecovery(const Config& config,
                                               Recovery::Surroundings surroundings);

}  // namespace sash
