// Event columns: the events of a slice, or of a log of an open one, as sections of a file name
// their vertices: by number.
//
// Thread safety: pure functions and plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/base/weight_column.h"
#include "windows/ingest/edge_event.h"

namespace sash {

struct EventColumns {
  std::vector<std::uint32_t> sources;  // numbers of a KeyTable
  std::vector<std::uint32_t> targets;
  std::vector<Operation> operations;  // empty: every event is an add
  WeightColumn weights;
};

// Notes the keys that are an end of some event, by number.
void NoteKeys(const EventColumns& columns, std::vector<bool>& named);

std::string EncodeColumns(const EventColumns& columns);

// kCorruption when this is none: numbers of keys are below `keys`, columns of one length, reals are
// finite.
Result<EventColumns> ParseColumns(std::string_view bytes, std::size_t keys);

}  // namespace sash
