// Recovery: how the windows are there again after a restart (configuration: recovery), as the rest
// of the process sees it. While it runs it keeps what the next start will need.
//
// Thread safety: Recover(), Start(), Finish() belong to the owner, Round(), BeforeAdvance() and
// Add() to the engine thread, Delivered() to whoever flushes the sinks, the rest to any.
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
  // All outlive it.
  struct Surroundings {
    VertexDictionary& keys;
    PartitionTable& partitions;
    const Clock& clock;
    EventLog& log;
    // In the thread that Delivered() is called in, or in one of its own.
    std::function<void(const RewindPoint&)> commit;
    std::function<std::vector<RewindPosition>()> committed;  // of the newest that is known to be
    std::function<Status()> make_refusals_durable;
    const SourceConfig& source;
    bool with_times = false;         // the records do not tell when their events happened
    ReadHorizon* horizon = nullptr;  // of the source, or none
  };

  virtual ~Recovery() = default;

  // Finds from where `engine`, which has seen nothing yet, can go on. When there is nothing, or
  // something damaged, or of other windows, it begins anew, which is said. An error when what is
  // there must not be lost unseen: of a newer format, or when it cannot be read now;
  // kInvalidArgument: the configuration makes edges of records in another way, and nobody said that
  // they may be read again.
  virtual Status Recover(WindowEngine& engine, const std::vector<WindowSpec>& windows) = 0;

  // How the partitions are read on; empty when the engine begins anew.
  const std::map<TopicPartition, ResumedPartition>& resume() const { return resume_; }

  virtual void Start() {}
  virtual void Stop() {}  // before what commits
  virtual bool keeps_slices() const { return false; }
  virtual void Add(ClosedSlice) {}  // of who does
  // What the source read, or nothing.
  virtual void Round(std::optional<EventBatch> batch) = 0;
  // Before anybody hears of an advance.
  virtual void BeforeAdvance() = 0;
  // All results up to this advance, whose rewind point it is, are safe.
  virtual void Delivered(std::uint64_t advances, const RewindPoint& point) = 0;
  // Up to which advance the state on disk reaches, so that a restart gives none of that again; of
  // who keeps slices.
  virtual std::uint64_t durable_advances() const { return 0; }
  // After Stop(). The engine has stopped between two batches, and all its results are safe.
  virtual void Finish() {}

  virtual std::optional<std::string> not_ready() const = 0;
  virtual std::optional<CheckpointCounts> Counts() const { return std::nullopt; }
  virtual JournalFigures Journalled() const = 0;

 protected:
  std::map<TopicPartition, ResumedPartition> resume_;
};

// Whether `recovery: replay` keeps a journal in the folder of the state: where windows are cut by
// clocks or arrival, and wherever that folder is named.
bool KeepsJournal(const Config& config);

// Null where nothing has to be kept. An error when the folder of the state cannot be used.
Result<std::unique_ptr<Recovery>> OpenRecovery(const Config& config,
                                               Recovery::Surroundings surroundings);

}  // namespace sash
