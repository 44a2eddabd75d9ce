// An engine that writes checkpoints to a folder and can continue from them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tests/support/engine_harness.h"
#include "windows/durable/checkpoint_store.h"
#include "windows/durable/saved_checkpoint.h"

namespace sash::testing {

// Gives the state a journal number, because silence of partitions is stored only in numbered
// states.
inline EngineState Numbered(EngineState state) {
  state.journal = 1;
  return state;
}

class CheckpointedEngine {
 public:
  CheckpointedEngine(const std::vector<WindowSpec>& windows, const TimePolicy& policy,
                     std::uint32_t partitions, KeyKind kind, Folder& folder,
                     EngineHarness::Compared compared = {}, bool keeps_places = false)
      : harness_(
            windows, policy, partitions, kind,
            [this](ClosedSlice slice) { closed_.push_back(std::move(slice)); }, std::move(compared),
            {}, keeps_places),
        store_(folder, harness_.keys, harness_.partitions) {}

  // Starts a new stream. Returns false when the folder cannot be read.
  bool Begin() { return store_.Begin({}).ok(); }

  // Continues from the checkpoint in the folder.
  Status Recover(const Folder& folder, const std::vector<WindowSpec>& windows) {
    Result<std::optional<SavedCheckpoint>> found =
        SavedCheckpoint::Find(folder, harness_.keys.kind());
    if (!found) return found.error();
    if (!found.value()) return Error{ErrorCode::kNotFound, "no checkpoint"};
    SavedCheckpoint& saved = *found.value();
    if (Status fits = CheckFits(saved.state(), windows); !fits) return fits;
    const std::vector<SliceEntry> slices = saved.slices();
    if (Status restored =
            std::move(saved).Restore(harness_.engine(), harness_.keys, harness_.partitions);
        !restored) {
      return restored;
    }
    return store_.Begin(slices);
  }

  // Slices that could not be written are tried again at the next checkpoint.
  Status Checkpoint() { return Checkpoint(harness_.engine().Capture()); }
  Status Checkpoint(const EngineState& state) {
    while (!closed_.empty()) {
      if (Status added = store_.AddSlice(closed_.front()); !added) return added;
      closed_.erase(closed_.begin());
    }
    return store_.Commit(state);
  }

  EngineHarness& harness() { return harness_; }
  CheckpointStore& store() { return store_; }

 private:
  std::vector<ClosedSlice> closed_;
  EngineHarness harness_;
  CheckpointStore store_;
};

}  // namespace sash::testing
