// EngineSurroundings: what a window engine works with, and whom it tells.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory_resource>
#include <set>
#include <string>

#include "windows/base/clock.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/source.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/jobs/advance.h"
#include "windows/slide/engine_state.h"
#include "windows/slide/engine_stats.h"

namespace sash {

// What the engine works with; all outlive it.
struct EngineSurroundings {
  VertexDictionary& keys;  // which the engine alone fills and makes forget
  PartitionTable& partitions;
  const Clock& clock;
  RefusalSink& refusals;
  EngineStats& stats;
  StreamProgress& progress;
  // Called in the engine thread; may wait (that is how jobs hold the stream back).
  std::function<void(AdvancePtr)> on_advance;
  // Called in the engine thread for every slice that closes, before the windows that hold it are
  // published; must not wait. None: nobody keeps them.
  std::function<void(ClosedSlice)> on_slice = {};
  // By window, with how many slides between them results are compared. So that this goes on over a
  // restart, `on_recalled` is then called with what was published last, made again as it was,
  // before what follows it; in the engine thread, and must not wait.
  std::map<std::string, std::set<std::uint32_t>> compared = {};
  std::function<void(const AdvancePtr&)> on_recalled = {};
  // Where the edges of windows lie; null: on the heap. It outlives every view.
  std::pmr::memory_resource* slots = nullptr;
};

}  // namespace sash
