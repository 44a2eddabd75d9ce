// NumberedLog: a log of an open slice, as a manifest holds it. Its vertices are numbers of keys.
//
// Thread safety: a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windows/base/type_column.h"
#include "windows/durable/dedupe_text.h"
#include "windows/durable/event_columns.h"
#include "windows/durable/place_text.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/window_filters.h"

namespace sash {

struct NumberedLog {
  PartitionIndex partition = 0;
  std::int64_t first_offset = 0;
  std::int64_t last_offset = 0;
  std::vector<std::int64_t> times;
  EventColumns events;
  std::vector<FilterBits> passes{};   // empty: every event passes every filter
  std::vector<LoggedId> ids{};        // empty: no event has an id
  TypeColumn types{};                 // numbers of EngineState::types, from 1
  std::vector<LoggedPlace> places{};  // empty: the log keeps none

  // As PartitionLog::ForEachEvent() gives it.
  std::int64_t OffsetOf(std::size_t i) const {
    if (!places.empty()) return places[i].offset;
    if (!ids.empty() && ids[i].id.is_set()) return ids[i].offset;
    return i == 0 ? first_offset : last_offset;
  }
};

// By open slice, in the order of lanes.
using OpenLogs = std::vector<std::vector<NumberedLog>>;

}  // namespace sash
