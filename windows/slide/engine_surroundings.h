// EngineSurroundings: the objects that a window engine uses and reports to.
//
// Thread safety: a plain value; each object has its own.
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "windows/base/clock.h"
#include "windows/ingest/other_partitions.h"
#include "windows/ingest/partition_table.h"
#include "windows/ingest/refusal.h"
#include "windows/ingest/source.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/slide/engine_listener.h"
#include "windows/slide/engine_stats.h"
#include "windows/slide/slices_alone.h"

namespace sash {

// All referenced objects outlive the engine.
struct EngineSurroundings {
  VertexDictionary& keys;  // only the engine adds keys and makes it forget keys
  PartitionTable& partitions;
  const Clock& clock;
  RefusalSink& refusals;
  EngineStats& stats;
  StreamProgress& progress;
  EngineListener& listener;
  // By window name: the distances, in slides, between results that jobs compare. After a restart
  // EngineListener::OnRecalled() is called for them, so that jobs can still compare.
  std::map<std::string, std::set<std::uint32_t>> compared = {};
  // The memory for the edges of windows; null: the heap. It outlives every view.
  std::pmr::memory_resource* slots = nullptr;
  // The names of the source's mappings, if it has several: EdgeEvent::mapping is a place in it.
  std::vector<std::string> mappings = {};
  // If set, the engine closes slices and has no windows. Counts of late and refused records stay in
  // their panes (Slicer::KeepCountsApart).
  std::optional<SlicesAlone> alone = {};
  // The partitions of other processes; null: this one reads all partitions.
  const OtherPartitions* others = nullptr;
};

}  // namespace sash
