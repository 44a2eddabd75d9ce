// EngineSurroundings: what a window engine works with, and whom it tells.
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <set>
#include <string>

#include "windows/base/clock.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/source.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/slide/engine_listener.h"
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
  EngineListener& listener;
  // By window, with how many slides between them results are compared. So that this goes on over a
  // restart, EngineListener::OnRecalled() is then called.
  std::map<std::string, std::set<std::uint32_t>> compared = {};
  // Where the edges of windows lie; null: on the heap. It outlives every view.
  std::pmr::memory_resource* slots = nullptr;
};

}  // namespace sash
