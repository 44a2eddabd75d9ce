// ShardKeeping: commits how far a shard has come, and states it in the shard's manifest.
//
// Thread safety: Begin() and Note() belong to the engine thread, and to another one after it.
//
// Invariants
//   (1) Everything that is committed or stated was so at one moment, and every slice that had
//       closed by then is durable. Before a commit, the dead letters are durable too.
//   (2) After a restart, nothing is stated until the engine has closed again what the earlier
//       process had closed: until then, its counts are also in slices that exist.
#pragma once

#include <functional>
#include <utility>

#include "connectors/export/slices/shard_manifest.h"
#include "connectors/export/slices/slice_export.h"
#include "connectors/sinks/dead_letters.h"
#include "windows/base/clock.h"
#include "windows/ingest/rewind_point.h"
#include "windows/slide/window_engine.h"

namespace sash {

class ShardKeeping {
 public:
  // All of these outlive it; the export calls it until the export has stopped.
  struct Parts {
    SliceExport& slices;
    ShardManifest& manifest;
    DeadLetters& dead_letters;
    const Clock& clock;
    std::function<void(const RewindPoint&)> commit;
  };

  explicit ShardKeeping(Parts parts) : parts_(std::move(parts)) {}

  // The partitions of the shard are known. Before, it must not seem to have none.
  void Begin() { has_begun_ = true; }

  // Call it after each round of the engine. It acts at most five times a second, and always if
  // `is_last`.
  void Note(const WindowEngine& engine, bool is_last);

 private:
  void Keep(const RewindPoint& point, const ShardFacts& facts, bool is_last);

  const Parts parts_;
  bool has_begun_ = false;
  SteadyTime noted_{};
  // In the thread that writes slices: the newest commit.
  SteadyTime committed_{};
  RewindPoint point_{};
};

}  // namespace sash
