// SnapshotFormat: how an advance of a window becomes the files of a snapshot. WindowExport does the
// rest: it chooses advances, makes the folder, completes it, and removes what is not whole.
//
// Thread safety: Write() is called by one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "connectors/export/window_outline.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"
#include "windows/jobs/job_spec.h"
#include "windows/store/window_policy.h"

namespace sash {

// What a snapshot states about its window beyond the advance.
struct WindowContext {
  StoreSpec policy{};           // how the window treats duplicates
  std::vector<JobSpec> jobs{};  // that run on the window
};

struct SnapshotMoment {
  EventTime written{};  // by the wall clock
  double seconds = 0;   // that writing took
};

// A snapshot to write. The advance is pinned meanwhile.
struct SnapshotTask {
  const Advance& advance;
  const WindowContext& context;
  const VertexDictionary& keys;
  const WindowOutline& outline;  // of the advance
  int folder;                    // the descriptor of an empty folder
  const std::stop_token& stop;
  // Called before files become larger: so many bytes, in whole pages, are about to be in the
  // folder. False: the limit does not allow them.
  std::function<bool(std::uint64_t bytes)> make_room;
  std::function<SnapshotMoment()> now;
};

class SnapshotFormat {
 public:
  virtual ~SnapshotFormat() = default;

  // Writes all files but snapshot.json, durably, and returns the text of that. After an error the
  // folder holds files that are not whole.
  virtual Result<std::string> Write(const SnapshotTask& task) const = 0;
};

// The error of Write() if make_room() or `stop` forbids to go on.
inline Error BeyondLimit() { return {ErrorCode::kOverloaded, "it does not fit into limit"}; }
inline Error StoppedExport() { return {ErrorCode::kUnavailable, "was stopped"}; }

}  // namespace sash
