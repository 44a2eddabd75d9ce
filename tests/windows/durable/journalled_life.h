// One run of an engine with a journal and checkpoints, which can continue from those of the
// previous run.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/kept_log.h"
#include "tests/support/memory_folder.h"
#include "tests/windows/durable/recovered_engine.h"
#include "windows/durable/journal.h"
#include "windows/durable/journalled_engine.h"

namespace sash::testing {

class JournalledLife {
 public:
  // `with_times`: the records carry no event times.
  JournalledLife(std::vector<WindowSpec> windows, const TimePolicy& policy,
                 std::uint32_t partitions, KeyKind kind, bool with_times, MemoryFolder& folder)
      : windows_(std::move(windows)),
        folder_(folder),
        engine_(windows_, policy, partitions, kind, folder),
        journal_(folder),
        rounds_({.engine = engine_.harness().engine(),
                 .journal = journal_,
                 .partitions = engine_.harness().partitions,
                 .log = log,
                 .keys = kind,
                 .with_times = with_times}) {
    harness().on_advance = [this](const AdvancePtr&) { journal_.Write(); };
  }

  // Starts a new stream. Returns false when the folder cannot be read.
  bool Begin() { return engine_.Begin(); }

  // Continues from the state with this number; `rounds` followed it.
  Status GoOn(std::uint64_t state, JournalledRounds rounds) {
    journal_.Resume(state, rounds);
    rounds_.Resume(std::move(rounds));
    return engine_.Recover(folder_, windows_);
  }

  // Starts the stream with all known partitions. `batch` has the first records.
  void Start(EventBatch batch = {}) {
    batch.start.emplace();
    for (PartitionIndex p = 0; p < harness().partitions.size(); ++p) {
      batch.start->partitions.push_back(p);
    }
    rounds_.Do(std::move(batch));
  }

  Status Checkpoint(const EngineState& state) {
    if (Status written = engine_.Checkpoint(state); !written) return written;
    journal_.Collect(state.journal);
    return Ok{};
  }

  EngineHarness& harness() { return engine_.harness(); }
  Journal& journal() { return journal_; }
  JournalledEngine& rounds() { return rounds_; }

  KeptLog log;

 private:
  const std::vector<WindowSpec> windows_;
  MemoryFolder& folder_;
  CheckpointedEngine engine_;
  Journal journal_;
  JournalledEngine rounds_;
};

}  // namespace sash::testing
